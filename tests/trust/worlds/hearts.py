"""What is true of a match of Hearts: who holds what, what they may play of it, and what they took."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.events import Event
from companion.game.simulated_world import Move
from companion.games.hearts.simulated_world import World, begin, can, do
from tests.trust.worlds.truth import Truth

LIMIT = 40
OPTIONS = {"limit": LIMIT}
RANKS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1)
LEFT = 1
RIGHT = -1
ACROSS = 2
KEPT = 0


@dataclass(frozen=True, slots=True)
class Hearts(Truth):
    world: World
    points: Mapping[int, int]
    leader: int | None = None
    gave: frozenset[int] = frozenset()
    """The seats that have passed their cards."""
    tricks: tuple[tuple[tuple[int, str], ...], ...] = ()
    """Those of this round, the one that lies there last."""
    rounds: tuple[Mapping[int, int], ...] = field(default=())

    @classmethod
    def begin(cls, seats: tuple[int, ...], chance: random.Random) -> "Hearts":
        return cls(begin(seats, chance), dict.fromkeys(seats, 0))

    @property
    def _seats(self) -> tuple[int, ...]:
        return tuple(self.points)

    @property
    def over(self) -> bool:
        return max(self.points.values()) >= LIMIT

    @property
    def _steps(self) -> int:
        ways = (LEFT, RIGHT, ACROSS, KEPT) if len(self._seats) == 4 else (LEFT, RIGHT, KEPT)
        return ways[len(self.rounds) % len(ways)]

    @property
    def _passing(self) -> bool:
        return self._steps != KEPT and len(self.gave) < len(self._seats)

    @property
    def _trick(self) -> tuple[tuple[int, str], ...]:
        whole = not self.tricks or len(self.tricks[-1]) == len(self._seats)
        return () if whole else self.tricks[-1]

    @property
    def _active(self) -> int | None:
        if self.over or self._passing or self.leader is None:
            return None
        return _further(self._seats, self.leader, len(self._trick))

    @property
    def _taken(self) -> dict[int, int]:
        taken = dict.fromkeys(self._seats, 0)
        for trick in self.tricks:
            if len(trick) == len(self._seats):
                taken[_taker(trick)] += sum(map(_cost, (card for _, card in trick)))
        return taken

    @property
    def _broken(self) -> bool:
        return any(_suit(card) == "hearts" for trick in self.tricks for _, card in trick)

    @property
    def known(self) -> dict[str, Any]:
        if self.over:
            return {"phase": "over", "active": None, "trick": [], "history": self._history}
        return {
            "phase": "pass" if self._passing else "play",
            "round": len(self.rounds) + 1,
            "steps": self._steps,
            "passed": sorted(self.gave),
            "active": self._active,
            "trick": [{"seat": seat, "card": card} for seat, card in self._trick],
            "taken": {str(seat): number for seat, number in self._taken.items()},
            "played": [card for trick in self.tricks for _, card in trick],
            "hearts_broken": self._broken,
            "history": self._history,
        }

    @property
    def _history(self) -> list[dict[str, int]]:
        return [{str(seat): points for seat, points in row.items()} for row in self.rounds]

    @property
    def scores(self) -> Mapping[int, int | None]:
        return self.points

    @property
    def winners(self) -> tuple[int, ...]:
        fewest = min(self.points.values())
        return tuple(seat for seat in self._seats if self.points[seat] == fewest) if self.over else ()

    @property
    def waits_for(self) -> tuple[int, ...] | None:
        if self._passing:
            return tuple(seat for seat in self._seats if seat not in self.gave)
        return None if self._active is None else (self._active,)

    @property
    def moves(self) -> tuple[Move, ...]:
        table = {
            **self.known,
            "players": len(self._seats),
            "dealer": self._seats[len(self.rounds) % len(self._seats)],
        }
        moves = tuple(move for seat in self._seats for move in can(self.world, table, seat))
        for seat in self._seats:
            laid = {move.card for move in moves if move.seat == seat and move.what == "lay"}
            assert laid == self._may_lay(seat), f"seat {seat}: {sorted(laid)} are offered, not {self._may_lay(seat)}"
        return moves

    def _may_lay(self, seat: int) -> set[str]:
        """The rules of play, as somebody says them who sees the hand."""
        hand = {*self.world.hands[seat]}
        if self.over or self._passing or not hand:
            return set()
        if self.leader is None:
            lowest = "clubs-3" if len(self._seats) == 5 else "clubs-2"
            return hand & {lowest}
        if seat != self._active:
            return set()
        if self._trick:
            led = _suit(self._trick[0][1])
            following = {card for card in hand if _suit(card) == led}
            harmless = {card for card in hand if not _cost(card)}
            return following or (harmless if len(self.tricks) == 1 and harmless else hand)
        others = {card for card in hand if _suit(card) != "hearts"}
        return hand if self._broken or not others else others

    def after(self, move: Move, at: int, chance: random.Random) -> "tuple[Hearts, tuple[Event, ...]]":
        world, events = do(self.world, move, chance)
        after = replace(self, world=world)
        if move.what == "give" and events:
            after = replace(after, gave=self.gave | {move.seat})
        if move.what == "lay":
            after = after._laid(move.seat, move.card)
        return after, events

    def _laid(self, seat: int, card: str) -> "Hearts":
        before = self.tricks[:-1] if self._trick else self.tricks
        trick = (*self._trick, (seat, card))
        whole = len(trick) == len(self._seats)
        leader = _taker(trick) if whole else self.leader or seat
        after = replace(self, tricks=(*before, trick), leader=leader)
        return after._counted() if whole and not any(self.world.hands.values()) else after

    def _counted(self) -> "Hearts":
        costs = self._taken
        if 26 in costs.values():
            costs = {seat: 26 - cost for seat, cost in costs.items()}
        points = {seat: self.points[seat] + costs[seat] for seat in self._seats}
        return Hearts(self.world, points, rounds=(*self.rounds, points))


def _further(seats: tuple[int, ...], seat: int, steps: int) -> int:
    return seats[(seats.index(seat) + steps) % len(seats)]


def _suit(card: str) -> str:
    return card.partition("-")[0]


def _cost(card: str) -> int:
    return 13 if card == "spades-12" else 1 if _suit(card) == "hearts" else 0


def _taker(trick: tuple[tuple[int, str], ...]) -> int:
    led = _suit(trick[0][1])
    return max((RANKS.index(int(card.partition("-")[2])), seat) for seat, card in trick if _suit(card) == led)[1]
