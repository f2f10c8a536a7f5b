"""What is true of a match of ¡Go!: the hands, the row, whose turn it is, and what the best division leaves."""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from companion.events import Event
from companion.game.simulated_world import SETTING_UP, Move
from companion.games.go.cards import COLOURS, IDS
from companion.games.go.simulated_world import World, begin, can, do
from tests.trust.worlds.truth import Truth

TARGET = 4
PERFECT = "perfect"


@dataclass(frozen=True, slots=True)
class Go(Truth):
    world: World
    active: int
    points: Mapping[int, int]
    opened: bool = False
    """Whether row and discard pile were seen."""
    took: str | None = None
    ready: int | None = None
    must_call: bool = False
    row_taken: int = 0
    caller: int | None = None
    shown: frozenset[int] = frozenset()
    series: frozenset[str] | None = None
    rounds: tuple[dict[str, Any], ...] = ()
    perfect: int | None = None
    drawn: Mapping[int, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def begin(cls, seats: tuple[int, ...], chance: random.Random) -> "Go":
        return cls(begin(seats, chance), seats[0], dict.fromkeys(seats, 0))

    @property
    def over(self) -> bool:
        return self.perfect is not None or max(self.points.values()) >= TARGET

    @property
    def known(self) -> dict[str, Any]:
        return {
            "phase": "over" if self.over else "playing" if self.caller is None else "called",
            "turn": self._turn if self.caller is None and not self.over else None,
            "call": self._call if self.caller is not None and not self.over else None,
            "rounds": list(self.rounds),
        }

    @property
    def _turn(self) -> dict[str, Any]:
        row = self.world.row
        discard = self.world.discard
        return {
            "active": self.active,
            "took": self.took,
            "must_call": self.must_call,
            "may_call": self.ready,
            "row": row[-1] if self.opened else None,
            "row_left": 5 + len(self.world.seats) - self.row_taken,
            "discard": discard[-1] if self.opened and discard else None,
        }

    @property
    def _call(self) -> dict[str, Any]:
        assert self.caller is not None
        return {
            "caller": self.caller,
            "row": self.world.row[-1],
            "complete": [seat for seat in self.world.seats if seat in self.shown],
            "hand": sorted(self.world.hands[self.caller], key=IDS.index) if self.caller in self.shown else None,
            "division": None if self.series is None else {"penalty": self._penalty},
        }

    @property
    def scores(self) -> Mapping[int, int | None]:
        return self.points

    @property
    def winners(self) -> tuple[int, ...]:
        if self.perfect is not None:
            return (self.perfect,)
        return tuple(sorted(seat for seat in self.points if self.points[seat] >= TARGET))

    @property
    def waits_for(self) -> tuple[int, ...] | None:
        if self.over:
            return None
        if self.caller is None:
            return (self.active,)
        missing = tuple(seat for seat in self.world.seats if seat not in self.shown)
        if self.series is not None or self.caller in missing:
            return missing
        return (self.caller, *missing)

    @property
    def holds(self) -> Mapping[int, frozenset[str]]:
        return {seat: frozenset(hand) for seat, hand in self.world.hands.items()}

    @property
    def moves(self) -> tuple[Move, ...]:
        if not self.opened and not self.rounds:
            return (SETTING_UP,)
        if self.over:
            return ()
        table = self.known
        return tuple(move for seat in self.world.seats for move in can(self.world, table, seat))

    def after(self, move: Move, at: int, chance: random.Random) -> "tuple[Go, tuple[Event, ...]]":
        seat = move.seat
        world, events = do(self.world, move, chance)
        now = replace(self, world=world)
        match move.what:
            case "set-up" | "deal":
                return replace(now, opened=True), events
            case "take-pile" | "take-discard":
                last = move.what == "take-pile" and not world.pile
                return replace(now, took=move.what.partition("-")[2], ready=None, must_call=last), events
            case "take-row" if not world.row:
                return now._next(seat, {"void": True, "taker": seat}), events
            case "take-row":
                return replace(now, took="row", ready=None, row_taken=self.row_taken + 1), events
            case "discard":
                following = world.seats[(world.seats.index(seat) + 1) % len(world.seats)]
                called = seat if self.must_call else None
                return replace(now, active=following, took=None, ready=seat, must_call=False, caller=called), events
            case "call":
                return replace(now, caller=seat), events
            case "show":
                return replace(now, shown=self.shown | {seat})._scored(), events
            case "series" | "best":
                mine = best_series(self._in_play(seat)) if move.what == "best" else world.series
                return replace(now, series=frozenset(mine))._scored(), events
        return now, events

    def _in_play(self, seat: int) -> list[str]:
        """A hand without the cards of the row's colour, which go at once."""
        gone = _colour(self.world.row[-1])
        return [card for card in self.world.hands[seat] if _colour(card) != gone]

    @property
    def _penalty(self) -> int:
        assert self.caller is not None
        assert self.series is not None
        return sum(_value(card) for card in self._in_play(self.caller) if card not in self.series)

    def _scored(self) -> "Go":
        if self.series is None or self.caller is None:
            return self
        caller = self.caller
        if self._penalty == 0:
            return replace(self, perfect=caller, rounds=(*self.rounds, {"perfect": True, "caller": caller}))
        if len(self.shown) < len(self.world.seats):
            return self
        penalties = {
            seat: self._penalty if seat == caller else least(self._in_play(seat), self.series)
            for seat in self.world.seats
        }
        better = [seat for seat in penalties if seat != caller and penalties[seat] <= self._penalty] or [caller]
        round_ = {
            "caller": caller,
            "row": self.world.row[-1],
            "divisions": {str(seat): {"penalty": penalty} for seat, penalty in penalties.items()},
            "points": {str(seat): int(seat in better) for seat in penalties},
        }
        points = {seat: self.points[seat] + (seat in better) for seat in self.points}
        return replace(self, points=points)._next(caller, round_)

    def _next(self, first: int, entry: dict[str, Any]) -> "Go":
        return Go(self.world, first, self.points, rounds=(*self.rounds, entry))


def _colour(card: str) -> str:
    return card.rpartition("-")[0]


def _value(card: str) -> int:
    return int(card.rpartition("-")[2])


def _own_colours(cards: Iterable[str]) -> Iterable[tuple[str, ...]]:
    """None, one or two, in the order of the box."""
    there = [colour for colour in COLOURS if colour in {_colour(card) for card in cards}]
    return ((), *((colour,) for colour in there), *combinations(there, 2))


def best_series(cards: list[str]) -> list[str]:
    """Try all colours: the least that is left, then fewer colours, then those that come first."""

    def series(own: tuple[str, ...]) -> dict[int, str]:
        return {_value(card): card for colour in reversed(own) for card in cards if _colour(card) == colour}

    return [*max((series(own) for own in _own_colours(cards)), key=sum).values()]


def least(cards: list[str], series: frozenset[str]) -> int:
    """Try all own colours; each value goes once into the own series and once to the caller's, where it has room."""
    joining = {_colour(card) for card in series}
    there = {_value(card) for card in series}
    of_value: dict[int, list[str]] = defaultdict(list)
    for card in cards:
        of_value[_value(card)].append(_colour(card))

    def freed(value: int, own: tuple[str, ...]) -> int:
        mine = {colour for colour in of_value[value] if colour in own}
        theirs = {colour for colour in of_value[value] if colour in joining and value not in there}
        return min(len(mine | theirs), bool(mine) + bool(theirs))

    return min(
        sum(value * (len(of_value[value]) - freed(value, own)) for value in of_value) for own in _own_colours(cards)
    )
