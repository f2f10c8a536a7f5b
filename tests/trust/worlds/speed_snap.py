"""What is true of a match of Speed Snap: what lies on the pile, who pressed first, and who pressed for nothing."""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from companion.events import Event
from companion.game.simulated_world import Move
from companion.games.speed_snap.simulated_world import World, begin, can, do
from tests.trust.worlds.truth import Truth

DEALS = 2
OPTIONS = {"deals": DEALS}
CARDS = 52
SEEN_BEFORE_READ = 1_000_000
LAST_PAIR = 3_000_000
DEAD_HEAT = 500
"""Microseconds."""


@dataclass(frozen=True, slots=True)
class SpeedSnap(Truth):
    world: World
    points: Mapping[int, int]
    deal: int = 1
    turned: tuple[str, ...] = ()
    """In this deal."""
    pile: tuple[str, ...] = ()
    pressed: tuple[tuple[int, int], ...] = ()
    """When and who, since the last card, the earliest first."""
    turned_at: int = 0
    """When the last card was turned, in microseconds."""

    race: ClassVar[str] = "press"

    @classmethod
    def begin(cls, seats: tuple[int, ...], chance: random.Random) -> "SpeedSnap":
        return cls(begin(seats, chance), dict.fromkeys(seats, 0))

    @property
    def over(self) -> bool:
        return self.deal > DEALS

    @property
    def _phase(self) -> str:
        if self.over:
            return "over"
        if len(self.turned) == CARDS:
            return "last"
        return "turn" if self.turned else "deal"

    @property
    def _active(self) -> int | None:
        if self._phase in ("last", "over"):
            return None
        return [*self.points][(self.deal - 1 + len(self.turned)) % len(self.points)]

    @property
    def racers(self) -> tuple[int, ...]:
        return tuple(seat for _, seat in self.pressed)

    @property
    def _taker(self) -> int | None:
        if not _are_alike(self.pile):
            return None
        first = [seat for when, seat in self.pressed if when <= self.pressed[0][0] + DEAD_HEAT]
        return first[0] if len(first) == 1 else None

    @property
    def known(self) -> dict[str, Any]:
        known = {"phase": self._phase, "active": self._active, "top": [*self.pile[-2:]], "number": len(self.pile)}
        if self.over:
            return known
        return {
            **known,
            "deal": self.deal,
            "left": CARDS - len(self.turned),
            "taker": self._taker,
            "pressed": [*self.racers],
        }

    @property
    def scores(self) -> Mapping[int, int | None]:
        return self.points

    @property
    def winners(self) -> tuple[int, ...]:
        most = max(self.points.values())
        return tuple(seat for seat, number in self.points.items() if number == most) if self.over else ()

    @property
    def waits_for(self) -> tuple[int, ...] | None:
        return () if self._active is None else (self._active,)

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(move for seat in self.points for move in can(self.world, self.known, seat))

    def after(self, move: Move, at: int, chance: random.Random) -> "tuple[SpeedSnap, tuple[Event, ...]]":
        world, events = do(self.world, move, chance)
        moved = replace(self, world=world)
        return (moved._pressed(move.seat, at) if move.what == "press" else moved._turned(at)), events

    def _turned(self, at: int) -> "SpeedSnap":
        card = self.world.turned[-1]
        pile = (*(self.pile if self._taker is None else ()), card)
        turned = replace(self, turned=(*self.turned, card), pile=pile, pressed=(), turned_at=at)
        if _are_alike(self.pile):
            return turned
        early = tuple(press for press in self.pressed if _are_alike(pile) and press[0] > at - SEEN_BEFORE_READ)
        late = {seat for when, seat in self.pressed if (when, seat) not in early}
        return replace(turned, points=self._pay(late))._raced(early)

    def _pressed(self, seat: int, at: int) -> "SpeedSnap":
        if seat in self.racers:
            return self
        pressed = (*self.pressed, (at, seat))
        if _are_alike(self.pile):
            return self._raced(pressed)
        if self._phase == "last":
            return replace(self, pressed=pressed, points=self._pay({seat}))
        return replace(self, pressed=pressed)

    def _pay(self, seats: Collection[int]) -> Mapping[int, int]:
        return {seat: number - (seat in seats) for seat, number in self.points.items()}

    def _raced(self, pressed: tuple[tuple[int, int], ...]) -> "SpeedSnap":
        raced = replace(self, pressed=pressed)
        points = {**self.points}
        for taker, number in ((self._taker, -len(self.pile)), (raced._taker, len(self.pile))):
            if taker is not None:
                points[taker] += number
        return replace(raced, points=points)

    def passed(self, at: int) -> "SpeedSnap":
        if self._phase == "turn" and not _are_alike(self.pile):
            waiting = tuple((when, seat) for when, seat in self.pressed if when > at - SEEN_BEFORE_READ)
            points = self._pay([seat for when, seat in self.pressed if (when, seat) not in waiting])
            return replace(self, pressed=waiting, points=points)
        if self._phase != "last" or at < self.turned_at + LAST_PAIR:
            return self
        if self.deal == DEALS:
            return replace(self, deal=self.deal + 1)
        return SpeedSnap(self.world, self.points, self.deal + 1)


def _are_alike(pile: tuple[str, ...]) -> bool:
    ranks = [card.partition("-")[2] for card in pile[-2:]]
    return len(ranks) == 2 and ranks[0] == ranks[1]
