"""Nobody sees another's sealed cards: whatever they are, and while his hand is not complete however many."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.judge import views
from companion.judge.match import Match, judge
from tests.games.go import secrets
from tests.games.matches import play


def seen(match: Match, who: int | None) -> str:
    return json.dumps(views.view(match, who))


@given(seed=st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_what_is_sealed_looks_the_same_to_whoever_may_not_know_it(seed: int) -> None:
    chance = random.Random(seed)
    options = chance.choice(secrets.OPTIONS)
    events = play(games.known()["go"], chance, options, undo=0.0, noise=0.05, enough=secrets.sealed)
    match = judge(events)
    if not secrets.sealed(match) or secrets.mended(events):
        return
    for who in (None, *match.seats):
        other = judge(secrets.disguised(events, random.Random(seed + 1), who))
        assert seen(other, who) == seen(match, who)


@pytest.mark.parametrize("options", secrets.OPTIONS, ids=str)
def test_the_disguise_does_change_what_is_sealed(options: dict[str, object]) -> None:
    changed = 0
    for seed in range(20):
        events = play(games.known()["go"], random.Random(seed), options, undo=0.0, noise=0.0, enough=secrets.sealed)
        match = judge(events)
        other = judge(secrets.disguised(events, random.Random(seed)))
        changed += any(seen(other, seat) != seen(match, seat) for seat in match.seats)
    assert changed > 10
