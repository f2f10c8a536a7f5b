"""Who may do what by phone: the one place that decides. Pure: no page, no clock, no file.

What the table's own cards say is done, or announced so that anybody may object, by `live/act_cards.py`.

An act is first *planned* (`plan.py`): what it would do to this match and these rights, or why that can't be, and who
else must agree. Then this module says whether that is so already. Its rules, whose times are constants of
`access/presence.py` (how long a phone that is off is waited for) and `question.py`:

1. Nobody else must agree: it is done, by the phones that `whose.py` names.
2. OTHERS (`TakeBack`, `PutRight`, `LiesAt`; `EnterPress`, `EnterCards`, `EnterWord`, `LayCards`, `PressBuzzer` for
   another's seat; `StartMatch`, `PlayBots`, `Again` while a match is played; `End`; `SwitchOff`; `LeaveOut`,
   `CountAgain`, `TakeUp`): the host and one other who plays. A player asks the host, the host asks the players. (The
   page itself, `web/http/access.py`, keeps `End`, `SwitchOff` and what is about earlier matches to the host.) One yes
   suffices, of whoever has a seat in the match when they answer, even if they sat down after it was asked
   (`may_agree`).
   The host alone does it if nobody else's phone is in the room (seen within the last hour, or between matches within
   the last minute), or if one hand lays everything; or if they have asked for the same, nobody has answered, and all
   the phones asked have been off for a minute, 15 seconds of it asked.
   About an earlier match only the host asks: its own people, if they play now; else whoever plays now (`earlier.py`).
   Nothing of it is deleted: one that is left out counts nowhere until it is counted again.
   To end a match the host need not even wait: once that question was declined or has lapsed, they ask again and it is
   done.
3. HOLDER (`FreeSeat`, `Rename` of another's seat): the phone that holds the seat is asked alone. Once it has
   been off for a minute, 15 seconds of it asked, the host asks again, and rule 2 holds, without that phone.
4. PLAYERS (`TakeOver`): a newcomer is let in by whoever plays, or by the host; at once if none of their phones is
   there. Once the host has said that no newcomer may ask in this match, none is asked about.
5. OTHER_BROWSER (`GoOnHere`): the same person's other browser says yes.
6. One question is open at a time. The host's goes before a player's, and a player's before a newcomer's; any other
   is refused, and must be asked again once the open one is answered, withdrawn, or has lapsed (90 seconds). A no of
   anybody asked closes it for all. Whoever asked in vain may ask again 15 seconds after asking, the next time 30, and
   so on up to 4 minutes; ten minutes later that is forgotten.
7. A yes is decided again, on the table as it is by then: with others' consent, but by the same plan. One that can't be
   stored is not done: the phone that said it hears so, and the question stays open, after a restart too, for it to be
   said again. Until it is certain that nothing was stored, nobody can decline it either (`live/acting.py`).
8. A question is asked no longer once its asker gets up or loses the place they asked from, or once another match is on
   the table; one about a name goes on in the next match (`Questions.current`). As long as one about a move is asked,
   and somebody is there who may answer, bots wait (`stands_still_until`).

So: who may take back Bo's card while Ana's question is open and Bo's phone is off? Bo, at once, if nothing rests on it
(rule 1). Else the host, by asking (2, 6: before Ana, unless she is the host); after a minute of Bo's silence, and of
everybody else's, by asking once more (2). And whoever lays the UNDO card at Bo's seat, without a phone.
"""

import math
from collections.abc import Collection, Mapping
from enum import Enum

from companion.access.another_browser import SILENT
from companion.access.seat_rights import HOST, Who, who
from companion.acts.act import Act
from companion.acts.outcome import AskOthers, Consent, Do, Needs, PlannedAct, Refuse, Waits, not_now, not_yours
from companion.acts.plan import planned
from companion.acts.question import NEWCOMER, Question
from companion.acts.sentence import Saying
from companion.acts.table import Actor, Situation


class Reply(Enum):
    """An answer to a question."""

    YES = "yes"
    NO = "no"
    NOBODY = "nobody"
    """No, and no newcomer may ask again in this match."""


