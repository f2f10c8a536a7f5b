"""At a table whose people play without phones a match begins with options that need none."""

import pytest

from companion import games
from companion.events import Player, Started
from companion.judge.record_file import check_started
from companion.live.table import Live
from tests.web.table import app_of


def options_of(live: Live, **form: str) -> dict[str, object]:
    """Start a match by a form, and return its options."""
    client = app_of(live, phones_in_play=form.pop("phones", "") == "yes").test_client()
    data = {"game": "go", "seat-1": "Ana", "seat-2": "Bo", "seat-3": "Cléo", **form}
    assert client.post("/start", data=data).status_code in (200, 303)
    options: dict[str, object] = live.ask(lambda match: match.started.options)
    return options


def test_whoever_chooses_no_options_gets_those_that_need_no_phone(live: Live) -> None:
    assert options_of(live) == {"caller_series": "auto"}


def test_whoever_chooses_others_gets_them(live: Live) -> None:
    assert options_of(live, **{"go.": "", "go.caller_series": "caller"}) == {}


def test_where_phones_are_at_hand_the_booklets_hold(live: Live) -> None:
    assert options_of(live, phones="yes") == {}


def test_the_form_shows_what_would_be_played(live: Live) -> None:
    page = app_of(live, phones_in_play=False).test_client().get("/host/match").text
    assert 'value="auto" selected' in page


@pytest.mark.parametrize("slug", games.known())
def test_they_are_options_of_the_game(slug: str) -> None:
    players = tuple(Player(seat, "") for seat in (1, 2, 3))
    check_started(Started(1, 0.0, slug, players, dict(games.known()[slug].without_phones)))
