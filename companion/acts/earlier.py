"""Acts about a past match that is over or was ended: who is asked, and plans of those that only a past match has."""

from msgspec.structs import replace

from companion import player_names
from companion.acts.match_acts import CountAgain, GoOnWithMatch, LeaveOut, TakeUp
from companion.acts.outcome import Consent, Needs, PlannedAct, Refuse, not_now
from companion.acts.question import EarlierMatch
from companion.acts.sentence import Saying
from companion.acts.table import Actor, Situation

SAID = {LeaveOut: "left-out", CountAgain: "counts-again"}
ASKED = {LeaveOut: "ask-leave-out", CountAgain: "ask-count-again"}


def who_is_asked(earlier: EarlierMatch, actor: Actor, situation: Situation) -> EarlierMatch:
    """Return an earlier match with the seats that a question about it asks: those of its own players, if any of them
    plays now; else all that play now, because they see it done, and the results are theirs too.
    """
    holders = situation.rights.holders
    me = actor.who.phone
    phones = {seat: holders[seat] for seat in situation.seats if holders.get(seat, me) != me}
    seats = {seat for seat, phone in phones.items() if situation.can_be_asked(phone)}
    called = situation.play.called if situation.play is not None else {}
    keys = {player_names.key(name) for name in earlier.names.values() if name}
    its_people = {seat for seat in seats if player_names.key(called.get(seat, "")) in keys}
    return replace(earlier, asked=frozenset(its_people or seats))


def leave_out_or_count(act: LeaveOut | CountAgain, situation: Situation) -> PlannedAct | Refuse:
    """Have a match count nowhere from now on, or again."""
    play = situation.play
    if play is not None and play.is_on and play.number == act.match:
        return not_now("match-being-played")
    needs = Needs(Consent.OTHERS, Saying(ASKED[type(act)]))
    is_left_out = situation.earlier is not None and situation.earlier.left_out
    return PlannedAct(act, Saying(SAID[type(act)]), needs, is_so=is_left_out is isinstance(act, LeaveOut))


def take_up(act: TakeUp, situation: Situation) -> PlannedAct | Refuse:
    """Bring a match that is not over back to the table, where the same people take their seats again.

    It is refused while people play another, so that nobody loses a match in play to an earlier one. The match on the
    table itself simply goes on.
    """
    play = situation.play
    if situation.match is None or situation.match.over:
        return not_now("match-is-over")
    if play is not None and situation.earlier is not None and play.number == situation.earlier.number:
        return PlannedAct(GoOnWithMatch(), Saying("match-goes-on"))
    if situation.people_play:
        return not_now("take-up-waits")
    return PlannedAct(act, Saying("taken-up"), Needs(Consent.OTHERS, Saying("ask-take-up")))
