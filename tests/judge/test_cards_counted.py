"""How many cards have counted is the same whether it is kept along with the match or read of it as a whole."""

import random

import pytest

from companion.game import AnyGame
from companion.judge.cards_counted import CardsCounted
from companion.judge.match import Match
from companion.kit.random_matches import named, random_match
from companion.live.in_play import InPlay


@pytest.mark.parametrize("game", named(["stop-it", "go", "stop-me-go"]), ids=lambda game: game.slug)
@pytest.mark.parametrize("seed", range(4))
def test_the_number_along_the_way_is_that_of_the_match_as_it_stands(game: AnyGame, seed: int) -> None:
    events = random_match(game, seed, undo=0.05, noise=0.2, enough=lambda match: len(match.events) >= 120)
    played = InPlay(1, Match(events[0]), float, demo=False)
    chance = random.Random(seed)
    for event in events[1:]:
        played.judge([event])
        if chance.random() < 0.5:
            assert played.counted.by_seat() == CardsCounted(played.match).by_seat()
