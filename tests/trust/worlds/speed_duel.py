"""What is true of a match of Speed: which card fits where, who is stuck, and how many cards each has laid."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.events import Event
from companion.game.simulated_world import Move
from companion.games.speed_duel.simulated_world import World, begin, do
from tests.trust.worlds.truth import Truth

CARDS = 26
NEXT = {
    "1": ("13", "2"),
    **{str(rank): (str(rank - 1), str(rank + 1)) for rank in range(2, 13)},
    "13": ("12", "1"),
}
"""By rank, those beside it."""
BOUNCE = 300_000


@dataclass(frozen=True, slots=True)
class SpeedDuel(Truth):
    world: World
    red: int
    black: int
    piles: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Red's and black's side, the top last."""
    turning: tuple[int, ...] = ()
    """Who still has to turn up a card."""
    stuck: tuple[int, ...] = ()
    pressed_at: tuple[tuple[int, int], ...] = ()
    """Who, and when they last said that they are stuck."""

    @classmethod
    def begin(cls, seats: tuple[int, ...], chance: random.Random) -> "SpeedDuel":
        red, black = seats
        return cls(begin(seats, chance), red, black, turning=seats)

    @property
    def scores(self) -> Mapping[int, int | None]:
        return self._laid

    @property
    def _laid(self) -> Mapping[int, int]:
        lying = [card for pile in self.piles for card in pile]
        reds = sum(card.startswith(("diamonds", "hearts")) for card in lying)
        return {self.red: reds, self.black: len(lying) - reds}

    @property
    def over(self) -> bool:
        return CARDS in self._laid.values()

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat, number in self._laid.items() if number == CARDS)

    @property
    def _tops(self) -> list[str]:
        return [pile[-1] if pile else "" for pile in self.piles]

    @property
    def known(self) -> dict[str, Any]:
        known = {
            "tops": self._tops,
            "left": {str(seat): CARDS - number for seat, number in self._laid.items()},
            "red": self.red,
        }
        if self.over:
            return {**known, "phase": "over"}
        turned = [seat for seat in (self.red, self.black) if seat not in self.turning]
        return {
            **known,
            "phase": "turn" if self.turning else "race",
            "turned": turned if self.turning else [],
            "stuck": [*self.stuck],
        }

    @property
    def waits_for(self) -> tuple[int, ...] | None:
        return self.turning or tuple(seat for seat in (self.red, self.black) if seat not in self.stuck)

    @property
    def moves(self) -> tuple[Move, ...]:
        return () if self.over else (*self._moves_of(self.red), *self._moves_of(self.black))

    def _moves_of(self, seat: int) -> tuple[Move, ...]:
        hand = self.world.hands[seat]
        if seat in self.turning:
            cards = ("",) if self.world.stocks[seat] else hand
            return tuple(Move(seat, "turn", card) for card in cards)
        if self.turning:
            return ()
        plays = tuple(Move(seat, "play", card) for card in hand if self._where(card) is not None)
        return plays if seat in self.stuck else (*plays, Move(seat, "press"))

    def _where(self, card: str) -> int | None:
        """Where both take it, the lower of the two does."""
        neighbours = NEXT[_rank(card)]
        red_takes, black_takes = (_rank(top) in neighbours for top in self._tops)
        if red_takes and black_takes:
            red_top, black_top = (int(_rank(top)) for top in self._tops)
            return 0 if red_top <= black_top else 1
        if red_takes or black_takes:
            return 0 if red_takes else 1
        return None

    def after(self, move: Move, at: int, chance: random.Random) -> "tuple[SpeedDuel, tuple[Event, ...]]":
        world, events = do(self.world, move, chance)
        moved = replace(self, world=world)
        match move.what:
            case "press":
                return moved._pressed(move.seat, at), events
            case "turn":
                place = 0 if move.seat == self.red else 1
                turning = tuple(seat for seat in self.turning if seat != move.seat)
                return replace(moved._lying(world.laid[-1], place), turning=turning), events
        place = self._where(move.card)
        assert place is not None
        return replace(moved._lying(move.card, place), stuck=()), events

    def _lying(self, card: str, place: int) -> "SpeedDuel":
        red_pile, black_pile = self.piles
        piles = ((*red_pile, card), black_pile) if place == 0 else (red_pile, (*black_pile, card))
        return replace(self, piles=piles)

    def _pressed(self, seat: int, at: int) -> "SpeedDuel":
        times = dict(self.pressed_at)
        if seat in times and at < times[seat] + BOUNCE:
            return self
        pressed_at = tuple({**times, seat: at}.items())
        if self.stuck:
            return replace(self, stuck=(), turning=(self.red, self.black), pressed_at=pressed_at)
        return replace(self, stuck=(seat,), pressed_at=pressed_at)


def _rank(card: str) -> str:
    return card.partition("-")[2]
