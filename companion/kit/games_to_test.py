"""Parameters of the laws: every game with a `secrets.py`, and the views of its matches."""

import json

import pytest
from hypothesis import strategies as st

from companion.judge import views
from companion.judge.match import Match
from companion.kit.random_matches import under_test

every_game = pytest.mark.parametrize("game", under_test().values(), ids=under_test().keys())
seeds = st.integers(0, 2**32)


def waits(match: Match) -> str:
    """Describe a match's situation, for the message of a failed law."""
    return f"while the match waits for {match.game.now(match.state).code!r}, after {match.events[-1]}"


def observers(match: Match) -> tuple[int | None, ...]:
    return (None, *match.seats)


def seen(match: Match) -> dict[int | None, str]:
    return {observer: json.dumps(views.view(match, observer)) for observer in observers(match)}
