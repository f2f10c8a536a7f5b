"""Sentences for people."""

import pytest

from companion import games
from companion.catalogue import Wording
from companion.languages import LANGUAGES
from companion.words import Words, catalogue


@pytest.mark.parametrize(
    ("name", "elided"),
    [
        ("Anna", "d’Anna"),
        ("Éva", "d’Éva"),
        ("hugo", "d’hugo"),
        ("Bruno", "de Bruno"),
        ("Yves", "d’Yves"),
        ("Yann", "de Yann"),
    ],
)
def test_french_names_elide(name: str, elided: str) -> None:
    words = Words("stop-it", "fr", {1: name})
    assert f"La main {elided} " in words.say("unsorted", {"seat": 1})


@pytest.mark.parametrize(("card", "said"), [("clubs-4", "el 4"), ("spades-12", "la reina")])
def test_spanish_articles_agree_with_the_card(card: str, said: str) -> None:
    words = Words("hearts", "es", {1: "Ana"})
    assert f"sobre {said} de " in words.say("now-follow", {"seats": [1], "card": card})
    assert f"palo de {said} de ".replace("de el ", "del ") in words.say("now-follow-you", {"card": card})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", games.known())
def test_a_game_names_people_not_their_seats_numbers(slug: str, language: str) -> None:
    """Who sits there has a name, and so has the sentence: `{seat}`."""
    common = catalogue(None, language)
    own_wordings = {code: wording for code, wording in catalogue(slug, language).items() if common.get(code) != wording}
    texts = [text for wording in own_wordings.values() for text in wording.texts]
    assert not [text for text in texts if "seat {number}" in text or "place {number}" in text]


@pytest.mark.parametrize(
    ("slug", "code"),
    [
        ("stop-it", "not-started"),
        ("stop-it", "only-caller-restarts"),
        ("stop-me-go", "not-the-winner"),
        ("stop-me-go", "lies-already"),
    ],
)
def test_the_big_screen_says_why_a_lamp_is_red_where_that_reveals_nothing(slug: str, code: str) -> None:
    assert f"{code}-for-all" in catalogue(slug)


def test_a_list_of_names_is_joined_as_people_do() -> None:
    names = {1: "Ana", 2: "Bo", 3: "Cléo"}
    assert Words(None, "en", names).several([*names.values()]) == "Ana, Bo and Cléo"
    assert Words(None, "fr", names).several(["Ana", "Bo"]) == "Ana et Bo"
    assert Words(None, "en", names).several([]) == ""


def test_pairs_of_seat_and_number_are_shown_by_name_whatever_they_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    words = Words("go", "en", {1: "Ana", 2: "Bo"})
    entry = Wording("Melds: {melds}.")
    monkeypatch.setattr(words, "_entries", {**words._entries, "melds": entry})
    assert words.say("melds", {"melds": ((1, 3), (2, 0))}) == "Melds: Ana 3 and Bo 0."


def test_a_plus_before_a_fact_shows_it_as_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    words = Words("go", "en")
    entry = Wording("Meld: {+meld}.")
    monkeypatch.setattr(words, "_entries", {**words._entries, "meld": entry})
    assert words.say("meld", {"meld": 3}) == "Meld: +3."
    assert words.say("meld", {"meld": -3}) == "Meld: −3."
