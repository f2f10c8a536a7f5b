"""A press that can't be meant is asked for again, on every page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.devices.sensing import Buzzed
from companion.live.table import Live
from tests.web.table import PEOPLE, Clock, living, to_count


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    """A table with real buttons."""
    with living(tmp_path, clock) as live:
        live.begin("stop-it", PEOPLE, {})
        yield live


@pytest.fixture
def pressed_too_early(live: Live, clock: Clock) -> None:
    """Bo has pressed before laying a card."""
    to_count(live)
    clock.now += 5
    live.tell(Buzzed(3, clock.now, 0.0, ""))


@pytest.mark.usefixtures("pressed_too_early")
@pytest.mark.parametrize("page", ["/host", "/seat/3", "/", "/big"])
def test_every_page_asks(host: FlaskClient, bo: FlaskClient, page: str) -> None:
    client = host if page == "/host" else bo
    assert "Bo: no red cards? Press again." in client.get(page).text
    assert "pas de cartes rouges" in client.get(page, headers={"Accept-Language": "fr"}).text


@pytest.mark.usefixtures("pressed_too_early")
def test_the_seats_own_phone_says_that_the_press_did_not_count(bo: FlaskClient) -> None:
    assert "not now: Bo: no red cards? Press again." in bo.get("/seat/3").text


@pytest.mark.usefixtures("pressed_too_early")
def test_no_page_asks_any_more_once_it_is_answered(live: Live, clock: Clock, bo: FlaskClient) -> None:
    clock.now += 5
    live.tell(Buzzed(3, clock.now, 0.0, ""))
    assert "Press again" not in bo.get("/big").text
