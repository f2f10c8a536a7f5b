"""What the things of Kartel tell of a match, against what the judge makes of it."""

import pytest

from companion.games.kartel import GAME
from companion.games.kartel.cards import BOSS, DECK, MONEY
from companion.kit.simulated_matches import by_anybody


@pytest.mark.parametrize("seed", range(12))
def test_the_judge_counts_what_lies_before_everybody(seed: int) -> None:
    played = by_anybody(GAME, (1, 2, 5), seed)
    jailed = {DECK[boss].colour for boss in played.world.prison}
    assert all(DECK[boss].kind == BOSS for boss in played.world.prison)

    def worth(token: str) -> int:
        card = DECK[token]
        if card.kind == MONEY:
            return 0 if card.colour in jailed else 3
        return (card.value or 0) * (1 if card.colour in jailed else -1)

    assert played.match.over
    assert played.match.outcome.scores == {seat: sum(map(worth, own)) for seat, own in played.world.won.items()}
