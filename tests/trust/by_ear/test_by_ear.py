"""The trial finds what is not said."""

import re

import pytest

from tests.trust.by_ear.matches import played

STEPS = 400


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("kartel", "jail"),
        ("stop-me-go", "Here comes"),
        ("go", "^The row"),
        ("hearts", "lays the"),
        ("stop-it", r"^\w+ \d+$"),
        ("speed-snap", "turns? the"),
        ("speed-duel", r"^\w+: \w+ of \w+\.$"),
        ("crazy-eights", r"^\w+ of \w+$"),
    ],
)
def test_a_sentence_that_is_left_out_is_found(slug: str, sentence: str) -> None:
    left_out = re.compile(sentence)
    matches = (played(slug, number, by_ear=True, steps=STEPS, leaves_out=left_out) for number in range(12))
    assert any(match.misunderstood for match in matches)
