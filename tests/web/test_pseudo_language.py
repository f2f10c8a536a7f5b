"""Every page in a language that nobody speaks: nothing is English there, and nothing is cut off."""

import re
import tempfile
from pathlib import Path

import pytest

from companion import games
from companion.game import AnyGame
from companion.kit.in_chromium import NARROW_TO_WIDE, UNFIT, Glass, Rendered
from companion.web.render.words import page_entries
from companion.words import catalogue
from tests.web.languages import words_of_page
from tests.web.pseudo import pseudo, spoken
from tests.web.states import TABLES

WORD = re.compile(r"(?<![\w./-])[a-z]{4,}(?![\w/=-]|\.\w)")
AS_THEY_STAND = {"companion", "http", "board", "home", "table", "wifi", "match"}
"""Commands and addresses, and what people call things in these states."""


def english_words() -> frozenset[str]:
    """Return every word of the English sentences, as it is written inside one."""
    catalogues = (page_entries(), *(catalogue(slug) for slug in (None, *games.known())))
    texts = [text for entries in catalogues for entry in entries.values() for text in entry.texts]
    return frozenset(word for text in texts for word in WORD.findall(text)) - AS_THEY_STAND


def pages(table: str) -> list[Rendered]:
    """Return every page of a table in that language."""
    with (
        spoken(pytest.MonkeyPatch()) as language,
        tempfile.TemporaryDirectory() as folder,
        TABLES[table](Path(folder)) as (client, paths),
    ):
        pages_shown = [(path, client.get(path, query_string={"lang": language}).text) for path in paths]
    return [Rendered(f"{path}, {table}", language, text) for path, text in pages_shown]


def test_its_sentences_are_longer_and_keep_facts_and_marks() -> None:
    text = "{seat} takes it: *{card}*!| See `table.toml`."
    assert pseudo(text) == "{seat} tàkéšééé îtéé: *{card}*!| Šéééé `table.toml`."
    assert len(pseudo("Waiting for an answer.")) >= 1.4 * len("Waiting for an answer.") - 1


@pytest.mark.parametrize("table", TABLES)
def test_nothing_on_a_page_is_english(table: str) -> None:
    english = english_words()
    for page in pages(table):
        assert english & {*WORD.findall(words_of_page(page.html))} == set(), page.path


@pytest.mark.long
@pytest.mark.parametrize("game", games.known().values(), ids=lambda game: game.slug)
def test_nothing_is_cut_off_on_a_narrow_phone(game: AnyGame, glass: Glass) -> None:
    assert glass.ask(pages(f"late in {game.title}"), UNFIT, NARROW_TO_WIDE[0]) == []
