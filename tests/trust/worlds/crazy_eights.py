"""What is true of a match of Crazy Eights: who holds what, what fits, and what is left when a round is over."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.events import Event
from companion.game.simulated_hands import InHands
from companion.game.simulated_world import Move
from companion.games.crazy_eights.simulated_world import begin, can, do
from tests.trust.worlds.truth import Truth

LIMIT = 40
OPTIONS = {"limit": LIMIT}
DEALT = 5
SUITS = ("clubs", "diamonds", "hearts", "spades")


@dataclass(frozen=True, slots=True)
class CrazyEights(Truth):
    world: InHands
    points: Mapping[int, int]
    active: int
    suit: str | None = None
    """That is asked for."""
    namer: int | None = None
    named: bool = False
    drew: bool = False
    skipped: int = 0
    shown: tuple[int, ...] | None = None
    """The seats whose hands were counted; None: they are not being counted."""
    rounds: tuple[Mapping[int, int], ...] = field(default=())

    @classmethod
    def begin(cls, seats: tuple[int, ...], chance: random.Random) -> "CrazyEights":
        return cls(begin(seats, chance), dict.fromkeys(seats, 0), seats[0])

    @property
    def _seats(self) -> tuple[int, ...]:
        return tuple(self.points)

    @property
    def over(self) -> bool:
        return max(self.points.values()) >= LIMIT

    @property
    def _phase(self) -> str:
        if self.over:
            return "over"
        if self.shown is not None:
            return "count"
        return "play" if self.suit else "deal"

    @property
    def known(self) -> dict[str, Any]:
        history = [{str(seat): points for seat, points in row.items()} for row in self.rounds]
        if self.over:
            return {"phase": "over", "active": None, "history": history}
        known = {"phase": self._phase, "round": len(self.rounds) + 1, "active": self.active, "history": history}
        if self._phase == "deal":
            return {**known, "top": None, "suit": None}
        return {
            **known,
            "top": self.world.laid[-1],
            "suit": self.suit,
            "namer": self.namer,
            "has_named": self.named,
            "has_drawn": self.drew,
            "pile": len(self.world.pile),
            "held": {str(seat): len(hand) for seat, hand in self.world.hands.items()},
        }

    @property
    def scores(self) -> Mapping[int, int | None]:
        return self.points

    @property
    def winners(self) -> tuple[int, ...]:
        most = max(self.points.values())
        return tuple(seat for seat in self._seats if self.points[seat] == most) if self.over else ()

    @property
    def waits_for(self) -> tuple[int, ...] | None:
        return (self.namer,) if self.namer is not None and not self.named else (self.active,)

    @property
    def moves(self) -> tuple[Move, ...]:
        table = {**self.known, "dealt": DEALT, "drawing": "one"}
        moves = tuple(move for seat in self._seats for move in can(self.world, table, seat))
        laid = {move.card for move in moves if move.what == "play"}
        assert laid == self._may_lay(), f"{sorted(laid)} are offered, not {sorted(self._may_lay())}"
        return moves

    def _may_lay(self) -> set[str]:
        """The rule, as somebody says it who sees the hand."""
        if self._phase != "play" or (self.namer is not None and not self.named):
            return set()
        top_suit, _, top_rank = self.world.laid[-1].partition("-")
        hand = {*self.world.hands[self.active]}
        eights = {card for card in hand if card.endswith("-8")}
        if top_rank == "8":
            return eights | {card for card in hand if card.startswith(f"{self.suit}-")}
        return eights | {card for card in hand if card.startswith(f"{top_suit}-") or card.endswith(f"-{top_rank}")}

    def after(self, move: Move, at: int, chance: random.Random) -> "tuple[CrazyEights, tuple[Event, ...]]":
        world, events = do(self.world, move, chance)
        moved = replace(self, world=world)
        match move.what:
            case "deal":
                first = world.laid[-1].partition("-")[0]
                return replace(moved, suit=first, active=self._next(self.active), skipped=0), events
            case "suit":
                return replace(moved, suit=SUITS[move.number - 1], named=True), events
            case "draw":
                return replace(moved, drew=True, namer=None, skipped=0), events
            case "pass":
                return moved._passed_on(), events
            case "show":
                return moved._shown(), events
        return moved._laid(move.card), events

    def _passed_on(self) -> "CrazyEights":
        skipping = replace(
            self, active=self._next(self.active), drew=False, namer=None, skipped=0 if self.drew else self.skipped + 1
        )
        return skipping._counting() if skipping.skipped == len(self._seats) else skipping

    def _laid(self, card: str) -> "CrazyEights":
        suit, _, rank = card.partition("-")
        laid = replace(self, suit=suit, namer=self.active if rank == "8" else None, named=False, skipped=0)
        if not self.world.hands[self.active]:
            return laid._counting()
        return replace(laid, active=self._next(self.active), drew=False)

    def _counting(self) -> "CrazyEights":
        empty = tuple(seat for seat, hand in self.world.hands.items() if not hand)
        counting = replace(self, shown=empty, namer=None)
        return replace(counting, active=counting._next_to_show())

    def _next_to_show(self) -> int:
        seat = self._next(self.active)
        while seat in (self.shown or ()):
            seat = self._next(seat)
        return seat

    def _shown(self) -> "CrazyEights":
        shown = replace(self, shown=(*(self.shown or ()), self.active))
        if len(shown.shown or ()) < len(self._seats):
            return replace(shown, active=shown._next_to_show())
        worth = {seat: sum(map(_worth, hand)) for seat, hand in self.world.hands.items()}
        fewest = min(worth.values())
        gain = sum(worth.values()) - fewest * len(worth)
        points = {seat: self.points[seat] + (gain if worth[seat] == fewest else 0) for seat in self._seats}
        rounds = (*self.rounds, points)
        dealer = self._seats[len(rounds) % len(self._seats)]
        return CrazyEights(self.world, points, dealer, rounds=rounds)

    def _next(self, seat: int) -> int:
        return self._seats[(self._seats.index(seat) + 1) % len(self._seats)]


def _worth(card: str) -> int:
    rank = int(card.partition("-")[2])
    return 50 if rank == 8 else min(rank, 10)
