"""Matches with a game's physics and the real judge, but without a table; played by bots or at random."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from companion.events import Elapsed, Player, Started
from companion.game import AnyGame
from companion.game.simulated_world import SETTING_UP, AnyPhysics, Move, Sight, Strength
from companion.judge import views
from companion.judge.match import Match
from companion.kit.random_matches import under_test

LONGEST = 4000
"""Moves within which every match must end."""
PLAYABLE = {slug: game for slug, game in under_test().items() if game.physics is not None}
"""The games under test with physics."""


class Simulated:
    """A match and its world."""

    def __init__(self, game: AnyGame, seats: tuple[int, ...], seed: int):
        assert game.physics is not None
        self.physics: AnyPhysics = game.physics
        self.seats = seats
        self.chance = random.Random(seed)
        people = tuple(Player(seat, f"P{seat}") for seat in seats)
        self.match = Match(Started(1, 100.0, game.slug, people, dict(game.physics.options)))
        self.world = game.physics.begin(seats, self.chance)
        self.now = 100.0
        self.do(SETTING_UP)

    def sight(self, seat: int, world: Any = None) -> Sight:
        """Return what a seat knows, of its own world or as if `world` were it."""
        world = self.world if world is None else world
        table = views.table(self.match, seat)
        return Sight(seat, self.physics.sees(world, seat), table, self.physics.can(world, table, seat))

    def moves(self) -> list[Move]:
        return [move for seat in self.seats for move in self.sight(seat).moves]

    def do(self, move: Move) -> None:
        self.world, events = self.physics.do(self.world, move, self.chance)
        for event in events:
            self.now = round(self.now + 0.7, 6)
            self.match.add(replace(event, seq=len(self.match.events) + 1, at=self.now))

    def wait(self) -> None:
        """Let the running delay end."""
        delay = self.match.delay
        assert delay is not None, f"nobody can or wants to do anything: {self.match.game.now(self.match.state)}"
        self.now = max(self.now, round(delay.due / 1_000_000 + 0.1, 6))
        self.match.add(Elapsed(len(self.match.events) + 1, self.now, delay.what))


def moments(game: AnyGame, seats: tuple[int, ...], seed: int, most: int = LONGEST) -> Iterator[Simulated]:
    """Play random moves until the match is over or `most` were made; yield it at the start and after each."""
    played = Simulated(game, seats, seed)
    yield played
    for _ in range(most):
        if played.match.over:
            return
        moves = played.moves()
        if moves:
            played.do(played.chance.choice(moves))
        else:
            played.wait()
        yield played


def by_anybody(game: AnyGame, seats: tuple[int, ...], seed: int, most: int = LONGEST) -> Simulated:
    """Play random moves until the match is over or `most` were made."""
    *_, played = moments(game, seats, seed, most)
    return played


def by_bots(game: AnyGame, strengths: Mapping[int, Strength], seed: int) -> Simulated:
    """Let bots play to the end; which one moves first is random each time."""
    played = Simulated(game, tuple(strengths), seed)
    for _, move in choices(played, strengths):
        played.do(move)
    return played


def choices(played: Simulated, strengths: Mapping[int, Strength]) -> Iterator[tuple[Sight, Move]]:
    """Yield the bots' choices to the end of the match, each with what its seat knows; the caller makes the move."""
    for _ in range(LONGEST):
        if played.match.over:
            return
        for seat in played.chance.sample(played.seats, len(played.seats)):
            sight = played.sight(seat)
            move = played.physics.choose(sight, strengths[seat], played.chance)
            if move is not None:
                yield sight, move
                break
        else:
            played.wait()
    raise AssertionError("it does not end")


def disguised(game: AnyGame, world: Any, seat: int, chance: random.Random) -> Any:
    """Return a world with other hidden cards: those of others' hands and face-down piles are exchanged."""
    hidden = {name: getattr(world, name) for name in ("pile", "pool", "box") if hasattr(world, name)}
    hands = {holder: hand for holder, hand in world.hands.items() if holder != seat}
    held = [card for hand in hands.values() for card in hand]
    alike = {game.deck[card].kind for card in (*held, *hidden.get("pile", ()))}
    pile = hidden.get("pile", ()) if len(alike) == 1 else ()
    cards = chance.sample([*held, *pile], len(held) + len(pile))
    dealt = {holder: tuple(cards.pop() for _ in hand) for holder, hand in hands.items()}
    shuffled = {name: tuple(chance.sample(cards, len(cards))) for name, cards in hidden.items()}
    if pile:
        shuffled["pile"] = tuple(cards)
    return replace(world, hands={**world.hands, **dealt}, **shuffled)
