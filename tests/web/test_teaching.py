"""Whoever plays a game for the first time is told a rule when it first matters, and no longer than they need it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.events import Pressed, Tapped
from companion.live.table import Live
from companion.storage.files import phones_of
from tests.web.table import Clock, app_with, client_of, count, living, post

LESSON = re.compile(r'<div class="lesson[^"]*" id="lesson-([\w-]+)"')


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with living(tmp_path, Clock(), simulated=True) as live:
        yield live


@pytest.fixture
def app(live: Live) -> Flask:
    return app_with(live, Phones(phones_of(live.kept_in)))


@pytest.fixture
def tablet(app: Flask) -> FlaskClient:
    """The one phone of a family, which plays stop it! for the first time."""
    phone = client_of(app, None)
    start_game(phone, "stop-it")
    for seat in (1, 3):
        assert post(phone, "/join", code=app.extensions["companion"].phones.rights.codes[seat])[0] == 200
    return phone


def start_game(phone: FlaskClient, game: str) -> None:
    assert post(phone, "/start", game=game, **{"seat-1": "Ana", "seat-3": "Bo"})[0] == 200


def lesson(phone: FlaskClient, path: str) -> str:
    """Return the code of the rule that a page tells; "": none."""
    lessons = LESSON.findall(phone.get(path).text)
    assert len(lessons) < 2
    return lessons[0] if lessons else ""


def play(live: Live, *acts: Pressed | Tapped) -> None:
    for act in acts:
        live.clock.now += 2  # type: ignore[attr-defined]
        live.enter(act)


def play_a_round(live: Live) -> None:
    play(live, Pressed(0, 0.0, 1), Pressed(0, 0.0, 1), Tapped(0, 0.0, "centre", "red-stop-1"))
    for seat in (1, 3):
        count(live, seat, seat)


def test_a_rule_is_told_when_it_first_matters(live: Live, tablet: FlaskClient) -> None:
    assert lesson(tablet, "/seat/1") == lesson(tablet, "/big") == "ready"
    play(live, Pressed(0, 0.0, 1))
    assert lesson(tablet, "/seat/1") == lesson(tablet, "/big") == "collecting"


def test_what_one_player_must_do_is_told_to_nobody_else(live: Live, tablet: FlaskClient) -> None:
    play(live, Pressed(0, 0.0, 1), Pressed(0, 0.0, 1))
    assert lesson(tablet, "/seat/1") == lesson(tablet, "/big") == "show"
    assert not lesson(tablet, "/seat/3")


def test_a_rule_goes_once_its_act_is_done_and_comes_back_if_that_is_undone(live: Live, tablet: FlaskClient) -> None:
    play(live, Pressed(0, 0.0, 1), Pressed(0, 0.0, 1), Tapped(0, 0.0, "centre", "red-stop-1"))
    count(live, 1, 4)
    assert [lesson(tablet, f"/seat/{seat}") for seat in (1, 3)] == ["", "count"]
    page = tablet.get("/seat/1").text
    form = page[page.index("/take-back") :]
    undone = dict(re.findall(r'name="(entry|code|mark)" value="([^"]*)"', form)[:3])
    assert post(tablet, "/take-back", **undone)[0] == 200
    assert lesson(tablet, "/seat/1") == "count"


def test_what_somebody_has_met_in_one_match_they_are_not_told_in_the_next(live: Live, tablet: FlaskClient) -> None:
    play_a_round(live)
    assert lesson(tablet, "/seat/1") == "scored"
    play(live, Pressed(0, 0.0, 1))
    start_game(tablet, "stop-it")
    assert [lesson(tablet, page) for page in ("/seat/1", "/seat/3", "/big")] == ["", "", ""]


def test_another_game_is_new_to_those_who_know_one(live: Live, tablet: FlaskClient) -> None:
    play_a_round(live)
    start_game(tablet, "kartel")
    assert lesson(tablet, "/seat/1") == "roll"


def test_whoever_is_new_is_told_beside_those_who_are_not(live: Live, tablet: FlaskClient) -> None:
    play_a_round(live)
    play(live, Pressed(0, 0.0, 1))
    assert post(tablet, "/start", game="stop-it", **{"seat-1": "Ana", "seat-3": "Zoé"})[0] == 200
    assert [lesson(tablet, page) for page in ("/seat/1", "/big")] == ["", "ready"]


def test_one_tap_ends_it_for_one_player_and_another_begins_it_anew(live: Live, tablet: FlaskClient) -> None:
    assert post(tablet, "/hints", part=1, told="no") == (200, "Ana gets no more tips.")
    assert [lesson(tablet, page) for page in ("/seat/1", "/seat/3", "/big")] == ["", "ready", "ready"]
    post(tablet, "/hints", part=3, told="no")
    assert not lesson(tablet, "/big")
    post(tablet, "/hints", part=1, told="yes")
    assert [lesson(tablet, page) for page in ("/seat/1", "/seat/3", "/big")] == ["ready", "", "ready"]


def test_what_was_chosen_and_met_stands_after_a_restart(live: Live, app: Flask, tablet: FlaskClient) -> None:
    play_a_round(live)
    post(tablet, "/hints", part=1, told="no")
    start_game(tablet, "stop-it")
    persons = {person.name: person for person in Phones(phones_of(live.kept_in)).rights.people.known}
    assert not persons["Ana"].hints
    assert persons["Bo"].hints
    assert "collecting" in persons["Bo"].met["stop-it"]


def test_nobody_ends_it_for_another(app: Flask, tablet: FlaskClient) -> None:
    stranger = client_of(app, None)
    assert post(stranger, "/hints", part=1, told="no")[0] == 403
    assert lesson(tablet, "/seat/1") == "ready"


def test_what_has_to_be_put_right_comes_before_any_rule(live: Live, tablet: FlaskClient) -> None:
    play(live, Tapped(0, 0.0, "centre", "red-stop-1"))
    assert 'id="hint"' in tablet.get("/big").text
    assert not lesson(tablet, "/big")


def test_no_rule_is_told_in_a_break(live: Live, tablet: FlaskClient) -> None:
    assert post(tablet, "/pause")[0] == 200
    assert not lesson(tablet, "/seat/1")
    assert not lesson(tablet, "/big")


def test_rules_are_told_in_french(tablet: FlaskClient) -> None:
    page = tablet.get("/seat/1", headers={"Accept-Language": "fr"}).text
    assert "triées par couleur" in page
    assert "Ne plus donner de conseils" in page
