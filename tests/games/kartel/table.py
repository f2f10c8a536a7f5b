"""A tiny language for records of Kartel: what happens, and what the judge makes of it.

Seats are named in the order of `players`: the first named begins.
"""

from typing import Any, cast

from companion.events import Said, Seat, Tapped
from companion.kit import table_for_tests
from companion.kit.table_for_tests import Spot, place

COLOURS = ("red", "orange", "yellow", "green", "blue", "violet", "turquoise")
BOSSES = tuple(f"{colour}-boss" for colour in COLOURS)
MONEY = tuple(f"{colour}-money" for colour in COLOURS)
GANGSTERS = tuple(f"{colour}-{some}" for some in ("1", "2a", "2b", "3") for colour in COLOURS)
BOX = (*GANGSTERS, *MONEY, *BOSSES)
YOUNG = (*GANGSTERS, *BOSSES)
"""The box of the variant for young players: no money."""
PROBE = "turquoise-2b"
"""Kept out of the tests without a ring: with it the table is asked whose token it would be."""


class Table(table_for_tests.AtTable):
    """A table of Kartel; the first named seat begins."""

    game = "kartel"

    # What happens.

    def _act(self, spot: Spot, act: str) -> None:
        word, _, value = act.partition(" ")
        match word:
            case "done":
                self.done(cast(Seat, spot))
            case "roll":
                self.roll(cast(Seat, spot), int(value))
            case _:
                self.tap(spot, act)

    def play(self, *cards: str) -> int:
        """Have everybody in turn tap a token on the shared reader."""
        return self.tap("centre", *cards)

    def roll(self, seat: Seat | str, value: Any) -> int:
        return self.say(seat, "roll", value)

    def done(self, by: Seat | str = "host") -> int:
        return self.say(by, "ring-done")

    def move(self, seat: int, die: int, card: str, spot: Spot | None = None) -> int:
        """A whole turn at a ring."""
        self.roll(seat, die)
        return self.tap(spot or seat, card)

    # What the judge makes of it.

    @property
    def turn(self) -> list[int]:
        """At a table without a ring: whose token would be taken now."""
        return [seat for seat in self.seats if self.advances(Tapped(self._seq, self.now, place(seat), PROBE))]

    @property
    def rollers(self) -> list[int]:
        """At a ring: whose die is waited for."""
        return [seat for seat in self.seats if self.advances(Said(self._seq, self.now, cast(Seat, seat), "roll", 2))]

    @property
    def reach(self) -> set[str]:
        """The tokens that may be tapped now."""
        return {card for card in BOX if self.advances(Tapped(self._seq, self.now, "centre", card))}

    @property
    def circle(self) -> tuple[list[str | None] | None, int, int]:
        """The circle as everybody sees it; the commissioner's place in it, and their laps."""
        view = self.match.game.view(self.match.state, None)
        return view["circle"], view["place"], view["laps"]

    @property
    def jailed(self) -> set[str]:
        """The bosses that may no more be jailed, at a table without a ring."""
        return set(BOSSES) - self.reach


def ring_of(*first: str, box: tuple[str, ...] = BOX) -> list[str]:
    """A ring that begins with these tokens; all others follow, bosses last."""
    return [*first, *(card for card in box if card not in first)]


def ring(*first: str, seats: tuple[int, ...] = (), **options: Any) -> Table:
    """A table whose ring is tapped, beginning with these tokens, and done."""
    table = Table(*seats, ring=True, **options)
    table.tap("centre", *ring_of(*first, box=BOX if options.get("money", True) else YOUNG))
    table.done()
    return table
