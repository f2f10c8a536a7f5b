"""Plans about seats before a match: sit down, get up, be moved or sent away, sit out."""

import math

from companion import player_names
from companion.access import lobby, seat_rights
from companion.access.lobby import NeedsCode, SeatTaken
from companion.access.people import Guest
from companion.access.seat_rights import Rights
from companion.acts.naming import unfit
from companion.acts.outcome import PlannedAct, Refuse, not_now, not_yours
from companion.acts.seat_acts import GetUp, GoOnHere, MoveGuest, SendAway, SitDown, SitOut
from companion.acts.seating import (
    earlier_matches,
    go_on_here,
    may_correct,
    name_at,
    played_by,
    seat_in_another_browser,
    taken_by_another,
)
from companion.acts.sentence import Saying
from companion.acts.table import Actor, Situation


def sit(act: SitDown, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Sit down, or change one's name, look or seat; a seat held by another browser of this phone is moved here.

    A new name at one's own seat corrects what was played under the old one, unless it is another person's.
    """
    who = actor.who
    key = actor.key
    rights = situation.rights
    seconds = situation.presence.away(who.phone)
    if seconds:
        return not_yours("sent-away-lately", number=math.ceil(seconds / 60))
    refused = unfit(act.name)
    if refused is not None:
        return refused
    elsewhere = seat_in_another_browser(situation, act.name, actor)
    if elsewhere is not None:
        return go_on_here(GoOnHere(elsewhere), actor, situation)
    if key is None:
        return not_yours("not-this-phones", number=act.seat)
    former_name = name_at(situation, act.seat) if act.seat in who.parts else ""
    match = _renamed_in(act, former_name, situation)
    is_another = match is not None and (act.is_another or not may_correct(who, former_name, rights))
    rights_here = seat_rights.known_as(rights, who.phone, key)
    try:
        if match is not None and not is_another:
            rights_here = lobby.rename(
                rights_here, match, act.seat, act.name, earlier_matches(situation, act.seat, act.name)
            )
        elif match is not None and act.seat in situation.playing.seats:
            rights_here = lobby.succeed(rights_here, match, act.seat, act.name)
        guest = Guest(act.name, act.face)
        sat = lobby.sit(rights_here, key, act.seat, guest, situation.playing, by_code=situation.by_code)
    except (SeatTaken, NeedsCode) as taken:
        return taken_by_another(taken)
    named = "sat-down" if match is None else "plays-on" if is_another else "renamed-all"
    answer = Saying("look-kept" if act.name == former_name else named, {"name": act.name, "before": former_name})
    return PlannedAct(act, answer, rights=sat, seat=act.seat, settles=situation.moot("ask-rename", act.seat))


def get_up(act: GetUp, situation: Situation) -> PlannedAct:
    """Get up again before the match."""
    return PlannedAct(act, Saying("left-seat", {"number": act.seat}), rights=lobby.leave(situation.rights, {act.seat}))


def send_away(act: SendAway, situation: Situation) -> PlannedAct | Refuse:
    """Free the seat of somebody who waits for the match."""
    guest = _waiting(situation.rights, act.seat)
    if guest is None:
        return not_now("nobody-sits", number=act.seat)
    left = lobby.leave(situation.rights, {act.seat})
    return PlannedAct(act, Saying("left-seat", {"number": act.seat}), rights=left, sent_away=guest.phone)


def move_guest(act: MoveGuest, situation: Situation) -> PlannedAct | Refuse:
    """Move somebody who waits to another seat that is not in play."""
    guest = _waiting(situation.rights, act.seat)
    if guest is None:
        return not_now("nobody-sits", number=act.seat)
    if act.to in situation.playing.seats:
        return not_yours("seat-by-code", number=act.to)
    try:
        moved = lobby.move(situation.rights, act.seat, act.to)
    except SeatTaken as taken:
        return taken_by_another(taken)
    return PlannedAct(act, Saying("moved", {"name": guest.name, "number": act.to}), rights=moved)


def sit_out(act: SitOut, situation: Situation) -> PlannedAct | Refuse:
    """Sit out from the next match on, or play again; bots do neither."""
    guest = situation.rights.people.seated.get(act.seat)
    if guest is None or player_names.is_bots(guest.name):
        return not_now("nobody-sits", number=act.seat)
    answer = Saying("sits-out-now" if act.out else "plays-again", {"name": guest.name})
    return PlannedAct(act, answer, rights=lobby.sit_out(situation.rights, act.seat, act.out))


def _renamed_in(act: SitDown, former_name: str, situation: Situation) -> int | None:
    """Return the match that the person at this seat has played under another name; None: there is none."""
    if not former_name or act.name == former_name or player_names.is_bots(former_name):
        return None
    bound = act.seat in situation.playing.seats
    return situation.playing.match if bound else played_by(situation, act.seat)


def _waiting(rights: Rights, seat: int) -> Guest | None:
    """Return the guest who waits at this seat; None: nobody does."""
    guest = rights.people.seated.get(seat)
    return None if guest is None or guest.phone is None else guest
