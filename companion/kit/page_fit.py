"""How a game's pages fit: nothing is cut off, every button fits a thumb. These laws need Playwright and a Chromium."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from flask.testing import FlaskClient
from playwright.sync_api import Error, sync_playwright

from companion.access.rights_file import Phones
from companion.access.seat_rights import PARTS, Rights, phone_of
from companion.events import PLACES, SEATS
from companion.game import AnyGame
from companion.kit.games_to_test import every_game
from companion.kit.in_chromium import NARROW_TO_WIDE, UNFIT, Glass, at_every_moment
from companion.kit.page_laws import shown, table
from companion.live.table import Live
from companion.network.page_address import fixed
from companion.storage.files import phones_of
from companion.web import Room, create_app

PAGES = ("/", "/big", "/seat/1", "/seat/2", "/host", "/host/1", "/table")
TABLET = "7ab1e7" + 26 * "0"
"""A phone's token."""


class _AllPlaces:
    """A virtual table with a reader and a buzzer everywhere; nobody uses it."""

    places = PLACES[: len(SEATS) + 1]
    seats = tuple(SEATS)

    def lay(self, place: str, slug: str, card: str) -> None: ...
    def lift(self, place: str) -> None: ...
    def press(self, seat: int, at: float | None = None) -> None: ...


def tablet(live: Live) -> FlaskClient:
    """Return the one phone of a table: the host's, and it holds every seat."""
    phones = Phones(phones_of(live.kept_in))
    phones.change(lambda now: Rights(now.codes, dict.fromkeys(PARTS, phone_of(TABLET))))
    app = create_app(Room(live=live, phones=phones, found_at=fixed("http://table.lan/"), hand=_AllPlaces()))
    client = app.test_client()
    client.set_cookie("phone", TABLET)
    return client


@pytest.fixture(scope="session")
def glass(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Glass]:
    """One page in which every rendered page is shown."""
    with sync_playwright() as driver, table(tmp_path_factory.mktemp("glass")) as live:
        found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        try:
            browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        except Error as wrong:
            pytest.skip(f"no Chromium to look with: {wrong.message.splitlines()[0]}")
        yield Glass(browser.new_page(), tablet(live))
        browser.close()


@every_game
def test_nothing_is_cut_off_and_every_button_fits_a_thumb_however_long_the_names(
    game: AnyGame, tmp_path: Path, glass: Glass
) -> None:
    with table(tmp_path) as live:
        found = at_every_moment(tablet(live), PAGES, shown(live, game))
    assert not (amiss := glass.ask(found, UNFIT, *NARROW_TO_WIDE[::4])), "\n".join(amiss)
