"""What the things of stop it! tell of a match, against what the judge makes of it."""

import pytest

from companion.games.stop_it import GAME
from companion.games.stop_it.cards import DECK, PLAIN
from companion.kit.simulated_matches import Simulated, by_bots, choices
from companion.simulated_world import STRENGTHS, Strength


@pytest.mark.parametrize("seed", range(6))
def test_the_judge_counts_the_negative_cards_that_were_handed_out(seed: int) -> None:
    played = by_bots(GAME, {1: "easy", 2: "strong", 6: "middle"}, seed)
    scores = played.match.outcome.scores
    for seat, cards in played.world.paid.items():
        assert len(cards) <= (scores[seat] or 0)
    assert (
        sum(points or 0 for points in scores.values()) == sum(map(len, played.world.paid.values())) + played.world.owed
    )


@pytest.mark.parametrize("strength", STRENGTHS)
def test_no_bot_shouts_for_a_colour_of_which_it_holds_nothing(strength: Strength) -> None:
    """It would be sure to pay: an easy bot shouts too early, never absurdly."""
    for seed in range(6):
        played = Simulated(GAME, (1, 3, 4), seed)
        for sight, move in choices(played, dict.fromkeys(played.seats, strength)):
            if move.what == "shout":
                tops = [pile["top"] for pile in sight.sees["piles"] if pile["top"]]
                held = [DECK[card].colour for card in sight.sees["hand"] if DECK[card].kind == PLAIN]
                stops = [DECK[card] for card in (*tops, *sight.sees["hand"]) if DECK[card].kind != PLAIN]
                assert any(stop.colour in (None, colour) for stop in stops for colour in held)
            played.do(move)
