"""Plans about seats: give one back, free another's, correct a name, take over from a bot, change browsers."""

from collections.abc import Mapping

from msgspec.structs import replace

from companion import player_names
from companion.access import another_browser, lobby, people, seat_rights
from companion.access.another_browser import Earlier, WayBack, earlier_phone
from companion.access.lobby import LookTaken, NameTaken, NeedsCode, SeatTaken
from companion.access.presence import ALL_ARE_TOLD
from companion.access.seat_rights import Rights, Who
from companion.acts.naming import unfit
from companion.acts.outcome import Consent, Needs, PlannedAct, Refuse, not_now, not_yours
from companion.acts.seat_acts import FreeSeat, GoOnHere, Rename, TakeOver
from companion.acts.sentence import NOTHING, Saying
from companion.acts.table import Actor, Situation
from companion.player_names import same

LAPSED = not_now("ask-lapsed")
"""The seat has changed hands since people were asked."""


def free(act: FreeSeat, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Give one's own seat back; or, as the host, free the seat of a phone that is lost.

    At a simulated table that waits for a phone which is off and has not been asked, the seat is freed at once; any
    player may still have the phone waited for. If it is the host's own phone, any player may free the seat.
    """
    seat = act.seat
    rights = situation.rights
    plays = seat in situation.playing.seats
    if seat in actor.who.parts:
        rights_left = seat_rights.go(rights, seat, _called(situation, seat), situation.told)
        left = _left_in_play(rights_left, seat, situation) if plays else lobby.leave(rights, {seat})
        return PlannedAct(act, Saying("you-left"), rights=left)
    holder = rights.holders.get(seat)
    if act.phone is not None and holder != act.phone:
        return LAPSED
    # An act that names the phone was agreed to by a question, which has waited for it already.
    off = act.phone is None and holder is not None and _holds_up(situation, seat, holder)
    if not actor.who.host and not (off and holder == situation.host and actor.who.parts & situation.playing.seats):
        return not_yours("not-your-seat")
    freed = Saying("freed", {"number": seat})
    if holder is None:
        return PlannedAct(act, freed)
    rights_left = seat_rights.go(rights, seat, _called(situation, seat), situation.told, freed=True, off=off)
    plan = PlannedAct(
        replace(act, phone=holder),
        NOTHING if plays and _is_simulated(situation, seat) else freed,
        rights=_left_in_play(rights_left, seat, situation) if plays else lobby.leave(rights_left, {seat}),
    )
    if off:
        return plan
    asks = Saying("ask-bot-plays-on" if plays and situation.simulated else "ask-free", {"number": seat, "seat": seat})
    return replace(plan, needs=Needs(Consent.HOLDER, asks, seat=seat))


def rename(act: Rename, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Correct a player's name, or name a successor at the seat; if the host does it, the seat's phone is asked."""
    seat = act.seat
    rights = situation.rights
    if not actor.who.host and seat not in actor.who.parts:
        return not_yours("not-your-seat")
    match = played_by(situation, seat)
    if seat not in rights.people.seated and match is None:
        return not_now("nobody-sits", number=seat)
    unfitting = unfit(act.name)
    if unfitting is not None:
        return unfitting
    former_name = name_at(situation, seat)
    corrects = may_correct(actor.who, former_name, rights)
    try:
        if corrects:
            renamed = lobby.rename(rights, match, seat, act.name, earlier_matches(situation, seat, act.name))
        else:
            renamed = lobby.succeed(rights, match if seat in situation.playing.seats else None, seat, act.name)
    except NameTaken as taken:
        return taken_by_another(taken)
    answer = Saying("renamed" if corrects else "plays-on", {"name": act.name, "before": former_name})
    worn = lobby.worn(renamed, situation.playing)
    plan = PlannedAct(act, answer, is_so=worn == rights, rights=worn, settles=situation.moot("ask-rename", seat))
    if seat in actor.who.parts or seat not in rights.holders:
        return plan
    asks = Saying("ask-rename", {"number": seat, "seat": seat, "name": act.name})
    return replace(plan, needs=Needs(Consent.HOLDER, asks, seat=seat))


def take_over(act: TakeOver, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Take a bot's place in the match under way, with a player's consent or by the seat's code.

    The code alone does not suffice for the host, who can read all codes, nor for somebody who has seen another hand.
    """
    seat = act.seat
    who = actor.who
    key = actor.key
    if who.parts & situation.playing.seats:
        return not_now("plays-already")  # they would see two hands
    if key is None or seat not in situation.bots or seat not in situation.playing.seats:
        return not_now("no-bot-there", number=seat)
    refused = unfit(act.name)
    if refused is not None:
        return refused
    left = situation.rights.gone.get(seat)
    if left is not None and same(left.name, act.name) and way_to(situation, seat, actor) is WayBack.BOT:
        return go_on_here(GoOnHere(seat), actor, situation)
    rights_here = seat_rights.known_as(situation.rights, who.phone, key)
    try:
        sat = lobby.take_over(rights_here, key, situation.playing, seat, act.name, act.face)
    except SeatTaken as taken:
        return at_a_bots(taken)
    plan = PlannedAct(act, Saying("sat-down", {"name": act.name}), rights=seat_rights.forgo(sat, key), seat=seat)
    if act.code and not who.parts and who.left <= {seat} and seat_rights.is_code_of(situation.rights, seat, act.code):
        return plan
    asks = Saying("ask-sit", {"seat": seat, "name": act.name})
    return replace(plan, needs=Needs(Consent.PLAYERS, asks, seat=seat))


def go_on_here(act: GoOnHere, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Move a seat to this browser: the other browser is asked, or a bot gives the seat back."""
    seat = act.seat
    key = actor.key
    rights = situation.rights
    holder = rights.holders.get(seat)
    if act.phone is not None and holder != act.phone:
        return LAPSED
    way = WayBack.ASK if act.phone is not None else way_to(situation, seat, actor)
    if key is None or way is WayBack.NONE:
        return not_yours("not-this-phones", number=seat)
    if way is WayBack.CODE:
        return not_now("other-browser-silent", number=seat)
    if way is WayBack.BOT:
        left = rights.gone[seat]
        rights_here = seat_rights.known_as(rights, left.phone, key)
        try:
            back = lobby.come_back(rights_here, key, lobby.Playing(situation.number, situation.seats), seat)
        except SeatTaken:  # somebody else has taken that name since
            return LAPSED
        return PlannedAct(act, Saying("sat-down", {"name": back.people.seated[seat].name}), rights=back, seat=seat)
    asks = Saying("ask-other-browser", {"number": seat, "name": _called(situation, seat)})
    return PlannedAct(
        replace(act, phone=holder),
        Saying("goes-on-there"),
        Needs(Consent.OTHER_BROWSER, asks, seat=seat),
        rights=seat_rights.known_as(rights, holder, key),
        seat=seat,
    )


def way_to(situation: Situation, seat: int, actor: Actor) -> WayBack:
    """Return how a phone can get a seat that another browser of the same phone holds, or held."""
    phone = earlier_phone(situation.rights, seat)
    earlier = None
    if phone is not None:
        earlier = Earlier(phone, situation.presence.is_at(phone, actor.address), situation.presence.unheard(phone))
    return another_browser.way_to(
        situation.rights, seat, actor.who, earlier, situation.bots if situation.people_play else ()
    )


def seat_in_another_browser(situation: Situation, name: str, actor: Actor) -> int | None:
    """Return the seat of this name that another browser of this phone holds, or held; None: there is none."""
    rights = situation.rights
    names = {seat: guest.name for seat, guest in rights.people.seated.items() if seat in rights.holders}
    names |= {seat: left.name for seat, left in rights.gone.items() if seat not in rights.holders}
    seats = (seat for seat, name_there in names.items() if same(name_there, name))
    return next((seat for seat in seats if way_to(situation, seat, actor) is not WayBack.NONE), None)


def played_by(situation: Situation, seat: int) -> int | None:
    """Return the match on the table, if the person at this seat plays or has played in it."""
    guest = situation.rights.people.seated.get(seat)
    if situation.play is None or situation.play.nobodys or seat not in situation.seats:
        return None
    still = guest is None or (guest.phone is None and same(guest.name, _called(situation, seat)))
    return situation.number if still else None


def name_at(situation: Situation, seat: int) -> str:
    """Return the name of the person who sits at this seat, or else of its player."""
    guest = situation.rights.people.seated.get(seat)
    return guest.name if guest is not None else _called(situation, seat)


def may_correct(who: Who, name: str, rights: Rights) -> bool:
    """Whether a phone may also correct earlier matches played under a name.

    The host's may, and the first phone that somebody of that name played with; another's owner may be a namesake.
    """
    person = people.find_person(rights.people, name)
    return who.host or person is None or person.phone == who.phone


def earlier_matches(situation: Situation, seat: int, name: str) -> Mapping[int, int]:
    """Return the evening's matches that the person at this seat played under their old name, each with the seat.

    Those of a bot, or of a player who has left this seat to somebody else, don't belong to the person named now.
    """
    former_name = name_at(situation, seat)
    if former_name == name or player_names.is_bots(former_name) or seat in situation.rights.gone:
        return {}
    played = ((match, player) for match, players in situation.particulars.evening for player in players)
    return {match: player.seat for match, player in played if same(player.name, former_name)}


def taken_by_another(conflict: SeatTaken | NeedsCode) -> Refuse:
    """Turn a seating error into a refusal."""
    match conflict:
        case NameTaken():
            return not_now("name-taken", name=conflict.name, number=conflict.seat)
        case LookTaken():
            return not_now(f"{conflict.what}-taken", name=conflict.name)
        case SeatTaken():
            return not_now("seat-taken-by" if conflict.name else "seat-held", name=conflict.name, number=conflict.seat)
        case NeedsCode():
            return not_yours("seat-by-code", number=conflict.seat)


def at_a_bots(conflict: SeatTaken) -> Refuse:
    """Turn an error of sitting down at a bot's seat into a refusal."""
    if isinstance(conflict, NameTaken | LookTaken):
        return taken_by_another(conflict)
    return not_now("no-bot-there", number=conflict.seat)


def _called(situation: Situation, seat: int) -> str:
    """Return the name of the player at a seat in the match on the table; without one, the seat's number."""
    called = situation.play.called if situation.play is not None else {}
    return called.get(seat) or str(seat)


def _is_simulated(situation: Situation, seat: int) -> bool:
    """Whether a person plays at this seat of a simulated table, for whom a bot could play on."""
    return situation.dealt is not None and seat in situation.dealt.persons


def _left_in_play(rights_left: Rights, seat: int, situation: Situation) -> Rights:
    """Return the rights after a seat in play is left. At a simulated table a bot plays on at once, and its name is
    stored in the same step.
    """
    if not _is_simulated(situation, seat):
        return rights_left
    return lobby.hand_over(rights_left, situation.playing, seat, situation.names)


def _holds_up(situation: Situation, seat: int, holder: str) -> bool:
    """Whether a simulated table is stuck at this seat because its phone is off, and nobody wants to wait for it."""
    if (
        not situation.simulated
        or situation.play is None
        or seat not in situation.playing.seats
        or situation.play.pause is not None
    ):
        return False
    if seat not in situation.play.awaited or situation.asked_of(seat) is not None:
        return False
    # A shorter wait than a question's suffices, because nothing is lost: pages have said for half a minute who holds
    # the match up, and any player may still have the phone waited for.
    return situation.presence.unheard(holder) > ALL_ARE_TOLD and not situation.presence.is_awaited(holder)
