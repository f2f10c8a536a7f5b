"""Who wins a round: every way in which gangsters can be captured, against the booklet's sentence."""

import itertools

import pytest
from msgspec.structs import replace

from companion.events import Player, Started
from companion.game import Ruling
from companion.games.stop_me_go import reward
from companion.games.stop_me_go.rules import begin
from companion.games.stop_me_go.state import Options, Round

START = begin(Started(1, 0.0, "stop-me-go", tuple(Player(seat, "") for seat in (1, 2, 3, 4)), {}), Options())


def booklet(owned: dict[int, int]) -> int:
    """The highest value; the 1 is the strongest where another agent has the 10."""

    def strength(seat: int) -> int:
        against_ten = any(value == 10 for other, value in owned.items() if other != seat)
        return 11 if owned[seat] == 1 and against_ten else owned[seat]

    return max(owned, key=strength)


@pytest.mark.parametrize("captors", [1, 2, 3, 4])
def test_the_highest_gangster_wins_but_for_the_one_against_a_ten(captors: int) -> None:
    for values in itertools.permutations(range(1, 11), captors):
        owned = dict(enumerate(values, 1))
        round_now = Round(owned={seat: f"gangster-{value}" for seat, value in owned.items()})
        state, rulings = reward.won(replace(START, round=round_now), 9, Ruling("captured", 9))
        won = state.round.won
        assert won is not None
        assert won.seat == booklet(owned)
        assert won.gangster == round_now.owned[won.seat]
        assert won.over == next((seat for seat, value in owned.items() if value == 10 and owned[won.seat] == 1), None)
        assert rulings[-1].code == ("round-won" if won.over is None else "round-won-by-one")
