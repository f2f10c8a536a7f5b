"""Speed Snap's pages: a deal played by hand, the race for two alike, and what everybody sees of it."""

import re
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Page

from companion.events import Elapsed, Player, Pressed, Tapped
from companion.game.playing_cards import DECK
from companion.kit.button_laws import leave_out_pages_of_games
from companion.web.render.words import PageWords
from tests.games.playing import misplays, on_paper, rendering, watched
from tests.web.table import Clock, app_of, living

THREE = tuple(Player(seat, name) for seat, name in enumerate(("Ana", "Bo", "Cléo"), 1))
NINES = tuple(Tapped(0, 0.0, "centre", card) for card in ("clubs-2", "clubs-9", "hearts-9"))
UNLIKE = NINES[:2]


def text_of(page: str) -> str:
    """Return a page's text, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def test_a_pile_is_snapped_by_hand(tmp_path: Path, paper: Page) -> None:
    with on_paper("speed-snap", tmp_path, paper, THREE) as (live, phone):
        phone("/table").press("2 of clubs")
        phone("/host/2").press("9 of clubs")
        phone("/host/3").press("9 of hearts")
        phone("/host/2").press("Snap!")
        view = live.ask(lambda match: match.game.view(match.state, None))
        assert (view["taker"], view["number"], view["active"]) == (2, 3, 1)
        assert misplays(live) == []


def test_a_match_is_played_to_its_end(tmp_path: Path) -> None:
    clock = Clock()
    with living(tmp_path, clock, simulated=True) as live:
        live.begin("speed-snap", THREE, {"deals": 1})
        page = rendering(live)
        live.enter(*NINES, Pressed(0, 0.0, 2))
        nines = {tap.card for tap in NINES}
        live.enter(*(Tapped(0, 0.0, "centre", card) for card in DECK if card not in nines))
        assert "The last card! Two alike? Press!" in text_of(page("/big"))
        clock.now += 3
        live.enter(Elapsed(0, 0.0, "last-pair"))
        assert live.snapshot.views[None]["winners"] == [2]
        assert 'class="podium' in page("/big")


@pytest.mark.parametrize("path", ["/host/1", "/host/2", "/host/3"])
def test_every_phone_has_a_buzzer_that_counts_on_touch_while_cards_are_turned(tmp_path: Path, path: str) -> None:
    buzzer = re.compile(r'<button class="buzzer" data-at-once>Snap!</button>')
    with watched("speed-snap", tmp_path, THREE) as (live, page):
        assert not buzzer.search(page(path))
        live.enter(*UNLIKE)
        assert buzzer.search(page(path))


def test_the_task_does_not_say_whether_two_are_alike(tmp_path: Path) -> None:
    with watched("speed-snap", tmp_path, THREE) as (live, page):
        live.enter(*UNLIKE)
        assert "Cléo: turn a card. Two alike? Press!" in text_of(page("/big"))
        live.enter(NINES[2])
        assert "Ana: turn a card. Two alike? Press!" in text_of(page("/big"))


def test_a_press_before_the_card_is_read_is_no_news_until_it_is_judged(tmp_path: Path) -> None:
    clock = Clock()
    with living(tmp_path, clock, simulated=True) as live:
        live.begin("speed-snap", THREE, {})
        page = rendering(live)
        live.enter(*UNLIKE, Pressed(0, 0.0, 1))
        assert "nothing" not in text_of(page("/big"))
        clock.now += 1
        live.enter(Elapsed(0, 0.0, "nothing-read"))
        assert "Ana pressed for nothing" in text_of(page("/big"))


@pytest.mark.parametrize("path", ["/", "/big"])
def test_everybody_sees_the_two_on_top_and_how_high_the_pile_is(tmp_path: Path, path: str) -> None:
    with watched("speed-snap", tmp_path, THREE) as (live, page):
        live.enter(*NINES)
        assert re.findall(r'aria-label="([^"]* of [^"]*)"', page(path))[:2] == ["9 of clubs", "9 of hearts"]
        assert "In the pile: 3 · Still to turn: 49" in text_of(page(path))


@pytest.mark.parametrize("code", ["hint-turn", "hint-deal"])
def test_at_a_simulated_table_nobody_is_told_how_to_hold_cards(code: str) -> None:
    assert "turn the card away" not in PageWords("speed-snap", "en", form="dealt").say(code).casefold()
    assert "face down" not in PageWords("speed-snap", "en", form="dealt").say(code)


def test_the_plain_pages_draw_the_two_cards_on_top(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        live.begin("speed-snap", THREE, {})
        live.enter(*NINES)
        phone = app_of(live).test_client()
        leave_out_pages_of_games(phone)
        for path in ("/", "/big"):
            (lying,) = re.findall(r'<ol class="plain-lies">(.*?)</ol>', phone.get(path).text, re.DOTALL)
            assert re.findall(r'aria-label="([^"]* of [^"]*)"', lying) == ["9 of clubs", "9 of hearts"]
