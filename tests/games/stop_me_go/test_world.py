"""What the things of STOP me GO tell of a match, against what the judge makes of it."""

import random

import pytest

from companion.game.simulated_world import Move, Sight, Strength
from companion.games.stop_me_go import GAME
from companion.games.stop_me_go.bots import choose
from companion.games.stop_me_go.cards import COLOURS, DECK
from companion.games.stop_me_go.simulated_world import begin, suit
from companion.kit.simulated_matches import by_bots


@pytest.mark.parametrize("seed", range(8))
def test_the_judge_reveals_the_tokens_that_were_taken(seed: int) -> None:
    played = by_bots(GAME, {1: "easy", 2: "strong", 6: "middle"}, seed)
    won = {seat: sum(DECK[token].value or 0 for token in tokens) for seat, tokens in played.world.tokens.items()}
    three = tuple(seat for seat, tokens in played.world.tokens.items() if len(tokens) == 3)
    outcome = played.match.outcome
    assert outcome.winners == three if three else outcome.scores == won


@pytest.mark.parametrize("strength", ["middle", "strong"])
def test_a_bot_wants_the_1_as_a_high_one_where_the_10_is_about(strength: Strength) -> None:
    def stops(other: str) -> int:
        slots = [{"gangster": other, "newest": False}, {"gangster": "gangster-1", "newest": True}, None, None]
        sight = Sight(1, {}, {"slots": slots, "hands": {"1": 4, "3": 4, "5": 4}}, moves)
        chance = random.Random(1)
        return sum(choose(sight, strength, chance) is moves[1] for _ in range(100))

    moves = (Move(1, "lay", "red-go-1"), Move(1, "lay", "red-stop"))
    assert stops("gangster-9") < 30 < 60 < stops("gangster-10")


def test_who_chose_a_colour_of_the_game_has_it_whoever_else_sits_there() -> None:
    world = suit(begin((1, 5), random.Random(1)), {1: "lightblue", 5: "red"})
    assert (world.colours[5], world.colours[1] in COLOURS) == ("red", True)
