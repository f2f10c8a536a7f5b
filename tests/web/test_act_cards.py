"""The table's own cards are printed: a sheet to cut out, in the words that people read."""

import html
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.act_cards import ACT_CARDS, SLUG
from companion.languages import LANGUAGES
from companion.web.render.words import PageWords
from tests.chromium import Opened
from tests.live.cards import Cards
from tests.web.table import app_of

CUT_OFF = """(cards) => cards.filter(
  (card) => card.scrollHeight > card.clientHeight + 1 || card.scrollWidth > card.clientWidth + 1).length"""


def sheet(client: FlaskClient, language: str) -> str:
    answer = client.get("/act-cards", query_string={"lang": language})
    assert answer.status_code == 200
    return html.unescape(answer.text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_card_bears_its_words_and_what_it_says(bare: FlaskClient, language: str) -> None:
    page = sheet(bare, language)
    its = PageWords(SLUG, language)
    for card in ACT_CARDS.deck:
        assert f"<b>{its.card(card)}</b>" in page
        assert its.say(f"card-{card}-does") in page


def test_each_card_of_a_game_says_of_which(bare: FlaskClient) -> None:
    page = sheet(bare, "en")
    parts = {card: page.partition(f'id="act-{card}"')[2].partition("</li>")[0] for card in ACT_CARDS.deck}
    assert {"stop it!", "¡Go!"} == {title for title in ("stop it!", "¡Go!", "Kartel") if title in parts["pile-empty"]}
    assert "Kartel" in parts["die-3"]
    assert "<small>" not in parts["undo"]


def test_the_page_where_stickers_are_put_on_and_the_hosts_lead_there(tmp_path: Path) -> None:
    table = Cards(tmp_path, "stop-it")
    client = app_of(table.live, virtual=False).test_client()
    for path in ("/tags", "/host/table", "/how/stop-it"):
        assert 'href="/act-cards"' in client.get(path).text
    table.close()


def test_they_fit_on_one_sheet_of_paper_and_nothing_else_is_printed(look: Opened) -> None:
    for language in LANGUAGES:
        page = look("/act-cards", locale=language)
        assert page.pdf(format="A4", prefer_css_page_size=True).count(b"/Type /Page\n") == 1
        page.emulate_media(media="print")
        assert page.locator(".act-card").count() == len(ACT_CARDS.deck)
        assert not any(part.is_visible() for part in page.locator("footer, nav, .rail, .own-seats").all())
        assert page.locator(".act-card").evaluate_all(CUT_OFF) == 0
