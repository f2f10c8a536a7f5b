"""The trial finds what is not said, and what is said late; and what it hears is what a page in Chromium says."""

import re

import pytest
from playwright.sync_api import Browser

from tests.trust.by_ear.in_chromium import differences
from tests.trust.by_ear.matches import played
from tests.trust.by_ear.planted_ears import LeavingOut, SayingLate

STEPS = 400
FEW = 60
"""Steps in which a page in Chromium says two dozen sentences."""


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
    matches = (
        played(slug, number, by_ear=True, steps=STEPS, ears=LeavingOut(pattern=left_out)) for number in range(12)
    )
    assert any(match.misunderstood for match in matches)


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [("crazy-eights", r"^\w+ of \w+$"), ("stop-me-go", "Here comes"), ("speed-snap", "turns? the")],
)
def test_a_sentence_that_comes_late_is_found(slug: str, sentence: str) -> None:
    late = re.compile(sentence)
    matches = (played(slug, number, by_ear=True, steps=STEPS, ears=SayingLate(pattern=late)) for number in range(12))
    assert any(match.misunderstood for match in matches)


@pytest.mark.browser
def test_a_page_in_chromium_says_what_is_heard(browser: Browser) -> None:
    opened = differences(browser, "kartel", 0, steps=FEW)
    assert opened.sentences > opened.looks > 20
    assert opened.differences == []


@pytest.mark.browser
@pytest.mark.parametrize("ears", [LeavingOut, SayingLate])
def test_a_difference_between_a_page_in_chromium_and_what_is_heard_is_found(
    browser: Browser, ears: type[LeavingOut | SayingLate]
) -> None:
    opened = differences(browser, "kartel", 0, steps=FEW, ears=lambda: ears(pattern=re.compile("rolls a")))
    assert any("rolls a" in str(difference.page) for difference in opened.differences)
