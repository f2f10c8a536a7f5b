"""What begins by itself is told on every page, with who plays and how one objects."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.devices.sensing import Appeared, Buzzed
from companion.live.pause import Why
from companion.live.table import Live
from tests.web.table import PEOPLE, Clock, app_of, client_of, living


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    """A table with real buttons; a match has been ended, and Bo has pressed for the next one."""
    with living(tmp_path, clock) as live:
        live.begin("stop-it", PEOPLE, {})
        live.pause(Why.ENDED)
        clock.now += 60
        live.tell(Buzzed(3, clock.now, 0.0, ""))
        yield live


@pytest.mark.parametrize("page", ["/host", "/seat/3", "/", "/big"])
def test_every_page_tells_what_begins_and_how_to_object(host: FlaskClient, bo: FlaskClient, page: str) -> None:
    client = host if page == "/host" else bo
    assert "stop it! again: Ana, Bo and Cléo. It begins in ten seconds. Not yet? Press." in client.get(page).text
    assert "Début dans dix secondes" in client.get(page, headers={"Accept-Language": "fr"}).text


def object_to_what(page: str) -> dict[str, str]:
    """Return the fields of the button by which a page objects."""
    fields = re.search(r'action="/object"[^>]*>.*?name="announcement" value="(\d+)"', page, re.DOTALL)
    assert fields, "the page has no button to object"
    return {"announcement": fields[1]}


@pytest.mark.parametrize("page", ["/host", "/seat/3"])
def test_whoever_holds_a_phone_objects_there(live: Live, host: FlaskClient, bo: FlaskClient, page: str) -> None:
    client = host if page == "/host" else bo
    fields = object_to_what(client.get(page).text)
    assert client.post("/object", data=fields).status_code in (200, 303)
    assert live.snapshot.announced is None


def test_pages_that_nobody_in_particular_looks_at_have_no_button(host: FlaskClient) -> None:
    assert all("/object" not in host.get(page).text for page in ("/", "/big"))


def test_an_objection_means_what_was_announced_when_it_was_made(live: Live, clock: Clock, bo: FlaskClient) -> None:
    fields = object_to_what(bo.get("/seat/3").text)
    for seat in (1, 3):  # Ana objects, and Bo announces it again
        clock.now += 2
        live.tell(Buzzed(seat, clock.now, 0.0, ""))
    late = bo.post("/object", data=fields, headers={"Accept": "application/json"})
    assert late.status_code == 409
    assert "That is no longer announced." in late.text
    assert live.snapshot.announced is not None


@pytest.fixture
def about_to_end(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    """A match is under way, and somebody has laid END."""
    with living(tmp_path, clock) as live:
        live.begin("stop-it", PEOPLE, {})
        live.tell(Appeared("seat-3", "virtual:table/end", clock.now))
        yield live


def test_while_a_press_is_an_objection_the_big_screen_asks_for_none(about_to_end: Live) -> None:
    big = client_of(app_of(about_to_end), None).get("/big").text
    assert "The match ends in ten seconds" in big
    assert "shortest arms" not in big
    assert about_to_end.snapshot.announced is not None
    about_to_end.object_to(about_to_end.snapshot.announced.number)
    assert "shortest arms" in client_of(app_of(about_to_end), None).get("/big").text


def test_whoever_plays_nowhere_does_not_object(live: Live, app: Flask, bo: FlaskClient) -> None:
    newcomer = client_of(app, None)
    assert newcomer.post("/object", data=object_to_what(bo.get("/seat/3").text)).status_code == 403
    assert live.snapshot.announced is not None


def test_a_card_of_the_tables_own_that_says_nothing_now_is_named(live: Live, bo: FlaskClient) -> None:
    live.tell(Appeared("seat-3", "virtual:table/end", 1.0))
    assert "Bo: END says nothing now." in bo.get("/big").text
