"""Hearts' pages: a round played by hand, a hand passed card by card, and suits that are told apart without colour."""

import re
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.events import Player, Pressed, Tapped
from companion.kit.button_laws import leave_out_pages_of_games
from tests.chromium import Opened
from tests.games.hearts.table import Table, play_round
from tests.games.playing import misplays, on_paper, playing, watched
from tests.web.table import app_of, living

FOUR = tuple(Player(seat, name) for seat, name in enumerate(("Ana", "Bo", "Cléo", "Dan"), 1))


def test_a_trick_is_played_by_hand(tmp_path: Path, paper: Page) -> None:
    with on_paper("hearts", tmp_path, paper, FOUR) as (live, phone):
        live.enter(*(Pressed(0, 0.0, seat) for seat in (1, 2, 3, 4)))
        table = phone("/table")
        table.press("Bo")
        for card in ("5 of clubs", "king of clubs", "9 of clubs"):
            table.press(card)
        expect(table.look().locator(".hand h3")).to_contain_text("Dan: which card")
        assert misplays(live) == []


def test_whoever_leads_the_round_taps_it_on_their_own_phone(tmp_path: Path) -> None:
    with watched("hearts", tmp_path, FOUR, passing="none") as (_, page):
        assert page("/host/3").count('value="clubs-2"') == 1


@pytest.mark.parametrize("four_colours", [True, False])
def test_a_card_is_told_by_its_sign_and_its_name_and_by_a_fourth_colour_where_the_table_wants_it(
    tmp_path: Path, four_colours: bool
) -> None:
    with watched("hearts", tmp_path, FOUR, passing="none", four_colours=four_colours) as (live, page):
        live.enter(Tapped(0, 0.0, "seat-1", "clubs-2"))
        (card,) = re.findall(r'(?s)<span class="playing-card.*?</span></span>', page("/big"))
        assert 'aria-label="2 of clubs"' in card
        assert "♣" in card
        assert ("four-colours" in card) is four_colours


def test_the_plain_pages_draw_the_cards_of_an_ordinary_deck_and_what_lies_there(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        live.begin("hearts", FOUR, {"passing": "none"})
        live.enter(Tapped(0, 0.0, "seat-1", "clubs-2"))
        phone = app_of(live).test_client()
        leave_out_pages_of_games(phone)
        for path in ("/", "/big"):
            assert 'aria-label="2 of clubs"' in phone.get(path).text, path
        assert 'class="pick-card' in phone.get("/host/2").text


def test_whoever_follows_is_told_which_card_was_led(tmp_path: Path) -> None:
    with watched("hearts", tmp_path, FOUR, passing="none") as (live, page):
        live.enter(Tapped(0, 0.0, "seat-1", "clubs-2"), Tapped(0, 0.0, "seat-2", "hearts-5"))
        assert "Your turn: follow the 2 of clubs if you can." in text_of(page("/seat/3"))
        assert "Cléo follows the 2 of clubs." in text_of(page("/big"))


@pytest.mark.parametrize(
    ("fourth", "task"),
    [("clubs-9", "Your lead: no hearts yet, if you can."), ("hearts-9", "Your lead: lay any card.")],
)
def test_whoever_leads_is_told_that_no_heart_may_be_led_until_one_was_played(
    tmp_path: Path, fourth: str, task: str
) -> None:
    with watched("hearts", tmp_path, FOUR, passing="none") as (live, page):
        cards = ("clubs-2", "clubs-3", "clubs-4", fourth)
        live.enter(*(Tapped(0, 0.0, f"seat-{seat}", card) for seat, card in enumerate(cards, 1)))
        leader = 4 if fourth == "clubs-9" else 3
        assert task in text_of(page(f"/seat/{leader}"))


@pytest.mark.parametrize("width", [320, 360])
def test_everybodys_points_stand_beside_their_name(tmp_path: Path, opened: Opened, width: int) -> None:
    with playing("hearts", tmp_path, FOUR, passing="none") as (live, address):
        live.enter(Tapped(0, 0.0, "seat-1", "clubs-2"))
        phone = opened(f"{address}/", viewport={"width": width, "height": 740})
        rows = phone.locator(".deck-seats li")
        expect(rows).to_have_count(4)
        for row in rows.all():
            assert middle(row.locator("strong")) == pytest.approx(middle(row), abs=1)


def middle(part: Locator) -> float:
    """Return how far down its middle is, in pixels."""
    box = part.bounding_box()
    assert box
    return box["y"] + box["height"] / 2


def text_of(page: str) -> str:
    """Return a page's text, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def test_before_anybody_has_passed_the_table_asks_to_be_dealt(tmp_path: Path) -> None:
    with watched("hearts", tmp_path, FOUR) as (live, page):
        assert "Ana deals. Pass 3 left, then press." in text_of(page("/big"))
        live.enter(Pressed(0, 0.0, 1), Pressed(0, 0.0, 2))
        assert "Cléo and Dan: pass 3 cards left, then press." in text_of(page("/big"))


def test_where_nobody_passes_the_table_asks_to_be_dealt_before_the_lead(tmp_path: Path) -> None:
    with watched("hearts", tmp_path, FOUR, passing="none") as (_, page):
        assert "Ana deals. The 2 of clubs leads." in text_of(page("/big"))


@pytest.mark.parametrize("path", ["/big", "/seat/1", "/seat/2"])
def test_a_moon_that_ends_the_match_is_named_beside_the_winner(tmp_path: Path, path: str) -> None:
    three = FOUR[:3]
    table = Table(1, 2, 3, limit=20, passing="none")
    play_round(table, taker=2)
    with watched("hearts", tmp_path, three, limit=20, passing="none") as (live, page):
        live.enter(*table.match.events[1:])
        assert "Bo shoots the moon!" in text_of(page(path))
