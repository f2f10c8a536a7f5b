"""What the wall shows of a table is true of it, and leads on."""

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec import convert

from companion.club.hub.hub import Hub
from companion.club.hub.known_table import KnownTable, Shown, with_about, with_public
from companion.club.payloads import About, PublicView
from companion.web.hub import board, wall_pages
from tests.club.hub.conftest import Joined
from tests.club.hub.pages import ONE_OF_EACH, RECORDS, shown, shown_by_itself, view_of
from tests.club.hub.tables import ONE, OTHER, SpeakingTable, about, result
from tests.waiting import until


@pytest.mark.parametrize("record", ONE_OF_EACH, ids=lambda record: record.parts[-3])
def test_nobody_wears_an_animal_or_a_colour_that_may_be_another_players(
    record: Path, hub: Hub, page: FlaskClient, joined: Joined
) -> None:
    joined(ONE).shows(1, 1.0, view_of(record))
    until(lambda: ">1</text></svg>" in shown_by_itself(page))
    for path in ("/", f"/table/{ONE}"):
        text = shown(page, path)
        assert "#chip-" not in text
        assert ">1</text></svg>" in text


def test_a_finished_match_is_shown_under_the_names_of_its_result(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    """Which have been put right since; the view has them as they were typed."""
    table = joined(ONE)
    view = view_of(RECORDS[0]) | {"over": True}
    named = [{"seat": player["seat"], "name": f"Right {player['seat']}"} for player in view["players"]]
    table.shows(7, 1.0, view)
    until(lambda: f"<b>{view['players'][0]['name']}</b>" in shown_by_itself(page))
    shape = {"game": view["game"], "scores": {}, "winners": []}
    table.ends(7, **shape, players=view["players"])
    table.ends(7, 2, **shape, players=named)
    until(lambda: "<b>Right 1</b>" in shown_by_itself(page))
    assert view["players"][0]["name"] not in shown(page, f"/table/{ONE}")
    assert f"t-{ONE}" in shown(page, "/find?name=right+1")


def test_a_demonstration_that_is_over_is_called_one_and_nobody_has_won(
    hub: Hub, page: FlaskClient, joined: Joined
) -> None:
    table = joined(ONE)
    view = view_of(RECORDS[0]) | {"over": True}
    table.shows(7, 1.0, view)
    until(lambda: "tile is-ready over" in shown_by_itself(page))
    table.ends(7, game=view["game"], scores={}, winners=[], players=view["players"], demo=True)
    until(lambda: '<b class="simulated">demo</b>' in shown_by_itself(page))
    assert "tile is-ready over" not in shown(page)
    assert 'class="winner"' not in shown(page)
    assert '<b class="simulated">demo</b>' in shown(page, f"/table/{ONE}")


def test_all_tables_are_a_tap_away_whatever_the_keeper_shows(hub: Hub, page: FlaskClient, table: SpeakingTable) -> None:
    table.shows(1, 1.0, view_of(RECORDS[0]))
    until(lambda: 'class="tile' in shown_by_itself(page))
    page.post("/keeper", data={"code": hub.keeper.now.code})
    page.post("/scene", data={"scene": "standings"})
    assert 'class="tile' not in shown(page)
    every = re.findall(
        r'href="([^"]*)">All tables', shown(page) + shown(page, f"/table/{ONE}") + shown(page, "/season")
    )
    assert len(every) == 3
    for path in every:
        assert 'class="tile' in shown(page, path)
        assert f'data-stream="/stream/wall?lang=en&amp;{path[2:]}"' in shown(page, path)
    assert 'class="tile' not in shown(page, "/?page=0&turn")  # a television turns its pages by itself


@pytest.mark.parametrize("path", ["/", "/season", "/tournament", f"/table/{ONE}", "/find", "/join", "/nowhere"])
def test_every_page_on_a_phone_of_the_keepers_leads_to_the_keepers(
    path: str, hub: Hub, page: FlaskClient, table: SpeakingTable
) -> None:
    until(lambda: table.table in hub.follower.tables())
    assert '<a href="/keeper">' not in shown(page, path).partition("<footer>")[2]
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert '<a href="/keeper">' in shown(page, path).partition("<footer>")[2]


def test_a_wall_that_could_not_be_drawn_is_drawn_again(
    page: FlaskClient, joined: Joined, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    television = iter(page.get("/stream/wall").response)  # so that the wall is looked at all the time
    next(television)
    with monkeypatch.context() as failing:
        failing.setattr(board.Board, "_rendered", lambda *_: 1 / 0)
        joined(ONE).say("about", about("Fox"), retain=True)
        until(lambda: shown_by_itself(page) and "wall goes on after a fault" in caplog.text)
    joined(OTHER).say("about", about("Owl"), retain=True)
    until(lambda: "Owl" in shown_by_itself(page))


@pytest.fixture
def convention(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Very many tables; at the last of them a match is over."""
    view = view_of(RECORDS[0])
    names = [f"Table {at}" for at in range(4000)]
    tables = [with_about(KnownTable(name, state="ready"), convert(about(name), About), 0.0) for name in names]
    over = convert({**view, "over": True, "players": [{"seat": 1, "name": "Zoé"}]}, Shown)
    tables[-1] = with_public(tables[-1], PublicView(1, 1.0, view), over, 1.0, retained=False)
    monkeypatch.setattr(hub.follower, "tables", lambda: {known_table.table: known_table for known_table in tables})


@pytest.mark.usefixtures("convention")
def test_of_very_many_tables_the_news_comes_first_and_each_is_found(hub: Hub, page: FlaskClient) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    for path in ("/", "/?page=1", "/?page=200", "/find?name=table", "/keeper"):
        assert len(page.get(path).data) < 100_000, path
    assert "Table 3999" in shown(page, "/").partition('class="tile')[2][:600]
    assert "Table 19<" in shown(page, "/?page=1")
    last, beyond = (shown(page, f"/?page={number}").partition("<footer>")[0] for number in (200, 99999))
    assert "Table 3999" in last == beyond
    assert "Table 3999" in shown(page, "/find?name=zoe")
    assert page.get("/?page=200&turn").headers["Refresh"].endswith("page=0&turn")
    assert b'data-many="20"' in next(iter(page.get("/stream/wall?page=2").response))


@pytest.mark.parametrize("path", ["/season", "/keeper"])
def test_a_name_that_is_searched_for_is_not_read_for_each_person_anew(
    hub: Hub, page: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """It may be as long as an address, and read for each of a thousand people it would keep all others waiting."""
    hub.store.take("t", 1, 1, json.dumps(result(1)).encode())
    hub.season.look()
    until(lambda: hub.season.now.played)
    page.post("/keeper", data={"code": hub.keeper.now.code})
    read = list[str]()
    plain = wall_pages.plain
    monkeypatch.setattr(wall_pages, "plain", lambda name: read.append(name) or plain(name))
    assert page.get(f"{path}?name=zz").status_code == 200
    assert read.count("zz") <= 2 < read.count("Ana") + read.count("Bo") + read.count("Cy")


@pytest.mark.usefixtures("convention")
def test_a_page_of_the_wall_where_nobody_looks_any_more_is_not_drawn(page: FlaskClient) -> None:
    shown(page, "/?page=7")
    board = page.application.extensions["board"]
    assert ("en", 7) in board._screens
    for _ in range(2):
        board._forget()
    assert board._screens == {}
