"""What the things of ¡Go! tell of a round, against what the judge makes of it."""

import pytest

from companion.games.go import GAME
from companion.games.go.cards import bits
from companion.games.go.state import Scored
from companion.kit.simulated import Simulated


@pytest.mark.parametrize("seed", range(4))
def test_the_judge_divides_the_hands_that_people_hold(seed: int) -> None:
    played = Simulated(GAME, (1, 3, 4), seed)
    while not played.match.state.history:
        calls = [move for move in played.moves() if move.what in ("call", "show")]
        played.do(played.chance.choice(calls or played.moves()))
    scored = played.match.state.history[0]
    assert isinstance(scored, Scored)
    for seat, own in scored.divisions.items():
        assert own.eliminated | own.series | own.additions | own.left == bits(played.world.hands[seat])
