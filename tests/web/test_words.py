"""No page names what no catalogue has, and what is counted is said as each language counts."""

import re
from pathlib import Path

import pytest

from companion import games
from companion.languages import LANGUAGES
from companion.web.render.words import PageWords, page_entries
from companion.words import Words, catalogue

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("slug", [None, *games.known()])
def test_no_word_of_the_page_hides_one_of_a_game(slug: str | None) -> None:
    assert not page_entries().keys() & catalogue(slug).keys()


def test_what_the_page_says_has_words() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "web").rglob("*") if path.suffix in (".html", ".py"))
    codes = set(re.findall(r"""say\(["']([a-z0-9-]+)["'](?! ~)""", sources)) | set(
        re.findall(r'Refused\(\d+, "([a-z-]+)"', sources)
    )
    assert codes
    codes -= {"poster", "counts", "round-now", "lay-short"}  # each game's own
    assert codes <= page_entries().keys() | catalogue(None).keys()


@pytest.mark.parametrize("slug", games.known())
def test_what_a_games_pages_say_has_words(slug: str) -> None:
    sources = "".join(path.read_text() for path in (games.known()[slug].folder / "pages").glob("*.html"))
    codes = set(re.findall(r"""say\("([a-z0-9-]+)"(?! ~)""", sources))
    assert codes <= page_entries().keys() | catalogue(slug).keys()


def test_the_page_names_no_game() -> None:
    for path in (ROOT / "web").rglob("*"):
        if path.suffix in (".html", ".py", ".js", ".css", ".toml"):
            text = path.read_text()
            for game in games.known().values():
                assert game.title not in text, path


def test_at_a_simulated_table_sentences_say_what_is_done_there() -> None:
    words = PageWords("stop-me-go", "en", form="dealt")
    assert words.say("now-arrest", {"card": "gangster-3"}).startswith("Turn over the cards")
    assert words.say("now-ready") == "Anyone: turn over a gangster."
    assert words.rule("turned-up") == PageWords("stop-me-go", "en").rule("turned-up")


@pytest.mark.parametrize(("language", "unit"), [("en", "points"), ("fr", "points"), ("de", "Punkte"), ("es", "puntos")])
def test_what_is_counted_behind_a_figure_is_written_small_but_in_german(language: str, unit: str) -> None:
    assert PageWords("kartel", language).unit(2) == unit


def test_french_lines_never_begin_with_their_punctuation() -> None:
    assert PageWords(None, "fr").say("sit-down").endswith("\u202f!")


NOUNS = (
    "points|tokens|cards|players|readers|devices|people|tables|rounds|seats|gangsters|buttons|bots|matches|moves|values"
    "|jetons|cartes|joueurs|lecteurs|appareils|personnes|tours|places|boutons|manches|parties|coups|échappés|valeurs"
    "|Punkte|Plättchen|Karten|Leser|Geräte|Personen|Tische|Runden|Plätze|Taster|Partien|Züge|Werte|Bots"
    "|puntos|fichas|cartas|jugadores|lectores|aparatos|personas|mesas|rondas|sitios|botones|partidas|jugadas|valores"
)
SEVERAL = {
    *(
        "most",
        "fewest",
        "all",
        "target",
        "colour",
        "players",
        "devices-fail",
        "answers-readers",
        "answers-readers-buzzers",
    ),
    *("lobby-in", "now-reach", "now-reach-wait", "now-reach-you", "news-rolled-more", "ring-far-from-done"),
    *("long-round", "news-long-round", "third-token", "news-third-token-more"),
}
"""Facts, and codes of sentences, that never count one or none."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", [None, *games.known()])
def test_what_is_counted_has_a_singular(slug: str | None, language: str) -> None:
    wrong = []
    for code, entry in (page_entries(language) | catalogue(slug, language)).items():
        counted = set(re.findall(rf"{{(\w+)}}\*?\s(?:{NOUNS})\b", entry.text))
        for fact in () if code in SEVERAL else counted - SEVERAL:
            if entry.by != fact or (entry.counted is None and "1" not in entry.instead):
                wrong.append((code, fact))
    assert wrong == []


def test_no_points_are_singular_in_french_and_plural_in_english() -> None:
    facts = {"seats": (1,), "points": 0}
    assert Words("kartel", "fr", {1: "Ana"}).quote("match-won", facts).startswith("Ana gagne avec 0 point :")
    assert Words("kartel", "en", {1: "Ana"}).quote("match-won", facts).startswith("Ana wins with 0 points:")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_stays_beside_the_name_it_follows_though_that_runs_from_right_to_left(language: str) -> None:
    words = PageWords("stop-it", language, {1: "Ana", 3: "علي"})
    sentence = words.say("news-scored-more", {"counts": [(1, 2), (3, 0)], "seats": [3]})
    assert "Ana 2" in sentence
    assert "\u2068علي\u2069 0" in sentence
