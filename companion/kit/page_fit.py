"""Laws of layout: nothing is cut off, and every button fits a thumb. They need Playwright and a Chromium."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Error, sync_playwright

from companion.game import AnyGame
from companion.kit.games_to_test import every_game
from companion.kit.in_chromium import NARROW_TO_WIDE, UNFIT, Glass, at_every_moment
from companion.kit.page_laws import AllPlaces, show_each_stage, table, tablet

PAGES = ("/", "/big", "/seat/1", "/seat/2", "/host", "/host/1", "/table")


@pytest.fixture(scope="session")
def glass(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Glass]:
    """Open the browser page in which every rendered page is shown."""
    with sync_playwright() as driver, table(tmp_path_factory.mktemp("glass")) as live:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        try:
            browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        except Error as wrong:
            pytest.skip(f"no Chromium to look with: {wrong.message.splitlines()[0]}")
        yield Glass(browser.new_page(), tablet(live, hand=AllPlaces()))
        browser.close()


@every_game
def test_nothing_is_cut_off_and_every_button_fits_a_thumb_however_long_the_names(
    game: AnyGame, tmp_path: Path, glass: Glass
) -> None:
    with table(tmp_path) as live:
        pages = at_every_moment(tablet(live, hand=AllPlaces()), PAGES, show_each_stage(live, game))
    assert not (amiss := glass.ask(pages, UNFIT, *NARROW_TO_WIDE[::4])), "\n".join(amiss)
