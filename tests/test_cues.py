"""Lamps tell what everybody may know, and nothing else."""

import random

import pytest

from companion import games, views
from companion.cues import cues
from companion.game import Game
from companion.match import judge
from companion.table.cues import Cue
from tests.games.matches import play


def test_the_seats_that_are_waited_for_are_lit() -> None:
    view = {"over": False, "table": {"now": {"code": "now-hands", "seats": [2, 5]}}}
    assert cues(view) == {2: Cue.WAITING, 5: Cue.WAITING}
    assert cues({**view, "over": True}) == {}
    assert cues({"over": False, "table": {"now": {"code": "now-ready"}}}) == {}
    assert cues(None) == {}


def test_a_seat_whose_reader_needs_a_hand_shows_an_error() -> None:
    view = {"over": False, "table": {"now": {"code": "now-hands", "seats": [2, 5]}}}
    assert cues(view, ("centre", "seat-2", "seat-3")) == {2: Cue.ERROR, 3: Cue.ERROR, 5: Cue.WAITING}
    assert cues(None, ("seat-6",)) == {6: Cue.ERROR}


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_every_match_has_cues_at_its_own_seats_only(game: Game) -> None:
    chance = random.Random(5)
    for _ in range(5):
        events = play(game, chance, {})
        for length in range(1, len(events), 7):
            match = judge(events[:length])
            assert set(cues(views.view(match, None))) <= set(match.seats)
