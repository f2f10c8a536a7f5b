"""What was decided about one match is done to no other that has begun in between."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.access.seat_rights import phone_of
from companion.live.pause import Why
from companion.live.simulation import Simulation
from companion.live.snapshot import Overtaken
from companion.live.table import Live
from tests.web.bots.sitting import ANY
from tests.web.table import ANAS, PEOPLE, SCRIPT, TestDemo, app_of, app_with, client_of, living, post

QUICKER = (409, "Somebody was quicker: this is a different match now. Look at it, then decide.")


@pytest.fixture
def quicker(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Have people begin a match of ¡Go! after the next decision to do this, and before it is done."""

    def before(deed: str) -> None:
        late = getattr(Live, deed)

        def overtaken(live: Live, *about: Any) -> Any:
            monkeypatch.undo()
            live.begin("go", PEOPLE, {})
            return late(live, *about)

        monkeypatch.setattr(Live, deed, overtaken)

    return before


def played(live: Live) -> tuple[str, bool]:
    """Return which game is on the table, and whether people play it."""
    game: str = live.ask(lambda match: match.game.slug)
    return game, live.snapshot.people_play


@pytest.mark.parametrize("deed", ["/pause", "/end"])
def test_whoever_rests_from_one_match_stops_no_other(live: Live, quicker: Any, deed: str) -> None:
    client = app_of(live).test_client()
    quicker("pause")
    assert post(client, deed) == QUICKER
    assert live.snapshot.pause is None


def test_a_match_that_was_ended_twice_in_one_moment_is_ended_and_no_break(live: Live) -> None:
    snapshot = live.snapshot
    for _ in range(2):
        live.pause(Why.ENDED, snapshot)
    with pytest.raises(Overtaken):
        live.pause(Why.BREAK, snapshot)
    assert live.snapshot.pause is Why.ENDED


def test_whoever_ends_a_demo_ends_no_match_that_people_have_begun(live: Live, quicker: Any) -> None:
    demo = TestDemo(live)
    client = app_of(live, demo=demo).test_client()
    demo.start("kartel")
    quicker("pause")
    assert post(client, "/demo/stop")[0] == 200
    assert (played(live), live.snapshot.pause) == (("go", True), None)


def test_a_demo_takes_no_match_away_that_people_have_begun_in_between(live: Live, quicker: Any) -> None:
    live.pause(Why.ENDED)
    quicker("begin_demo")
    assert post(app_of(live).test_client(), "/demo/start", game="kartel") == QUICKER
    assert played(live) == ("go", True)


def test_a_demo_takes_no_match_away_that_people_have_gone_on_with(live: Live) -> None:
    live.pause(Why.ENDED)
    snapshot = live.snapshot
    live.go_on()
    with pytest.raises(Overtaken):
        TestDemo(live).start("kartel", snapshot)
    assert played(live) == ("stop-it", True)


def test_who_need_ask_nobody_to_begin_takes_no_match_away_all_the_same(live: Live, quicker: Any) -> None:
    quicker("begin")
    form = {"game": "kartel", "seat-1": "Ana", "seat-3": "Bo"}
    assert post(app_of(live).test_client(), "/start", **form) == QUICKER
    assert played(live) == ("go", True)


def test_nor_do_bots(live: Live, quicker: Any) -> None:
    live.pause(Why.ENDED)
    app = app_of(live, simulation=Simulation(live))
    quicker("begin_dealt")
    assert post(app.test_client(), "/play", game=ANY, name="Ana") == QUICKER
    assert played(live) == ("go", True)


def test_a_demo_stands_in_nobodys_way(live: Live) -> None:
    live.pause(Why.ENDED)
    snapshot = live.snapshot
    TestDemo(live).start("kartel")
    live.begin("go", PEOPLE, {}, snapshot)
    assert played(live) == ("go", True)


def sat(app: Flask, seat: int, name: str, animal: str, colour: str) -> FlaskClient:
    """Return the phone of somebody who has sat down."""
    phone = client_of(app, None)
    assert post(phone, "/sit", seat=seat, name=name, animal=animal, colour=colour)[0] == 200
    return phone


@pytest.fixture
def phones(tmp_path: Path) -> Phones:
    return Phones(tmp_path / "phones.json")


@pytest.fixture
def free(tmp_path: Path, phones: Phones) -> Iterator[Flask]:
    """A table at which nothing has been played yet."""
    with living(tmp_path, simulated=True) as live:
        yield app_with(live, phones)


def test_of_two_who_start_at_once_the_slower_is_led_to_their_seat(free: Flask) -> None:
    ana = sat(free, 1, "Ana", "fox", "red")
    bo = sat(free, 3, "Bo", "owl", "blue")
    form = {"game": "stop-it", "seat-1": "Ana", "seat-3": "Bo"}
    assert ana.post("/start", data=form, headers=SCRIPT).status_code == 200
    assert bo.get("/host/match").headers["Location"] == "/seat/3"
    answer = bo.post("/start", data=form, headers=SCRIPT)
    assert answer.get_json()["go"] == "/seat/3"


def test_so_they_are_while_the_quicker_ones_match_is_only_about_to_begin(free: Flask, phones: Phones) -> None:
    sat(free, 1, "Ana", "fox", "red")
    bo = sat(free, 3, "Bo", "owl", "blue")
    phones.change(lambda rights: seat_rights.first(rights, phone_of(ANAS)))
    assert bo.get("/host/match").headers["Location"] == "/lobby/3"
    answer = bo.post("/start", data={"game": "stop-it"}, headers=SCRIPT)
    assert answer.get_json()["go"] == "/lobby/3"
    assert "quicker" in answer.get_json()["message"]
