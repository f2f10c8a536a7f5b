"""A tiny language for records of stop it!: what happens, and what the judge makes of it."""

from collections.abc import Iterable, Mapping
from typing import Any, Self

from companion.events import Pressed, Said, Seat, Tapped
from companion.judge.match import judge
from tests.games import table
from tests.games.table import place

COLOURS = ("red", "yellow", "green", "violet", "orange", "brown", "blue")
STOPS = tuple(f"{colour}-stop-{n}" for colour in COLOURS for n in (1, 2))
SIX = list(COLOURS[:6])
PROBE = "brown-stop-2"
"""Kept out of the tests: with it the table is asked whose stop card it would take."""


class Table(table.Table):
    """A table of stop it!."""

    game = "stop-it"

    def __init__(self, *seats: int, **options: Any):
        super().__init__(*seats, **options)
        self._stops = [stop for stop in STOPS if stop != PROBE]

    # What happens.

    def count(self, seat: int, value: Any) -> int:
        return self.say(seat, "count", value)

    def counts(self, counts: Mapping[int, int]) -> int:
        for seat, count in counts.items():
            self.count(seat, count)
        return self._seq - 1

    def fault(self, seat: Any, fault: Any = "unsorted", by: Seat | str = "host") -> int:
        return self.say(by, "fault", {"seat": seat, "fault": fault})

    def elapse(self, what: str = "last-calls") -> int:
        return super().elapse(what)

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
    def callers(self) -> list[int]:
        """Those whose stop card would be taken now."""
        return [seat for seat in self.seats if self.allows(Tapped(self._seq, self.now, place(seat), PROBE))]

    @property
    def uncounted(self) -> list[int]:
        """Those whose count would be taken now."""
        return [seat for seat in self.seats if self.allows(Said(self._seq, self.now, seat, "count", 0))]

    @property
    def collecting(self) -> bool:
        """Whether a press, some time from now, is a shout."""
        if self.callers:
            return False
        shouter = self.seats[-1]
        shout = Pressed(self._seq, self.now + 2, shouter)
        return self.allows(shout, Tapped(self._seq + 1, self.now + 4, place(shouter), PROBE))

    @property
    def stuck(self) -> bool:
        """Whether no stop card is taken, no count, no shout, and nobody's press restarts."""
        if self.callers or self.uncounted or self.collecting:
            return False
        return not any(self.after_press(seat).collecting for seat in self.seats)

    def after_press(self, seat: int) -> Self:
        """The same table, had this seat pressed two seconds from now."""
        other = type(self)(*self.seats)
        other.match = judge([*self.match.events, Pressed(self._seq, self.now + 2, seat)])
        other.now = self.now + 2
        return other


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
