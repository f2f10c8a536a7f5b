"""What the things of stop it! tell of a match, against what the judge makes of it."""

import pytest

from companion.games.stop_it import GAME
from companion.kit.simulated import by_bots


@pytest.mark.parametrize("seed", range(6))
def test_the_judge_counts_the_negative_cards_that_were_handed_out(seed: int) -> None:
    played = by_bots(GAME, {1: "easy", 2: "strong", 6: "middle"}, seed)
    scores = played.match.outcome.scores
    for seat, cards in played.world.paid.items():
        assert len(cards) <= (scores[seat] or 0)
    assert (
        sum(points or 0 for points in scores.values()) == sum(map(len, played.world.paid.values())) + played.world.owed
    )
