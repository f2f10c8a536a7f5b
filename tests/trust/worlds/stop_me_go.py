"""What is true of a match of STOP me GO."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.events import Event, Pressed
from companion.game.simulated_world import SETTING_UP, Move
from companion.games.stop_me_go.simulated_world import World, begin, can, do
from tests.trust.worlds.truth import Truth

SLOTS = 4
HAND = 5
ENOUGH = 3


@dataclass(frozen=True, slots=True)
class StopMeGo(Truth):
    world: World
    seated: bool = False
    """Whether everybody has shown their colour."""
    fled: int = 0
    """In this round."""
    arrived: int = 0
    """Gangsters turned up in this round."""

    @classmethod
    def begin(cls, seats: tuple[int, ...], chance: random.Random) -> "StopMeGo":
        return cls(begin(seats, chance))

    @property
    def over(self) -> bool:
        most = max(map(len, self.world.tokens.values()))
        return most == ENOUGH or not self.world.pool

    @property
    def _choosing(self) -> bool:
        """Whether somebody has still to lay a card on the newest gangster."""
        return bool(self.world.out) and len(self.world.out[-1].laid) < len(self.world.seats)

    @property
    def _phase(self) -> str:
        world = self.world
        if self.over:
            return "over"
        if self._choosing:
            return "intervention"
        if world.owned:
            return "round-end" if world.out else "reward"
        if len(world.out) == SLOTS:
            return "arrest"
        return "misdeed" if world.out else "ready"

    @property
    def _winner(self) -> int | None:
        """Who won the round: the highest gangster's owner, but the 1 beats somebody else's 10."""
        if self._phase != "reward":
            return None
        owners = {_value(gangster): seat for seat, gangster in self.world.owned.items()}
        return owners[1] if 10 in owners and 1 in owners else owners[max(owners)]

    @property
    def known(self) -> dict[str, Any]:
        world = self.world
        phase = self._phase
        newest: Mapping[int, str] = world.out[-1].laid if self._choosing else {}
        known: dict[str, Any] = {
            "phase": phase,
            "laid": [seat for seat in world.seats if seat in newest],
            "tokens": {str(seat): len(own) for seat, own in world.tokens.items()},
            "tokens_left": len(world.pool),
            "colours": {str(seat): colour if self.seated else None for seat, colour in world.colours.items()},
            "values": self._values,
            "allow_change": True,
        }
        if phase == "over":
            return known
        if phase not in ("ready", "reward", "round-end"):
            known |= {"hands": {str(seat): len(hand) for seat, hand in world.hands.items()}, "fled": self.fled}
        if world.pile and phase != "ready":
            known |= {"pile": sorted(world.pile, key=_value), "discard": list(world.discard)}
        if phase != "ready":
            known["slots"] = self._slots
            known["owned"] = {str(seat): world.owned.get(seat) for seat in world.seats}
        if self._winner is not None:
            known["won"] = {"seat": self._winner}
        return known

    @property
    def _slots(self) -> list[dict[str, Any] | None]:
        """Around the pile, clockwise: who lies where, and what was turned up there since a capture."""
        slots: list[dict[str, Any] | None] = [None] * SLOTS
        lying = (*self.world.turned, *self.world.out)
        for at, one in enumerate(lying, self.arrived - len(lying)):
            slots[at % SLOTS] = {
                "gangster": one.gangster,
                "laid": [seat for seat in self.world.seats if seat in one.laid],
            }
        for at, one in enumerate(self.world.turned, self.arrived - len(lying)):
            stops = [seat for seat in self.world.seats if one.laid[seat].endswith("stop")]
            captor = stops[0] if len(stops) == 1 else None
            slots[at % SLOTS] = {"gangster": one.gangster, "flip": {"stops": stops, "captor": captor}}
        return slots

    @property
    def _values(self) -> dict[str, list[int]] | None:
        if max(map(len, self.world.tokens.values())) == ENOUGH or self.world.pool:
            return None
        return {str(seat): [int(token.split("-")[1]) for token in own] for seat, own in self.world.tokens.items()}

    @property
    def scores(self) -> Mapping[int, int | None]:
        values = self._values
        return {seat: None if values is None else sum(values[str(seat)]) for seat in self.world.seats}

    @property
    def winners(self) -> tuple[int, ...]:
        if not self.over:
            return ()
        three = tuple(seat for seat, own in self.world.tokens.items() if len(own) == ENOUGH)
        if three:
            return three
        most = max(points or 0 for points in self.scores.values())
        return tuple(sorted(seat for seat, points in self.scores.items() if points == most))

    @property
    def waits_for(self) -> tuple[int, ...] | None:
        if self._choosing:
            return tuple(seat for seat in self.world.seats if seat not in self.world.out[-1].laid)
        return None if self._winner is None else (self._winner,)

    @property
    def moves(self) -> tuple[Move, ...]:
        if not self.seated:
            return (SETTING_UP,)
        table = self.known
        return tuple(move for seat in self.world.seats for move in can(self.world, table, seat))

    def after(self, move: Move, at: int, chance: random.Random) -> "tuple[StopMeGo, tuple[Event, ...]]":
        oldest = self.world.out[0].gangster if self.world.out else ""
        world, events = do(self.world, move, chance)
        if move.what == "turn-over" and chance.random() < 0.5:
            events = (Pressed(0, 0.0, move.seat),)
        flees = move.what == "turn-over" and not self.world.owned and oldest in world.discard
        taken = move.what == "take-token"
        fled = 0 if taken else self.fled + flees
        arrived = 0 if taken else self.arrived + (move.what == "turn-up")
        return replace(self, world=world, seated=True, fled=fled, arrived=arrived), events


def _value(gangster: str) -> int:
    return int(gangster.partition("-")[2])
