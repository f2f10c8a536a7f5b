"""A tiny language for records of stop it!: what happens, and what the judge makes of it.

Every act gives its seq. `after` is seconds since the latest event, `at` seconds on the table's clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from msgspec import UNSET

from companion.events import Elapsed, Event, Lifted, Place, Player, Pressed, Retracted, Said, Seat, Started, Tapped
from companion.judge import views
from companion.judge.match import Match, judge

NAMES = ("Ana", "Bo", "Cléo", "Dédé", "Eva", "Fé")
COLOURS = ("red", "yellow", "green", "violet", "orange", "brown", "blue")
STOPS = tuple(f"{colour}-stop-{n}" for colour in COLOURS for n in (1, 2))
SIX = list(COLOURS[:6])
PROBE = "brown-stop-2"
"""Kept out of the tests: with it the table is asked whose stop card it would take."""

Spot = int | str


class Table:
    """A table of stop it!; without seats, 1 to 3 play."""

    def __init__(self, *seats: int, **options: Any):
        self.seats = seats or (1, 2, 3)
        players = tuple(Player(seat, NAMES[seat - 1]) for seat in self.seats)
        self.match = Match(Started(1, 100.0, "stop-it", players, options))
        self.now = 100.0
        self._stops = [stop for stop in STOPS if stop != PROBE]

    # What happens.

    def press(self, seat: int, after: float = 2.0, at: float | None = None) -> int:
        return self._add(Pressed(self._seq, self._when(after, at), seat))

    def tap(self, spot: Spot, *cards: str, after: float = 2.0, at: float | None = None, **more: str) -> int:
        for card in cards:
            self._add(Tapped(self._seq, self._when(after, at), place(spot), card, **more))
        return self._seq - 1

    def lift(self, spot: Spot, card: str) -> int:
        return self._add(Lifted(self._seq, self._when(2.0), place(spot), card))

    def say(self, seat: Seat | str, what: str, value: Any = UNSET, after: float = 2.0) -> int:
        return self._add(Said(self._seq, self._when(after), cast(Seat, seat), what, value))

    def count(self, seat: int, value: Any) -> int:
        return self.say(seat, "count", value)

    def counts(self, counts: Mapping[int, int]) -> int:
        for seat, count in counts.items():
            self.count(seat, count)
        return self._seq - 1

    def fault(self, seat: Any, fault: Any = "unsorted", by: Seat | str = "host") -> int:
        return self.say(by, "fault", {"seat": seat, "fault": fault})

    def elapse(self, what: str = "last-calls") -> int:
        return self._add(Elapsed(self._seq, self._when(2.0), what))

    def retract(self, target: int) -> int:
        return self._add(Retracted(self._seq, self._when(2.0), target))

    # Whole stretches.

    def call(self, seat: int, card: str | None = None) -> int:
        self.press(seat)
        return self.tap(seat, card or self._stops.pop())

    def stop(self, seat: int, counts: Mapping[int, int], card: str | None = None) -> int:
        self.call(seat, card)
        return self.counts(counts)

    def hand_out(self, points: Mapping[int, int]) -> None:
        """Have these negative points handed out, stop by stop; seat 1 calls and restarts."""
        for given in range(max(points.values())):
            self.stop(self.seats[0], {seat: int(points.get(seat, 0) <= given) for seat in self.seats})
            self.press(self.seats[0])

    # What the judge makes of it.

    @property
    def points(self) -> dict[int, int | None]:
        return dict(self.match.outcome.scores)

    @property
    def misplays(self) -> list[int]:
        return [misplay.seq for misplay in self.match.misplays]

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def winners(self) -> list[int]:
        return list(self.match.outcome.winners)

    @property
    def callers(self) -> list[int]:
        """Those whose stop card would be taken now."""
        return [seat for seat in self.seats if self._fine(Tapped(self._seq, self.now, place(seat), PROBE))]

    @property
    def uncounted(self) -> list[int]:
        """Those whose count would be taken now."""
        return [seat for seat in self.seats if self._fine(Said(self._seq, self.now, seat, "count", 0))]

    @property
    def collecting(self) -> bool:
        """Whether a press, some time from now, is a shout."""
        if self.callers:
            return False
        shouter = self.seats[-1]
        shout = Pressed(self._seq, self.now + 2, shouter)
        return self._fine(shout, Tapped(self._seq + 1, self.now + 4, place(shouter), PROBE))

    @property
    def stuck(self) -> bool:
        """Whether no stop card is taken, no count, no shout, and nobody's press restarts."""
        if self.callers or self.uncounted or self.collecting:
            return False
        return not any(self.after_press(seat).collecting for seat in self.seats)

    def after_press(self, seat: int) -> Table:
        """The same table, had this seat pressed two seconds from now."""
        other = Table(*self.seats)
        other.match = judge([*self.match.events, Pressed(self._seq, self.now + 2, seat)])
        other.now = self.now + 2
        return other

    def sees(self, who: int | None) -> str:
        """What this seat (None: everybody) may know, byte by byte."""
        return json.dumps(views.view(self.match, who))

    # How.

    @property
    def _seq(self) -> int:
        return len(self.match.events) + 1

    def _when(self, after: float, at: float | None = None) -> float:
        return round(self.now + after if at is None else at, 6)

    def _add(self, event: Event) -> int:
        self.match.add(event)
        self.now = max(self.now, event.at)
        return event.seq

    def _fine(self, *events: Event) -> bool:
        return len(judge([*self.match.events, *events]).misplays) == len(self.match.misplays)


def place(spot: Spot) -> Place:
    return cast(Place, f"seat-{spot}" if isinstance(spot, int) else spot)


def cards(colour: str, numbers: Iterable[int]) -> list[str]:
    return [f"{colour}-{number}" for number in numbers]


def collecting(*seats: int, **options: Any) -> Table:
    """Seat 1 (or the first) has started."""
    table = Table(*seats, **options)
    table.press(table.seats[0])
    return table


def called(*seats: int, **options: Any) -> Table:
    """The first seat has shouted, and has shown nothing yet."""
    table = collecting(*seats, **options)
    table.press(table.seats[0])
    return table


def counting(card: str = "red-stop-1", *seats: int, **options: Any) -> Table:
    """The first seat has shouted and shown this stop card."""
    table = called(*seats, **options)
    table.tap(table.seats[0], card)
    return table


def last_calls(*seats: int, **options: Any) -> Table:
    """The piles are empty, held stops may be called."""
    table = collecting(*seats, **options)
    table.say("host", "piles-empty")
    return table
