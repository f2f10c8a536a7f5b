"""At a table whose people play without phones a match begins with options that need none."""

import html
from pathlib import Path

import pytest

from companion import games
from companion.devices.sensing import Appeared, Buzzed, Failed, Working
from companion.events import Player, Started
from companion.judge.record_file import check_started
from companion.live.table import Live
from tests.web.table import PEOPLE, Clock, app_of, living


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
    game = games.known()[slug]
    players = tuple(Player(seat, "") for seat in (1, 2, 3)[: game.most_players])
    check_started(Started(1, 0.0, slug, players, dict(game.without_phones)))


# What only a phone does is asked for by name on the big screen.


def big(live: Live) -> str:
    return html.unescape(app_of(live, virtual=False).test_client().get("/big").text)


def test_a_card_without_a_sticker_is_entered_on_a_phone(live: Live) -> None:
    live.tell(Appeared("seat-3", "04FFFFFFFFFFFF", 1.0))
    assert "Bo: that card is not known here. On a phone: enter it." in big(live)


@pytest.mark.parametrize("device", ["reader seat-3", "buzzers box"])
def test_what_a_broken_device_would_tell_is_entered_on_a_phone(live: Live, device: str) -> None:
    assert "On a phone: enter" not in big(live)
    live.tell(Failed(device, "no answer", 0.0))
    assert "On a phone: enter what is not read or heard." in big(live)


def test_another_game_is_chosen_on_a_phone(tmp_path: Path, clock: Clock) -> None:
    with living(tmp_path, clock) as live:
        live.begin("stop-it", PEOPLE, {"negatives": 1, "false_call": "penalty"})
        live.tell(Working("buzzers box", "", 0.0))
        for seat in (1, 3, 3):
            clock.now += 3
            live.tell(Buzzed(seat, clock.now, 0.0, ""))
        assert "Once more? Press a buzzer. Another game: on a phone." in big(live)