def decide(act: Act, actor: Actor, situation: Situation) -> Do | AskOthers | Waits | Refuse:
    """Return the outcome of an act."""
    plan = planned(act, actor, situation)
    if isinstance(plan, Refuse):
        return plan
    if plan.needs is None:
        return Do(plan, plan.settles)
    match plan.needs.consent:
        case Consent.OTHERS:
            return _of_others(plan, plan.needs, actor, situation)
        case Consent.HOLDER:
            return _of_holder(plan, plan.needs, actor, situation)
        case Consent.PLAYERS:
            return _of_players(plan, plan.needs, actor, situation)
        case Consent.OTHER_BROWSER:
            asking = Saying("asked-other-browser", {"number": plan.needs.seat})
            question = situation.asked_of(plan.needs.seat or HOST)
            if question is not None and question.phone == actor.who.phone:
                return Waits(asking)
            return _asked(plan, plan.needs, actor, situation, asking, of=plan.needs.seat)


def decide_agreed(question: Question, situation: Situation) -> Do | Refuse:
    """Return the outcome of a question's act now that others have agreed."""
    asker = Actor(who(situation.rights, question.phone), question.address)
    plan = planned(question.act, asker, situation)
    return plan if isinstance(plan, Refuse) else Do(plan, earlier=situation.earlier)


def may_answer(question: Question, answer: Reply, actor: Actor, situation: Situation) -> bool:
    """Return whether a phone may give this answer: it is asked, or it withdraws its own question."""
    agrees = may_agree(question, actor.who, situation.seats)
    return agrees or (answer is not Reply.YES and actor.who.phone == question.phone)


def may_agree(question: Question, who: Who, playing: Collection[int]) -> bool:
    """Return whether this phone is asked; the asker's own never is. `playing`: the seats of the match."""
    if who.phone is None or who.phone == question.phone:
        return False
    if question.of is not None:
        return question.of in who.parts
    plays = not who.parts.isdisjoint(_asked_seats(question, playing))
    if question.by_newcomer:
        return who.host or plays
    return plays if question.by_host else who.host


def asked_by(question: Question, holders: Mapping[int, str], playing: Collection[int]) -> dict[int, str]:
    """Return the phones that the host asks, by seat; `playing`: the seats of the match."""
    if not question.by_host:
        return {}
    seats = sorted(_asked_seats(question, playing)) if question.of is None else [question.of]
    return {seat: holders[seat] for seat in seats if holders.get(seat, question.phone) != question.phone}


def _asked_seats(question: Question, playing: Collection[int]) -> Collection[int]:
    """Return the seats whose phones may agree; about an earlier match, those that it asks."""
    return playing if question.earlier is None else question.earlier.asked


def stands_still_until(situation: Situation) -> float:
    """Return when bots stop waiting for the answer to the open question, in seconds on the questions' clock; 0 if they
    do not wait: it is not about a move, or nobody is left who may answer.
    """
    question = situation.question
    if question is None or not question.stands_still:
        return 0.0
    phones = {*situation.rights.holders.values()}
    may_come = any(may_agree(question, who(situation.rights, phone), situation.seats) for phone in phones)
    return question.lapses if may_come else 0.0


def goes_before(asker: int, question: Question) -> bool:
    """Return whether an asker replaces an open question: the host goes before a seat, a seat before newcomers."""
    return (asker == HOST and not question.by_host) or (asker != NEWCOMER and question.by_newcomer)


def _of_others(
    plan: PlannedAct, needs: Needs, actor: Actor, situation: Situation, without: frozenset[int] = frozenset()
) -> Do | AskOthers | Refuse:
    """Rule 2; `without`: seats that have no say in it."""
    earlier = situation.earlier
    if earlier is not None and not actor.who.host:
        return not_yours("for-host")
    if not actor.who.host and not actor.who.parts & situation.seats:
        return not_yours("for-players")
    code = needs.sentence.code
    if not actor.who.host:
        return _asked(plan, needs, actor, situation, Saying("asked-the-host"))
    if code == "ask-end" and _host_asked_in_vain(code, situation):
        return Do(plan, settles=code)
    others_phones = _others(actor.who, situation, without if earlier is None else situation.seats - earlier.asked)
    asked_in_silence = _asked_in_silence(actor.who, needs, situation)
    if not others_phones or (asked_in_silence and not any(map(situation.seconds_to_wait_for, others_phones))):
        return Do(plan, code if asked_in_silence else None, earlier)
    return _asked(plan, needs, actor, situation, Saying("asked-a-player"))


