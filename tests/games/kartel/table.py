"""A tiny language for records of Kartel: what happens, and what the judge makes of it.

Every act gives its seq. Seats are named in the order of `players`: the first named begins.
"""

from __future__ import annotations

import json
from typing import Any, cast

from msgspec import UNSET

from companion.events import Elapsed, Event, Lifted, Place, Player, Pressed, Retracted, Said, Seat, Started, Tapped
from companion.judge import views
from companion.judge.match import Match, judge

NAMES = ("Ana", "Bo", "Cléo", "Dédé", "Eva", "Fé")
COLOURS = ("red", "orange", "yellow", "green", "blue", "violet", "turquoise")
BOSSES = tuple(f"{colour}-boss" for colour in COLOURS)
MONEY = tuple(f"{colour}-money" for colour in COLOURS)
GANGSTERS = tuple(f"{colour}-{some}" for some in ("1", "2a", "2b", "3") for colour in COLOURS)
BOX = (*GANGSTERS, *MONEY, *BOSSES)
YOUNG = (*GANGSTERS, *BOSSES)
"""The box of the variant for the young: no money."""
PROBE = "turquoise-2b"
"""Kept out of the tests without a ring: with it the table is asked whose token it would be."""
EVERYBODY = (None, 1, 2, 3, 4, 5, 6)

Spot = int | str


class Table:
    """A table of Kartel; without seats, 1 to 3 play."""

    def __init__(self, *seats: int, **options: Any):
        self.seats = seats or (1, 2, 3)
        players = tuple(Player(seat, NAMES[seat - 1]) for seat in self.seats)
        self.match = Match(Started(1, 100.0, "kartel", players, options))
        self.now = 100.0

    # What happens.

    def tap(self, spot: Spot, *cards: str, at: float | None = None, **more: str) -> int:
        for card in cards:
            self._add(Tapped(self._seq, self._when(at), place(spot), card, **more))
        return self._seq - 1

    def play(self, *cards: str) -> int:
        """Have everybody in his turn tap a token on the shared reader."""
        return self.tap("centre", *cards)

    def lift(self, spot: Spot, card: str) -> int:
        return self._add(Lifted(self._seq, self._when(), place(spot), card))

    def press(self, seat: int) -> int:
        return self._add(Pressed(self._seq, self._when(), seat))

    def say(self, seat: Seat | str, what: str, value: Any = UNSET) -> int:
        return self._add(Said(self._seq, self._when(), cast(Seat, seat), what, value))

    def roll(self, seat: Seat | str, value: Any) -> int:
        return self.say(seat, "roll", value)

    def done(self, by: Seat | str = "host") -> int:
        return self.say(by, "ring-done")

    def move(self, seat: int, die: int, card: str, spot: Spot | None = None) -> int:
        """A whole turn at a ring."""
        self.roll(seat, die)
        return self.tap(spot or seat, card)

    def elapse(self, what: str) -> int:
        return self._add(Elapsed(self._seq, self._when(), what))

    def retract(self, target: int) -> int:
        return self._add(Retracted(self._seq, self._when(), target))

    # What the judge makes of it.

    @property
    def scores(self) -> dict[int, int | None]:
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
    def turn(self) -> list[int]:
        """At a table without a ring: whose token would be taken now."""
        return [seat for seat in self.seats if self._acts(Tapped(self._seq, self.now, place(seat), PROBE))]

    @property
    def rollers(self) -> list[int]:
        """At a ring: whose die is waited for."""
        return [seat for seat in self.seats if self._acts(Said(self._seq, self.now, cast(Seat, seat), "roll", 2))]

    @property
    def reach(self) -> set[str]:
        """The tokens that may be tapped now."""
        return {card for card in BOX if self._acts(Tapped(self._seq, self.now, "centre", card))}

    @property
    def jailed(self) -> set[str]:
        """The bosses that may no more be jailed, at a table without a ring."""
        return set(BOSSES) - self.reach

    def sees(self, who: int | None = None) -> str:
        """What this seat (None: everybody) may know, byte by byte."""
        return json.dumps(views.view(self.match, who))

    # How.

    @property
    def _seq(self) -> int:
        return len(self.match.events) + 1

    def _when(self, at: float | None = None) -> float:
        return round(self.now + 2.0 if at is None else at, 6)

    def _add(self, event: Event) -> int:
        self.match.add(event)
        self.now = max(self.now, event.at)
        return event.seq

    def _acts(self, event: Event) -> bool:
        """Whether this event would be neither a misplay nor without effect."""
        after = judge([*self.match.events, event])
        if len(after.misplays) > len(self.match.misplays):
            return False
        return json.dumps(views.view(after, None)) != self.sees()


def place(spot: Spot) -> Place:
    return cast(Place, f"seat-{spot}" if isinstance(spot, int) else spot)


def ring_of(*first: str, box: tuple[str, ...] = BOX) -> list[str]:
    """A ring that begins with these tokens; all others follow, bosses last."""
    return [*first, *(card for card in box if card not in first)]


def ring(*first: str, seats: tuple[int, ...] = (), **options: Any) -> Table:
    """A table whose ring is tapped, beginning with these tokens, and done."""
    table = Table(*seats, ring=True, **options)
    table.tap("centre", *ring_of(*first, box=BOX if options.get("money", True) else YOUNG))
    table.done()
    return table
