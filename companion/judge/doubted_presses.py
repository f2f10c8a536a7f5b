"""Doubted presses: the live table retracts a press that can't be meant, tells everybody, and waits for it again.

The judge takes every press at its word, since a record is judged as it stands: one without a card before it counts
none. At a table, somebody has probably pressed too early, or while nobody could see the effect. So the live table
records such a press together with a retraction that says why; the next press of that seat counts.

Whether a press is doubted follows from what everybody in the room sees: cards laid on a pad, red lamps, presses.
"""

from collections.abc import Iterator
from enum import Enum

import msgspec

from companion.events import Event, Pressed, Retracted, Said, Tapped, place_of
from companion.game import Ruling, Verdict
from companion.judge.cards_counted import CardsCounted
from companion.judge.match import Match
from companion.judge.views import now

SAME_PRESS = 1.0
"""A second press of a seat within this many seconds repeats the doubted one: people hit a button twice."""


class Doubt(Enum):
    """Why a press is asked for again; the value is the `by` of its retraction."""

    NOTHING_LAID = "nothing-laid"
    """The press says that its player has laid all cards, but none is laid."""
    TABLE_OFF = "table-off"
    """The table was off when the button was hit, so nobody saw the effect."""

    @property
    def code(self) -> str:
        """The code of its sentence in the game's words."""
        return f"asked-{self.value}"


_DOUBTS = {doubt.value: doubt for doubt in Doubt}


def doubt(match: Match, press: Pressed, on_since: float, *, says: bool) -> Doubt | None:
    """Return why this press must be made again; None if it counts.

    `on_since` is when the table was switched on (seconds); `says`: whether the press means a word.
    """
    if press.at < on_since:
        return Doubt.TABLE_OFF if says or _decides(match, press) else None
    if not match.tried("finishes", lambda: match.game.moves.finishes(match.state, press), otherwise=False):
        return None
    asked_at = [doubted.at for doubted in _doubted(match, press.seat)]
    if asked_at and press.at >= min(asked_at) + SAME_PRESS:
        return None
    return None if press.seat in CardsCounted(match).by_seat() else Doubt.NOTHING_LAID


def doubt_of(event: Event) -> Doubt | None:
    """Return why this event takes a press back; None if it does not."""
    return _DOUBTS.get(event.by) if isinstance(event, Retracted) and isinstance(event.by, str) else None


def asked(match: Match) -> dict[int, Doubt]:
    """Return why each seat was last asked to press again, if it has neither pressed nor laid a card since."""
    events_of_unit = match.events[match.unit_began - 1 :]
    if not any(isinstance(event, Retracted) and doubt_of(event) for event in events_of_unit):
        return {}  # nearly always so; this is called at every event
    waited_for = now(match).seats
    doubts: dict[int, Doubt] = {}
    for event in events_of_unit:
        if not match.stands(event.seq):
            continue
        match event:
            case Retracted(target=target) if doubt := doubt_of(event):
                doubts[_press(match, target).seat] = doubt
            case Pressed(seat=int(seat)) | Said(seat=int(seat)):
                doubts.pop(seat, None)
            case Tapped(place=place, by=msgspec.UNSET):
                doubts = {seat: doubt for seat, doubt in doubts.items() if place_of(seat) != place}
    return {seat: doubt for seat, doubt in doubts.items() if not waited_for or seat in waited_for}


def _decides(match: Match, press: Pressed) -> bool:
    """Whether this press would decide something, other than who was first."""
    if press.seat not in match.names or match.over:
        return False
    if match.tried("races", lambda: match.game.moves.races(match.state), otherwise=False):
        return False
    nothing: tuple[Verdict, ...] = ()
    verdicts = match.tried("judge", lambda: match.game.moves.judge(match.state, press)[1], nothing)
    return any(isinstance(verdict, Ruling) for verdict in verdicts)


def _doubted(match: Match, seat: int) -> Iterator[Pressed]:
    """Yield the presses of this seat that were doubted in this unit."""
    for event in match.events[match.unit_began - 1 :]:
        if isinstance(event, Retracted) and doubt_of(event) and match.stands(event.seq):
            press = _press(match, event.target)
            if press.seat == seat:
                yield press


def _press(match: Match, seq: int) -> Pressed:
    press = match.events[seq - 1]
    assert isinstance(press, Pressed)
    return press
