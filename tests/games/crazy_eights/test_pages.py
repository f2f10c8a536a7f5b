"""Crazy Eights' pages: a turn played by hand, the suit that an eight asks for, and what everybody sees of it."""

import re
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Page

from companion.events import Player, Pressed, Said, Tapped
from companion.kit.button_laws import leave_out_pages_of_games
from companion.web.render.words import PageWords
from tests.games.playing import misplays, on_paper, watched
from tests.web.table import app_of, living

THREE = tuple(Player(seat, name) for seat, name in enumerate(("Ana", "Bo", "Cléo"), 1))
DEALT = Tapped(0, 0.0, "centre", "hearts-5")
EIGHT = Tapped(0, 0.0, "centre", "clubs-8")
SUITS = ("♣ Clubs", "♦ Diamonds", "♥ Hearts", "♠ Spades")


def text_of(page: str) -> str:
    """Return a page's text, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def offered_suits(page: str) -> list[str]:
    """Return the suits that a page has buttons for, each with its sign."""
    return [suit for suit in SUITS if re.search(rf"<button[^>]*>{suit}</button>", page)]


def test_a_turn_is_played_by_hand(tmp_path: Path, paper: Page) -> None:
    with on_paper("crazy-eights", tmp_path, paper, THREE) as (live, phone):
        live.enter(DEALT)
        phone("/table").press("8 of clubs")
        phone("/host/2").press("♠ Spades")
        phone("/host/3").press("I draw a card")
        view = live.ask(lambda match: match.game.view(match.state, None))
        assert (view["top"], view["suit"]) == ("clubs-8", "spades")
        assert view["held"] == {"1": 5, "2": 4, "3": 6}
        assert misplays(live) == []


def test_whoever_laid_an_eight_is_offered_all_four_suits_until_they_name_one(tmp_path: Path) -> None:
    with watched("crazy-eights", tmp_path, THREE) as (live, page):
        live.enter(DEALT, EIGHT)
        assert offered_suits(page("/host/2")) == list(SUITS)
        assert offered_suits(page("/host/3")) == []
        live.enter(Said(0, 0.0, 2, "suit", "spades"))
        assert offered_suits(page("/host/2")) == []


@pytest.mark.parametrize("path", ["/", "/big", "/seat/3"])
def test_while_an_eights_suit_is_being_named_everybody_is_told_who_names_it(tmp_path: Path, path: str) -> None:
    with watched("crazy-eights", tmp_path, THREE) as (live, page):
        live.enter(DEALT, EIGHT)
        assert "Bo names a suit." in text_of(page(path))
        live.enter(Said(0, 0.0, 2, "suit", "clubs"))
        assert "Bo names a suit." not in text_of(page(path))


def test_a_headline_that_names_a_suit_shows_its_sign(tmp_path: Path) -> None:
    with watched("crazy-eights", tmp_path, THREE) as (live, page):
        live.enter(DEALT, EIGHT, Said(0, 0.0, 2, "suit", "spades"))
        assert "♠ Bo asks for spades" in text_of(page("/big"))
        assert "symbol c-spades" not in page("/big")


def test_the_round_stands_beside_the_points_to_reach(tmp_path: Path) -> None:
    with watched("crazy-eights", tmp_path, THREE, limit=50) as (_, page):
        assert "Round 1 · First to 50 points" in text_of(page("/big"))


@pytest.mark.parametrize("path", ["/", "/big"])
def test_everybody_sees_the_suit_that_is_asked_for_and_how_many_cards_each_holds(tmp_path: Path, path: str) -> None:
    with watched("crazy-eights", tmp_path, THREE) as (live, page):
        live.enter(DEALT, EIGHT, Said(0, 0.0, 2, "suit", "spades"))
        text = text_of(page(path))
        assert "spades ♠" in text
        assert "Bo Cards: 4" in text


def test_whoever_has_the_turn_is_told_what_fits(tmp_path: Path) -> None:
    with watched("crazy-eights", tmp_path, THREE) as (live, page):
        live.enter(DEALT)
        assert "Lay hearts, the same rank, or an eight." in text_of(page("/seat/2"))
        live.enter(Pressed(0, 0.0, 2))
        assert "You drew: lay what fits, or press." in text_of(page("/seat/2"))


@pytest.mark.parametrize("code", ["now-lay", "now-drawn", "now-drawn-you", "now-count", "now-count-you", "hint-count"])
def test_at_a_simulated_table_no_sentence_speaks_of_buzzers_or_readers(code: str) -> None:
    facts = {"seats": (2,), "colour": "hearts", "number": 3}
    in_hand = PageWords("crazy-eights", "en").say(code, facts)
    simulated = PageWords("crazy-eights", "en", form="dealt").say(code, facts)
    assert re.search("press|tap", in_hand.casefold())
    assert not re.search("press|tap", simulated.casefold())


@pytest.mark.parametrize("four_colours", [True, False])
def test_a_card_has_a_fourth_colour_where_the_table_wants_it(tmp_path: Path, four_colours: bool) -> None:
    with watched("crazy-eights", tmp_path, THREE, four_colours=four_colours) as (live, page):
        live.enter(Tapped(0, 0.0, "centre", "clubs-2"))
        (card,) = re.findall(r'(?s)<span class="playing-card.*?</span></span>', page("/big"))
        assert 'aria-label="2 of clubs"' in card
        assert ("four-colours" in card) is four_colours


def test_the_plain_pages_draw_the_card_on_top_without_a_name_beside_it(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        live.begin("crazy-eights", THREE, {})
        live.enter(DEALT)
        phone = app_of(live).test_client()
        leave_out_pages_of_games(phone)
        for path in ("/", "/big"):
            (lying,) = re.findall(r'<ol class="plain-lies">(.*?)</ol>', phone.get(path).text, re.DOTALL)
            assert 'aria-label="5 of hearts"' in lying
            assert "Ana" not in lying
