"""Bots are what they are called: each level beats the one below it, and not so often that it is no game."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from companion.game import AnyGame
from companion.game.simulated_world import STRENGTHS, Strength
from companion.judge import views
from companion.kit.simulated_matches import PLAYABLE, by_bots
from tests.trust.findings import Finding

MATCHES = 1000
QUICKLY = 2
LEAST, MOST = Fraction(60, 100), Fraction(80, 100)
"""The share of decided matches that the stronger of two levels wins."""
SHIPPED = "companion.games."
"""Games of tests may have bots of any kind."""


def trial(quick: bool) -> Iterator[Finding]:
    """Have both levels of each pair play the same deals from every side."""
    for game in PLAYABLE.values():
        if game.physics and game.physics.choose.__module__.startswith(SHIPPED):
            for weaker, stronger in pairwise(STRENGTHS):
                yield compared(game, stronger, weaker, QUICKLY if quick else MATCHES, bounded=not quick)


def compared(game: AnyGame, stronger: Strength, weaker: Strength, matches: int, *, bounded: bool) -> Finding:
    """Play matches of as many as the game needs; too few of them say only that both levels play to the end."""
    won = decided = 0
    for number in range(matches):
        seats = seated(game, stronger, weaker, number)
        winners = {seats[seat] for seat in views.view(by_bots(game, seats, number // 2).match, None)["winners"]}
        if len(winners) == 1:
            decided += 1
            won += stronger in winners
    share = Fraction(won, decided) if decided else LEAST
    besides = f"{won} of {decided} decided" if decided else "none was decided"
    broken = bounded and not LEAST <= share <= MOST
    what = f"{game.title}: {stronger} bots beat {weaker} ones in 60 to 80 %"
    return Finding(what, matches, int(broken), besides)


def seated(game: AnyGame, stronger: Strength, weaker: Strength, number: int) -> Mapping[int, Strength]:
    """Return who sits where: each deal is played twice, with the levels exchanged, so that no seat is better."""
    levels = (stronger, weaker) if number % 2 == 0 else (weaker, stronger)
    return {seat: levels[seat % 2] for seat in range(1, max(2, game.fewest_players) + 1)}
