"""What the things of STOP me GO tell of a match, against what the judge makes of it."""

import random

import pytest

from companion.games.stop_me_go import GAME
from companion.games.stop_me_go.cards import COLOURS, DECK
from companion.games.stop_me_go.simulated_world import begin, suit
from companion.kit.simulated_matches import by_bots


@pytest.mark.parametrize("seed", range(8))
def test_the_judge_reveals_the_tokens_that_were_taken(seed: int) -> None:
    played = by_bots(GAME, {1: "easy", 2: "strong", 6: "middle"}, seed)
    won = {seat: sum(DECK[token].value or 0 for token in own) for seat, own in played.world.tokens.items()}
    three = tuple(seat for seat, own in played.world.tokens.items() if len(own) == 3)
    outcome = played.match.outcome
    assert outcome.winners == three if three else outcome.scores == won


def test_who_chose_a_colour_of_the_game_has_it_whoever_else_sits_there() -> None:
    world = suit(begin((1, 5), random.Random(1)), {1: "lightblue", 5: "red"})
    assert (world.colours[5], world.colours[1] in COLOURS) == ("red", True)
