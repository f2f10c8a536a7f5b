"""Which tables the hub still knows after a restart, and which its keeper has forgotten."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.club.hub import club_toml
from companion.club.hub.follower import Follower
from companion.club.hub.hub import Hub, opened
from companion.club.hub.known_table import RETOLD
from companion.club.hub.store import Store
from companion.network.page_address import fixed
from companion.web.hub import create_hub
from tests.club.broker import Broker
from tests.club.hub.conftest import Joined
from tests.club.hub.pages import shown, shown_by_itself
from tests.club.hub.tables import ONE, OTHER, SpeakingTable, about, status
from tests.waiting import until


@pytest.fixture
def lost_table(hub: Hub, page: FlaskClient, table: SpeakingTable) -> SpeakingTable:
    """One that is offline, with the keeper at the page."""
    table.say("about", about("Window table"), retain=True)
    table.ends(1)
    until(lambda: hub.store.newest_match(ONE) == 1 and hub.follower.name_of(ONE) == "Window table")
    table.crash()
    until(lambda: hub.follower.tables()[ONE].state == "lost")
    page.post("/keeper", data={"code": hub.keeper.now.code})
    return table


def forget(page: FlaskClient, table: str = ONE) -> int:
    return page.post("/table/forget", data={"table": table}).status_code


def test_only_the_keeper_may_forget_a_table(hub: Hub, lost_table: SpeakingTable) -> None:
    assert create_hub(hub).test_client().post("/table/forget", data={"table": ONE}).status_code == 403
    assert ONE in hub.follower.tables()


def test_a_forgotten_table_is_shown_no_more_and_its_results_stay(
    hub: Hub, page: FlaskClient, lost_table: SpeakingTable
) -> None:
    assert "Forget this table" in shown(page, "/keeper")
    assert (forget(page), forget(page)) == (303, 303)
    assert all("Window table" not in shown(page, path) for path in ("/", "/keeper"))
    assert page.get(f"/table/{ONE}").status_code == 404
    assert [stored.match for stored in hub.store.results()] == [1]


def test_a_forgotten_table_is_shown_again_once_it_is_heard(
    hub: Hub, page: FlaskClient, lost_table: SpeakingTable, joined: Joined
) -> None:
    forget(page)
    again = joined(ONE, birth=2)
    until(lambda: "Window table" in shown_by_itself(page))
    again.crash()
    until(lambda: hub.follower.tables()[ONE].state == "lost")


def test_a_table_that_is_there_is_not_forgotten(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    joined(OTHER).say("about", about("Fireside"), retain=True)
    until(lambda: hub.follower.name_of(OTHER) == "Fireside")
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert "Forget this table" not in shown(page, "/keeper")
    answer = page.post("/table/forget", data={"table": OTHER})
    assert (answer.status_code, "Fireside is there." in answer.text) == (409, True)
    assert OTHER in hub.follower.tables()


def test_a_forgotten_table_stays_so_when_the_hub_starts_again(club: Path, joined: Joined) -> None:
    with opened(club_toml.load(club), fixed("http://127.0.0.1:8000/")) as hub:
        table = joined(ONE)
        until(lambda: ONE in hub.follower.tables())
        table.crash()
        until(lambda: hub.follower.tables()[ONE].state == "lost")
        hub.follower.forget(ONE)
    joined(OTHER)
    with opened(club_toml.load(club), fixed("http://127.0.0.1:8000/")) as hub:
        until(lambda: OTHER in hub.follower.tables())
        until(lambda: ONE in hub.follower._known)
        assert ONE not in hub.follower.tables()


def test_a_hub_that_starts_while_the_broker_is_off_names_the_tables_where_people_play(
    club: Path, broker: Broker, joined: Joined
) -> None:
    with opened(club_toml.load(club), fixed("http://127.0.0.1:8000/")) as hub:
        joined(ONE).say("about", about("Window table"), retain=True)
        until(lambda: hub.follower.name_of(ONE) == "Window table")
        hub.tournament.begin(["Ana", "Bo"], 1, 2, "swiss")
        hub.tournament.draw(1, [ONE])
        hub.bracket.begin(["Cy", "Dee"], [ONE], by_lot=False)
    broker.kill()
    with opened(club_toml.load(club), fixed("http://127.0.0.1:8000/")) as hub:
        client = create_hub(hub).test_client()
        assert all("Window table" in shown(client, path) for path in ("/schedule", "/tournament", "/bracket"))
        assert "wherever a table is free" not in shown(client, "/schedule")


def test_a_table_that_left_while_the_hub_was_off_is_named_until_the_broker_has_told_everything(
    hub: Hub, store: Store
) -> None:
    seconds = [0.0]
    store.remember_table_name(ONE, "Window table")
    follower = Follower(hub.club, store, clock=lambda: seconds[0])
    assert follower.name_of(ONE) == "Window table"
    follower._connected_at = 0.0
    follower._cut_at = None
    seconds[0] = RETOLD
    assert follower.name_of(ONE) == ""
    follower._served.close()


def test_a_table_that_leaves_is_named_no_more(hub: Hub, table: SpeakingTable) -> None:
    table.say("about", about("Window table"), retain=True)
    until(lambda: hub.store.table_names() == {ONE: "Window table"})
    table.say("status", b"", retain=True)
    until(lambda: hub.store.table_names() == {})
    assert hub.follower.name_of(ONE) == ""
    table.say("status", status("ended", 1), retain=True)
