"""What the wall shows of a table is true of it, and leads on."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.club.hub.hub import Hub
from tests.club.hub.conftest import Joined
from tests.club.hub.tables import ONE, SpeakingTable
from tests.club.hub.test_pages import ONE_OF_EACH, RECORDS, page, shown, shown_by_itself, view_of
from tests.waiting import until

__all__ = ["page"]


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
