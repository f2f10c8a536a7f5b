"""The trial finds what is not said."""

import re

import pytest

from companion import games
from tests.trust.by_ear.matches import GAMES, played

STEPS = 400


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("kartel", "jail"),
        ("stop-me-go", "Here comes"),
        ("go", "^The row"),
        ("hearts", "lays the"),
        ("stop-it", r"^\w+ \d+$"),
    ],
)
def test_a_sentence_that_is_left_out_is_found(slug: str, sentence: str) -> None:
    left_out = re.compile(sentence)
    matches = (played(slug, number, by_ear=True, steps=STEPS, leaves_out=left_out) for number in range(12))
    assert any(match.misunderstood for match in matches)


def test_somebody_listens_in_every_game() -> None:
    assert GAMES.keys() == {slug for slug, game in games.known().items() if game.physics}
