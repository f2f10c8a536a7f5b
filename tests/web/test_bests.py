"""How the best of a match is told on its podium and on its page."""

import pytest

from companion.history.souvenir import Highlight
from companion.web.render.podium import best
from companion.web.render.words import PageWords


@pytest.mark.parametrize(
    ("other", "language", "where"),
    [("Bo", "en", ""), ("Bot Max", "en", "bots aside"), ("Bot Max", "fr", "hors bots")],
)
def test_a_best_from_which_bots_are_left_out_says_so(other: str, language: str, where: str) -> None:
    words = PageWords("stop-me-go", language, {1: "Ana", 3: other})
    assert best(Highlight("most-captured", (1,), 6, column=("captured", ())), words).where == where


@pytest.mark.parametrize(
    ("game", "language", "gap"),
    [
        ("kartel", "en", "last by 2 points in minute 5, then first"),
        ("kartel", "fr", "2 points de retard à la minute 5, et la victoire au bout"),
        ("stop-me-go", "en", "last by 2 tokens in minute 5, then first"),
        ("stop-it", "en", "last by 2 penalty cards in minute 5, then first"),
    ],
)
def test_a_comeback_says_how_far_behind_its_winner_was(game: str, language: str, gap: str) -> None:
    words = PageWords(game, language, {1: "Ana", 3: "Bo"})
    assert best(Highlight("comeback", (1,), 2, minute=4), words).where == gap
