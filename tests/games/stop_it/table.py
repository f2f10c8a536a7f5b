"""A tiny language for records of stop it!: what happens, and what the judge makes of it."""

from collections.abc import Iterable
from typing import Any

from companion.events import Seat
from companion.kit import table_for_tests

COLOURS = ("red", "yellow", "green", "violet", "orange", "brown", "blue")
STOPS = tuple(f"{colour}-stop-{n}" for colour in COLOURS for n in (1, 2))
SIX = list(COLOURS[:6])


class Table(table_for_tests.AtTable):
    """A table of stop it!. Points and counts are in the order of the seats."""

    game = "stop-it"

    def __init__(self, *seats: int, **options: Any):
        super().__init__(*seats, **options)
        self.stops = list(STOPS)
        """Those that nobody has called yet, as far as `call` chooses them."""

    # What happens.

    def count(self, seat: int, value: Any, after: float | None = None) -> int:
        return self.say(seat, "count", value, after)

    def counts(self, *counts: int | None) -> int:
        """The first seats count; None: not this one."""
        for seat, count in zip(self.seats, counts, strict=False):
            if count is not None:
                self.count(seat, count)
        return self._seq - 1

    def fault(self, seat: Any, fault: Any = "unsorted", by: Seat | str = "host") -> int:
        return self.say(by, "fault", {"seat": seat, "fault": fault})

    def elapse(self, what: str = "last-calls") -> int:
        return super().elapse(what)

    # Whole stretches.

    def call(self, seat: int, card: str | None = None) -> int:
        self.press(seat)
        return self.tap(seat, card or self.stops.pop())

    def stop(self, seat: int, *counts: int, card: str | None = None) -> int:
        self.call(seat, card)
        return self.counts(*counts)

    def hand_out(self, *points: int) -> None:
        """These negative points, stop by stop; the first seat calls and restarts."""
        for cards_given in range(max(points)):
            self.stop(self.seats[0], *(int(points_due <= cards_given) for points_due in points))
            self.press(self.seats[0])

    # What the judge makes of it.

    @property
    def scores(self) -> tuple[int | None, ...]:
        return tuple(self.points[seat] for seat in self.seats)

    @property
    def waits(self) -> str:
        """What the table waits for: "ready", "collecting", "shouted" …"""
        return str(self.view["now"]["code"]).removeprefix("now-")

    @property
    def callers(self) -> list[int]:
        """Those whose stop card would be taken now."""
        return list(self.view["now"]["seats"]) if self.waits in ("shouted", "dead-heat") else []

    @property
    def uncounted(self) -> list[int]:
        """Those whose count would be taken now."""
        return list(self.view["now"]["seats"]) if self.waits.startswith("counting") else []


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


def scored() -> Table:
    """Seat 1 called, seat 3 has a point, nobody has restarted."""
    table = counting()
    table.counts(2, 2, 1)
    return table


def false_called(**options: Any) -> Table:
    """Seat 1 shouted and had no stop card."""
    table = called(**options)
    table.say(1, "no-stop")
    return table


def last_calls(*seats: int, **options: Any) -> Table:
    """The piles are empty, held stops may be called."""
    table = collecting(*seats, **options)
    table.say("host", "piles-empty")
    return table


def match_ended() -> Table:
    """The piles were empty, and nobody called any more."""
    table = last_calls()
    table.elapse()
    return table
