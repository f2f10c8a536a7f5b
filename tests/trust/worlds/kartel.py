"""What is true of a match of Kartel."""

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from companion.events import Event
from companion.game.simulated_world import SETTING_UP, Move
from companion.games.kartel.simulated_world import World, begin, can, do
from tests.trust.worlds.truth import Truth

CELLS = 5
BRIBE = 3


@dataclass(frozen=True, slots=True)
class Kartel(Truth):
    world: World
    read: bool = False
    """Whether the ring lies, and was read."""
    turns: int = 0
    jailers: tuple[int, ...] = ()

    @classmethod
    def begin(cls, seats: tuple[int, ...], chance: random.Random) -> "Kartel":
        return cls(begin(seats, chance))

    @property
    def over(self) -> bool:
        return len(self.world.prison) == CELLS

    @property
    def _active(self) -> int | None:
        return self.world.seats[self.turns % len(self.world.seats)] if self.read and not self.over else None

    @property
    def _jailed(self) -> list[str]:
        return [_gang(boss) for boss in self.world.prison]

    @property
    def known(self) -> dict[str, Any]:
        jailed = self._jailed
        return {
            "phase": "over" if self.over else "play" if self.read else "ring",
            "active": self._active,
            "turn": None if self._active is None else self.turns + 1,
            "roll": self.world.rolled,
            "ring": list(self.world.ring) if self.read else [],
            "cells": [{"colour": colour, "seat": seat} for colour, seat in zip(jailed, self.jailers, strict=True)],
            "holdings": {
                str(seat): {
                    "points": _worth(own, jailed),
                    "tokens": len(own),
                    "open": [token for token in own if _gang(token) not in jailed],
                    "closed": [token for token in own if _gang(token) in jailed],
                }
                for seat, own in self.world.won.items()
            },
        }

    @property
    def scores(self) -> Mapping[int, int | None]:
        return {seat: _worth(own, self._jailed) for seat, own in self.world.won.items()}

    @property
    def winners(self) -> tuple[int, ...]:
        if not self.over:
            return ()
        rank = {seat: (_worth(own, self._jailed), -len(own)) for seat, own in self.world.won.items()}
        return tuple(seat for seat in sorted(rank) if rank[seat] == max(rank.values()))

    @property
    def waits_for(self) -> tuple[int, ...] | None:
        return None if self._active is None else (self._active,)

    @property
    def moves(self) -> tuple[Move, ...]:
        if not self.read:
            return (SETTING_UP,)
        table = self.known
        return tuple(move for seat in self.world.seats for move in can(self.world, table, seat))

    @property
    def behind_the_first(self) -> "Kartel":
        """The match if the commissioner is put behind the first token: before the first roll, any place is right."""
        ring = self.world.ring
        return replace(self, world=msgspec.structs.replace(self.world, ring=(*ring[1:], ring[0])))

    def after(self, move: Move, at: int, chance: random.Random) -> "tuple[Kartel, tuple[Event, ...]]":
        world, events = do(self.world, move, chance)
        jailed = len(world.prison) > len(self.world.prison)
        jailers = (*self.jailers, move.seat) if jailed else self.jailers
        return replace(self, world=world, read=True, turns=self.turns + (move.what == "take"), jailers=jailers), events


def _gang(token: str) -> str:
    return token.partition("-")[0]


def _worth(tokens: Iterable[str], jailed: Collection[str]) -> int:
    """Plus where the boss is in prison, minus where not; money the other way round."""
    worth = 0
    for token in tokens:
        gang, _, kind = token.partition("-")
        free = gang not in jailed
        worth += (BRIBE * free) if kind == "money" else int(kind[0]) * (-1 if free else 1)
    return worth
