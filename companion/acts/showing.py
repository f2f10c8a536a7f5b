"""Plans about what the big screen shows beside play: cheers, and the last act again with its evidence."""

from msgspec import UNSET
from msgspec.structs import replace

from companion.access.seat_rights import HOST
from companion.acts.beside_play import Evidence, LookedAgain
from companion.acts.match_acts import LookAgain
from companion.acts.outcome import PlannedAct, Refuse, not_now
from companion.acts.putting_right import MOVED_ON, NO_MATCH
from companion.acts.sentence import Saying
from companion.acts.table import Actor, Situation
from companion.acts.table_acts import AllowCheers, Cheer
from companion.acts.told import entry_of, named
from companion.events import Event, Pressed, Said, Tapped, place_of

SHOWN_AGAIN = Saying("looked-again")


def cheer(act: Cheer, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Cheer, but not while people must look at something else, nor so often that nobody else can."""
    if not situation.rights.cheers:
        return not_now("cheers-off")
    if situation.play is None or _eyes_are_needed(situation):
        return not_now("cheer-not-now")
    beside = situation.beside
    if not beside.has_room_for(actor.who.phone, actor.address):
        return not_now("cheer-later")
    seat = min(actor.who.parts & situation.seats, default=None)
    return PlannedAct(
        act, Saying("cheered"), beside=beside.cheered_by(actor.who.phone, actor.address, seat, situation.asked_at)
    )


def allow_cheers(act: AllowCheers, situation: Situation) -> PlannedAct:
    """Let people cheer, or no longer."""
    answer = Saying("cheers-now-on" if act.allowed else "cheers-now-off")
    return PlannedAct(act, answer, rights=replace(situation.rights, cheers=act.allowed))


def look_again(act: LookAgain, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Show the last act again to all, slowly, with how the table knows of it; it can still be corrected."""
    match = situation.match
    play = situation.play
    if match is None or play is None:
        return NO_MATCH
    if play.pause is not None or _eyes_are_needed(situation):
        return not_now("look-again-not-now")
    entry = entry_of(match, act.told)
    if entry is None or match.public[entry].seq != match.public[-1].seq:
        return MOVED_ON
    beside = situation.beside
    if beside.looked is not None and beside.looked.public == len(match.public):
        return PlannedAct(act, SHOWN_AGAIN)
    verdict = match.public[entry]
    looked = LookedAgain(
        situation.asked_at,
        play.number,
        min(actor.who.parts & situation.seats, default=HOST),
        named(match, entry),
        len(match.public),
        Evidence("virtual", "") if situation.simulated else _evidence(match.events[verdict.seq - 1]),
    )
    return PlannedAct(act, SHOWN_AGAIN, beside=replace(beside, looked=looked))


def _eyes_are_needed(situation: Situation) -> bool:
    """Return whether presses race, somebody is being asked, or something is announced."""
    races = situation.play is not None and situation.play.races
    return races or situation.question is not None or situation.particulars.announced is not None


def _evidence(event: Event) -> Evidence:
    """Return how the table knows of an event, as everybody at it could see."""
    match event:
        case Tapped(place=place, by=by):
            return Evidence("reader" if by is UNSET else "entered", place)
        case Pressed(seat=seat, by=by):
            return Evidence("button" if by is UNSET else "entered", place_of(seat))
        case Said(seat=int(seat)):
            return Evidence("said", place_of(seat))
        case Said():
            return Evidence("said", "")
    return Evidence("delay", "")
