"""Plans about which phone holds a seat: claim it by a code, hand it on, take it back from a bot."""

from companion.access import lobby, seat_rights
from companion.access.another_browser import WayBack
from companion.access.lobby import SeatTaken
from companion.access.seat_rights import HOST, Held, NoSuchCode
from companion.acts.outcome import PlannedAct, Refuse, not_now, not_yours
from companion.acts.seat_acts import ClaimSeat, ComeBack, GoOnHere, HandOn, KeepSeat, RenewCodes, WaitForPhone
from companion.acts.seating import LAPSED, at_a_bots, go_on_here, way_to
from companion.acts.sentence import Saying
from companion.acts.table import Actor, Situation


def claim(act: ClaimSeat, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Claim the seat or the host's part that a code opens. While a bot plays a seat, its code only brings back the
    phone that left it.
    """
    key = actor.key
    if key is None:
        return not_yours("wrong-code")
    code = seat_rights.read(act.code)
    rights = seat_rights.known_as(situation.rights, actor.who.phone, key)
    bots = situation.bots if situation.is_under_way else frozenset()
    left = [seat for seat in rights.holders if way_to(situation, seat, actor) is WayBack.CODE]
    try:
        claimed, seat = seat_rights.claim(rights, key, code, bots, left)
    except NoSuchCode:
        return not_yours("wrong-code")
    except Held as held:
        return _held(act, held.seat, actor, situation)
    if seat != HOST and seat not in situation.playing.seats:
        claimed = lobby.seat_owner(claimed, key, seat)
    answer = Saying("joined-host") if seat == HOST else Saying("joined-seat", {"number": seat})
    return PlannedAct(act, answer, rights=claimed, seat=seat, settles=situation.moot("ask-other-browser", seat))


def hand_on(act: HandOn, situation: Situation) -> PlannedAct:
    """Make a code that hands a seat, or the host's part, to another phone."""
    handed = seat_rights.hand_on(situation.rights, act.seat, situation.particulars.codes[0])
    return PlannedAct(act, Saying("handing-on"), rights=handed)


def keep(act: KeepSeat, situation: Situation) -> PlannedAct:
    """Cancel handing a seat, or the host's part, on."""
    return PlannedAct(act, Saying("kept"), rights=seat_rights.keep(situation.rights, act.seat))


def renew(act: RenewCodes, situation: Situation) -> PlannedAct:
    """Give every seat a new code."""
    renewed = seat_rights.renew(situation.rights, iter(situation.particulars.codes))
    return PlannedAct(act, Saying("codes-renewed"), rights=renewed)


def come_back(act: ComeBack, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Take over from the bot that plays for this phone's player, by the key that held the seat."""
    seat = act.seat
    key = actor.key
    if key is None or seat not in situation.bots or seat not in situation.playing.seats:
        return not_now("no-bot-there", number=seat)
    rights = seat_rights.known_as(situation.rights, actor.who.phone, key)
    try:
        back = lobby.come_back(rights, key, situation.playing, seat)
    except SeatTaken as taken:
        return at_a_bots(taken)
    return PlannedAct(act, Saying("sat-down", {"name": back.people.seated[seat].name}), rights=back, seat=seat)


def wait_for_phone(act: WaitForPhone, situation: Situation) -> PlannedAct | Refuse:
    """Wait after all for a phone that is off: it gets its seat back, and the host must ask before a bot gets it."""
    seat = act.seat
    leaver = situation.rights.gone.get(seat)
    if leaver is None or not leaver.off or seat not in situation.bots or seat not in situation.playing.seats:
        return LAPSED
    try:
        back = lobby.come_back(situation.rights, leaver.phone, situation.playing, seat)
    except SeatTaken as taken:
        return at_a_bots(taken)
    return PlannedAct(act, Saying("waited-for", {"seat": seat}), rights=back, waited_for=leaver.phone)


def _held(act: ClaimSeat, seat: int, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Return the plan for a right code of a seat that another phone holds, or a bot plays."""
    way = way_to(situation, seat, actor)
    if way is WayBack.BOT:
        return go_on_here(GoOnHere(seat), actor, situation)
    if situation.is_under_way and seat in situation.bots:
        return PlannedAct(act, Saying("bot-there", {"number": seat}))
    return not_now("other-browser-open" if way is WayBack.ASK else "seat-held", number=seat)
