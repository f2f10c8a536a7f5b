"""What is true of a match of stop it!: who has how many cards, who pressed when, what everybody owes."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from companion.events import Event, Pressed, Said, Tapped, place_of
from companion.game.simulated_world import Move
from companion.games.stop_it.simulated_world import World, begin, can, do
from tests.trust.worlds.truth import Truth

NEGATIVES = 15
LAST_CALLS = 10_000_000
WINDOW = 500
"""Microseconds."""


@dataclass(frozen=True, slots=True)
class StopIt(Truth):
    world: World
    points: Mapping[int, int]
    phase: str = "ready"
    shouts: tuple[tuple[int, int], ...] = ()
    """When and who, the earliest first; one each."""
    withdrawn: frozenset[int] = frozenset()
    caller: int | None = None
    counts: Mapping[int, int] = field(default_factory=dict)
    faults: frozenset[tuple[int, str]] = frozenset()
    since: int | None = None
    """When the last calls began, or the last one was over."""
    rounds: tuple[dict[str, Any], ...] = ()

    race: ClassVar[str] = "shout"

    @classmethod
    def begin(cls, seats: tuple[int, ...], chance: random.Random) -> "StopIt":
        return cls(begin(seats, chance), dict.fromkeys(seats, 0))

    @property
    def racers(self) -> tuple[int, ...]:
        return tuple(seat for _, seat in self.shouts)

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def _contenders(self) -> tuple[int, ...]:
        return tuple(
            seat for at, seat in self.shouts if at <= self.shouts[0][0] + WINDOW and seat not in self.withdrawn
        )

    @property
    def known(self) -> dict[str, Any]:
        counted = [seat for seat in self.world.seats if seat in self.counts]
        return {
            "phase": self.phase,
            "last_calls": self.since is not None,
            "caller": self.caller,
            "shouts": [{"seat": seat, "behind": at - self.shouts[0][0]} for at, seat in self.shouts],
            "counted": counted,
            "faults": sorted([seat, fault] for seat, fault in self.faults),
            "used": sorted(stop["card"] for stop in self.rounds),
            "rounds": list(self.rounds),
        }

    @property
    def scores(self) -> Mapping[int, int | None]:
        return self.points

    @property
    def winners(self) -> tuple[int, ...]:
        fewest = min(self.points.values())
        return tuple(sorted(seat for seat in self.points if self.points[seat] == fewest)) if self.over else ()

    @property
    def waits_for(self) -> tuple[int, ...] | None:
        match self.phase:
            case "shouted":
                return self._contenders
            case "counting":
                return tuple(seat for seat in self.world.seats if seat not in self.counts)
            case "scored":
                return (self.caller or 0,)
        return None

    @property
    def moves(self) -> tuple[Move, ...]:
        if self.over:
            return ()
        table = {**self.known, "now": {"seats": self.waits_for or ()}}
        found = [move for seat in self.world.seats for move in can(self.world, table, seat)]
        if self.phase in ("shouted", "counting") and len(self.faults) < 2:
            found += [
                Move(seat, "unsorted", number=other)
                for seat, other in zip(self.world.seats, (*self.world.seats[1:], self.world.seats[0]), strict=True)
                if (other, "unsorted") not in self.faults
            ]
        return tuple(found)

    def after(self, move: Move, at: int, chance: random.Random) -> "tuple[StopIt, tuple[Event, ...]]":
        seat = move.seat
        if move.what == "unsorted":
            told = Said(0, 0.0, seat, "fault", {"seat": move.number, "fault": "unsorted"})
            return replace(self, faults=self.faults | {(move.number, "unsorted")}), (told,)
        world, events = do(self.world, move, chance)
        now = replace(self, world=world)
        match move.what:
            case "start" | "restart":
                return now._collects(at), events
            case "pick" if not any(world.piles):
                return replace(now, since=at), events
            case "piles-empty":
                return replace(now, since=at), events
            case "shout" if all(seat != other for _, other in self.shouts):
                return replace(now, phase="shouted", shouts=tuple(sorted((*self.shouts, (at, seat))))), events
            case "no-stop":
                return now._has_none(seat, at), events
            case "show":
                return replace(now, phase="counting", caller=seat, counts={}), events
            case "count":
                return now._counts(seat, len(now._of_the_colour(seat)), at), events
        return now, events

    def _collects(self, at: int) -> "StopIt":
        since = None if self.since is None else at
        return StopIt(self.world, self.points, "collecting", since=since, rounds=self.rounds)

    def _has_none(self, seat: int, at: int) -> "StopIt":
        """In a dead heat the others may have a stop; when nobody has, the earliest shouted wrongly."""
        if len(self._contenders) > 1:
            return replace(self, withdrawn=self.withdrawn | {seat})
        return self._goes_on(replace(self, caller=self.shouts[0][1]), at)

    def _of_the_colour(self, seat: int) -> list[str]:
        """What counts in a hand: cards of the stop's colour, or of all colours; stops do not."""
        colour, _, _ = self.world.called[-1].partition("-stop")
        hand = [card for card in self.world.hands[seat] if "stop" not in card]
        return [card for card in hand if colour in ("special", card.partition("-")[0])]

    def _counts(self, seat: int, number: int, at: int) -> "StopIt":
        counts = {**self.counts, seat: number}
        if len(counts) < len(self.world.seats):
            return replace(self, counts=counts)
        fewest = min(counts.values())
        due = {one: int(counts[one] == fewest) + sum(other == one for other, _ in self.faults) for one in counts}
        stop = {
            "caller": self.caller,
            "card": self.world.called[-1],
            "counts": {str(one): count for one, count in counts.items()},
            "points": {str(one): due[one] for one in due},
        }
        points = {one: self.points[one] + due[one] for one in self.points}
        return self._goes_on(replace(self, counts=counts, points=points, rounds=(*self.rounds, stop)), at)

    @staticmethod
    def _goes_on(now: "StopIt", at: int) -> "StopIt":
        """The caller starts again; not after a last call, nor when the fifteenth negative card is handed out."""
        if sum(now.points.values()) >= NEGATIVES:
            return replace(now, phase="over")
        return replace(now, phase="scored") if now.since is None else now._collects(at)

    def passed(self, at: int) -> "StopIt":
        ended = self.phase == "collecting" and self.since is not None and at >= self.since + LAST_CALLS
        return replace(self, phase="over") if ended else self


def by_cards(truth: StopIt, move: Move) -> tuple[Event, ...]:
    """The same count, told card by card at the own seat."""
    taps = (Tapped(0, 0.0, place_of(move.seat), card) for card in truth._of_the_colour(move.seat))
    return (*taps, Pressed(0, 0.0, move.seat))