def _of_holder(plan: PlannedAct, needs: Needs, actor: Actor, situation: Situation) -> Do | AskOthers | Refuse:
    """Rule 3."""
    seat = needs.seat
    holder = situation.rights.holders.get(seat or HOST)
    if seat is None or holder is None:
        return Do(plan)
    seconds = (
        situation.seconds_to_wait_for(holder) if situation.can_be_asked(holder) and not situation.one_hand else 0.0
    )
    if situation.questions.is_wanted("ask-other-browser", seat, situation.asked_at):  # its player is there already
        seconds = min(seconds, max(0.0, SILENT - situation.presence.unheard(holder)))
    question = situation.asked_of(seat)
    if seconds and question is not None and question.by_host:
        return not_now("ask-not-silent", number=seat, seconds=math.ceil(seconds))
    if seconds:
        asking = Saying("asked-its-phone", needs.sentence.facts)
        return _asked(plan, needs, actor, situation, asking, of=seat)
    theirs = (part for part, phone in situation.rights.holders.items() if phone == holder)
    return _of_others(plan, needs, actor, situation, frozenset({seat, *theirs}))


def _of_players(plan: PlannedAct, needs: Needs, actor: Actor, situation: Situation) -> Do | AskOthers | Refuse:
    """Rule 4. While no player is in the room, a seat to which its former player may come back is given to nobody."""
    seat = needs.seat
    assert seat is not None
    phones = (situation.rights.holders.get(part) for part in (HOST, *situation.seats))
    if not any(phone and phone != actor.who.phone and situation.presence.in_the_room(phone) for phone in phones):
        left = situation.rights.gone.get(seat)
        if left is not None and left.phone != actor.who.phone and situation.presence.in_the_room(left.phone):
            return not_now("may-come-back", name=left.name)
        return Do(plan)
    if situation.questions.is_closed_to_newcomers(situation.number):
        return not_yours("newcomers-ask-no-more", number=seat)
    return _asked(plan, needs, actor, situation, Saying("asked-who-plays", {"seat": seat}))


def _asked(
    plan: PlannedAct, needs: Needs, actor: Actor, situation: Situation, saying: Saying, of: int | None = None
) -> AskOthers | Refuse:
    """Rule 6."""
    newcomer = needs.consent in (Consent.PLAYERS, Consent.OTHER_BROWSER)
    if newcomer:
        asker = NEWCOMER
    elif actor.who.host:
        asker = HOST
    else:
        asker = min(actor.who.parts, default=NEWCOMER)
    question = situation.question
    if question is not None and not goes_before(asker, question):
        is_mine = actor.who.phone == question.phone
        same = is_mine and question.asks_the_same(needs.sentence, needs.quotes, situation.earlier)
        if not (same and question.of is not None and of is None):  # its phone is off, and the others are asked now
            waits_for_me = may_agree(question, actor.who, situation.seats) and not newcomer
            code_of_wait = "ask-waits-mine" if is_mine else "ask-waits-for-me" if waits_for_me else "ask-waits"
            return not_now("ask-waits-same" if same else code_of_wait)
    seconds = situation.questions.wait_of(actor.who.phone or "" if asker == NEWCOMER else asker, situation.asked_at)
    if seconds:
        return not_now("ask-later", seconds=math.ceil(seconds))
    seconds = situation.questions.wait_at(actor.address, situation.asked_at) if asker == NEWCOMER else 0.0
    if seconds:
        return not_now("ask-later-there", seconds=math.ceil(seconds))
    return AskOthers(plan, needs, asker, of, saying, situation.earlier)


def _asked_in_silence(who: Who, needs: Needs, situation: Situation) -> bool:
    """Return whether this phone has asked for exactly this, and nobody has answered."""
    code = needs.sentence.code
    question = situation.question
    if question is None or (question.phone, question.code) != (who.phone, code):
        question = situation.questions.unmet_for(code, situation.number, situation.asked_at)
    if question is None or question.phone != who.phone or question.vain != "silent":
        return False
    return question.asks_the_same(needs.sentence, needs.quotes, situation.earlier)


def _host_asked_in_vain(code: str, situation: Situation) -> bool:
    """Return whether the host lately asked for this in vain: it was declined, or lapsed."""
    question = situation.questions.unmet_for(code, situation.number, situation.asked_at)
    return question is not None and question.by_host


def _others(who: Who, situation: Situation, without: frozenset[int]) -> set[str]:
    """Return the phones of other players that can be asked."""
    if situation.one_hand:
        return set()
    holders = situation.rights.holders
    phones = {holders[seat] for seat in situation.seats - without if seat in holders}
    return {phone for phone in phones if phone != who.phone and situation.can_be_asked(phone)}
