"""A match is started by a form: names, and options of it and of each seat."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.games.stop_it.cards import COLOURS
from companion.live.table import Live
from tests.games.stop_it.table import Table
from tests.web.table import SCRIPT, Clock
from tests.web.test_routes import AFTER, PAGES, first_message


def test_names_are_only_text(live: Live, client: FlaskClient) -> None:
    nasty = "<script>x</script>"
    form = {"game": "stop-it", "seat-1": nasty, "seat-2": 'B"o\r\n &{seat}'}
    assert client.post("/start", data=form).status_code == 303
    for path in [*PAGES, *AFTER, "/results/2", "/stream/score", "/stream/seat-2"]:
        answer = client.get(path) if "stream" not in path else None
        text = answer.text if answer else first_message(client, path.removeprefix("/stream/")).decode()
        assert nasty not in text
    assert live.ask(lambda match: match.names) == {1: nasty, 2: 'B"o &{seat}'}


@pytest.mark.parametrize("other", ["ana", " ANA", "A\u200bna", "\uff21na"])
def test_two_players_whom_nobody_can_tell_apart_do_not_play(live: Live, client: FlaskClient, other: str) -> None:
    form = {"game": "stop-it", "seat-1": "Ana", "seat-4": other}
    answer = client.post("/start", data=form, headers=SCRIPT)
    assert answer.status_code == 400
    assert "apart" in answer.get_json()["message"]


@pytest.mark.parametrize("nothing", ["\u3164", "\u2800", "\u200b \u2060"])
def test_where_no_name_is_seen_nobody_sits(live: Live, client: FlaskClient, nothing: str) -> None:
    client.post("/start", data={"game": "stop-it", "seat-1": "Ana", "seat-3": nothing, "seat-4": "Bo"})
    assert live.ask(lambda match: match.names) == {1: "Ana", 4: "Bo"}


def test_options_differing_from_the_booklet_are_recorded(live: Live, client: FlaskClient) -> None:
    form = {"game": "stop-it", "seat-1": " Ana ", "seat-4": "Bo", "stop-it.": "", "stop-it.tie_window": "0,002"}
    six = ["red", "yellow", "green", "violet", "orange", "brown"]
    more = {"stop-it.false_call": "penalty", "stop-it.empty": "last-calls", "stop-it.colours": six}
    assert client.post("/start", data={**form, **more}).status_code == 303
    started = live.ask(lambda match: match.started)
    assert started.options == {"tie_window": 0.002, "false_call": "penalty", "cumulative": False, "colours": [*six]}
    client.post("/again")
    assert live.ask(lambda match: match.started.options["colours"])
    client.post("/start", data={"game": "stop-it", "seat-1": "Ana", "seat-4": "Bo"})
    assert live.ask(lambda match: match.started.options) == {}


def test_a_head_start_typed_for_a_seat_is_recorded_and_goes_with_its_player(live: Live, client: FlaskClient) -> None:
    people = {"game": "stop-it", "seat-1": "Mia", "seat-4": "Bo"}
    form = {**people, "stop-it.": "", "stop-it.cumulative": "on", "stop-it.colours": [*COLOURS]}
    assert client.post("/start", data={**form, "stop-it.head_starts.1": "0,12"}).status_code == 303
    assert live.ask(lambda match: match.started.options) == {"head_starts": {"1": 0.12}}
    assert re.search(r'name="stop-it.head_starts.1"\s+value="0.12"', client.get("/host/match").text)
    assert re.search(r'seat 1, Mia <input [^>]*name="stop-it\.head_starts\.1"', client.get("/host/match").text)
    for wrong in ("2", "soon", "-1"):
        assert client.post("/start", data={**form, "stop-it.head_starts.1": wrong}).status_code == 400
    client.post("/again")
    assert live.ask(lambda match: match.started.options) == {"head_starts": {"1": 0.12}}


def test_beside_head_starts_the_host_reads_what_would_have_made_the_last_match_even(
    live: Live, clock: Clock, client: FlaskClient
) -> None:
    assert "made your last match even" not in client.get("/host/match").text
    table = Table(1, 2, 3, negatives=3)
    for card in ("red-stop-1", "blue-stop-1", "green-stop-1"):
        table.press(2)
        began = table.now
        table.press(2, at=round(began + 3.0, 6))
        table.press(1, at=round(began + 3.12, 6))
        table.tap(2, card)
        table.counts(1, 2, 3)
    assert table.over
    live.begin("stop-it", table.match.started.players, table.match.started.options)
    clock.now = table.now
    live.act(lambda match, at: tuple(table.match.events[1:]))
    assert "What would have made your last match even: Ana 0.12 s." in unescape(client.get("/host/match").text)


def test_a_choice_for_each_seat_is_recorded(live: Live, client: FlaskClient) -> None:
    form = {"game": "stop-me-go", "seat-1": "Ana", "seat-4": "Bo", "stop-me-go.": "", "stop-me-go.allow_change": "on"}
    colours = {"stop-me-go.colours.1": "violet", "stop-me-go.colours.2": "", "stop-me-go.colours.4": "red"}
    assert client.post("/start", data={**form, **colours}).status_code == 303
    assert live.ask(lambda match: match.started.options) == {"colours": {"1": "violet", "4": "red"}}
    for wrong in ({"stop-me-go.colours.1": "red"}, {"stop-me-go.colours.1": "mauve"}):
        assert client.post("/start", data={**form, **colours, **wrong}).status_code == 400
    assert client.post("/start", data=form).status_code == 303
    assert live.ask(lambda match: match.started.options) == {}
