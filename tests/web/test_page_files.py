"""A page takes the style sheets it needs: its family's, and of the games the one that is on it."""

import re
from collections.abc import Callable
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page

from companion import games
from companion.game.playing_cards import PLAYING_CARDS
from companion.live.table import Live
from tests.chromium import Opened
from tests.web.table import PEOPLE, app_of, living


def sheets_of_games(page: str) -> set[str]:
    return set(re.findall(r'<link rel="stylesheet" href="/games/([\w-]+)/style\.css', page))


def test_a_page_takes_the_sheet_of_the_game_on_it_and_of_no_other(live: Live, client: FlaskClient) -> None:
    for path in ("/", "/big", "/seat/1", "/host", "/table"):
        assert sheets_of_games(client.get(path).text) == {"stop-it"}, path
    for path in ("/join", "/season", "/results", "/how/go"):
        assert sheets_of_games(client.get(path).text) == set(), path


def test_a_page_without_a_match_takes_no_games_sheet(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        client = app_of(live).test_client()
        for path in ("/", "/big", "/host"):
            assert sheets_of_games(client.get(path).text) == set(), path


def test_every_games_poster_is_in_one_sheet(client: FlaskClient) -> None:
    sheet = client.get("/games/posters.css").text
    assert [slug for slug in games.known() if f".of-{slug} {{" not in sheet] == []
    assert "--accent" in client.get("/games/posters.older.css").text
    assert client.get("/games/posters.older.json").json is not None
    assert client.get("/games/posters.older.html").status_code == 404


def test_a_game_of_an_ordinary_deck_brings_the_looks_of_the_deck(client: FlaskClient) -> None:
    of_deck = {slug for slug, game in games.known().items() if game.played_with == PLAYING_CARDS}
    assert {slug for slug in games.known() if ".playing-card" in client.get(f"/games/{slug}/style.css").text} == of_deck
    assert ".he-taken" in client.get("/games/hearts/style.css").text


def test_a_page_is_laid_out_by_what_its_live_part_shows_now(tmp_path: Path, served: Callable[[Flask], Opened]) -> None:
    with living(tmp_path, simulated=True) as live:
        screen = served(app_of(live))("/big")
        assert {"invite", "posters"} <= shows(screen)
        live.begin("kartel", PEOPLE, {})
        screen.wait_for_selector("[data-game=kartel]")
        assert "kartel" in shows(screen)
        assert "posters" not in shows(screen)


def shows(screen: Page) -> set[str]:
    """Return what the page's main part says that it shows."""
    return set((screen.locator("main").get_attribute("data-shows") or "").split())


def test_how_a_game_looks_comes_with_its_first_match_on_a_page(
    tmp_path: Path, served: Callable[[Flask], Opened]
) -> None:
    with living(tmp_path, simulated=True) as live:
        screen = served(app_of(live))("/big")
        screen.evaluate("window.same = true")
        for slug in ("stop-it", "kartel"):
            live.begin(slug, PEOPLE, {})
            screen.wait_for_selector(f"[data-game={slug}]")
            assert screen.evaluate(f"""[...document.styleSheets].some(({{ href, cssRules }}) =>
                href.includes("/games/{slug}/style.css") && cssRules.length > 0)""")
        assert screen.evaluate("window.same")
