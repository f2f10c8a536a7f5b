"""Nobody peeks at a simulated table: worlds that differ only in what a seat can't see give it the same sight."""

import random
from collections.abc import Iterator

from companion import games
from companion.kit.simulated_matches import Simulated, disguised
from tests.trust.findings import Finding, Tally

SEED = 22
MATCHES = 400
MOVES = 120


def findings() -> Iterator[Finding]:
    """Play by lot; after every move disguise the world for every seat, and look again."""
    for game in games.known().values():
        tally = Tally(SEED)
        chance = random.Random(f"{SEED} {game.slug}")
        for number in range(MATCHES):
            seats = tuple(sorted(chance.sample(range(1, 7), chance.randint(game.fewest_players, game.most_players))))
            played = Simulated(game, seats, number)
            for _ in range(MOVES):
                _look(played, chance, tally, number)
                moves = played.moves()
                if not moves:
                    break
                played.do(chance.choice(moves))
        yield from tally.findings(f"{game.title}, simulated: {{}}")


def _look(played: Simulated, chance: random.Random, tally: Tally, number: int) -> None:
    game = played.match.game
    world = played.world
    tally.note("what can be done is no misplay", holds=not played.match.misplays, example=f"match {number}")
    if not hasattr(world, "hands"):
        return  # everything lies open
    for seat in played.seats:
        same = played.sight(seat, disguised(game, world, seat, chance)) == played.sight(seat)
        tally.note("other hidden cards, the same sight", holds=same, example=f"match {number}, seat {seat}")
