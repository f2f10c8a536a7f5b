"""No English on a French page: that it would be found. Every page is asked in `test_states.py`."""

import pytest

from companion import games
from companion.devices.sensing import Failed
from companion.live.table import Live
from companion.web.render.words import PageWords
from tests.web.languages import ENGLISH, foreign, words_of_page
from tests.web.table import app_of


def test_english_on_a_french_page_is_found_and_a_drivers_is_not(live: Live) -> None:
    assert foreign("Score | Press it when the card is here | now-ready", ENGLISH) == [
        "Press it when the card is here",
        "now-ready",
    ]
    live.tell(Failed("reader seat-2", "no answer: is it the cable?", 0.0))
    page = app_of(live).test_client().get("/host?lang=fr").text
    assert "is it the cable?" in page
    assert "is it the cable?" not in words_of_page(page)


@pytest.mark.parametrize("slug", games.known())
def test_a_cards_number_stands_before_its_colour_in_french(slug: str) -> None:
    words = PageWords(slug, "fr")
    for card in games.known()[slug].deck.values():
        if card.colour and card.value and str(card.value) in words.card(card.id):
            assert words.card(card.id).startswith(f"{card.value} "), card.id


def test_a_reader_is_named_in_french(live: Live) -> None:
    live.tell(Failed("reader seat-2", "no answer", 0.0))
    assert "lecteur, place 2" in app_of(live).test_client().get("/?lang=fr").text


@pytest.mark.parametrize("slug", [None, *games.known()])
@pytest.mark.parametrize(("place", "of"), [("discard", "défausse"), ("row", "rangée"), ("prison", "prison")])
def test_a_reader_of_another_game_is_named_in_french_too(slug: str | None, place: str, of: str) -> None:
    assert PageWords(slug, "fr").place(place).endswith(of)
