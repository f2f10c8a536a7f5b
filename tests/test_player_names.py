"""What is a name, whose it is, and which two nobody tells apart."""

import re

import pytest

from companion.player_names import MOST_MARKS, alike, key, legible, letters, mixes, written
from companion.words import Words


def test_a_name_is_one_line_without_needless_blanks() -> None:
    assert written(" Ana\r\n  Maria\t") == "Ana Maria"


@pytest.mark.parametrize("letter", [*"\u3164\u2800\u115f\uffa0\u200b\u2060\ufeff\u00ad\u202e\ufe0f\u034f\ud800"])
def test_what_is_not_seen_is_no_name_nor_part_of_one(letter: str) -> None:
    assert written(letter) == written(f" {letter} {letter}") == ""
    assert written(f"A{letter}na") == "Ana"


def test_an_accent_alone_is_no_name() -> None:
    assert written("\u0301") == ""


@pytest.mark.parametrize("mark", ["\u0301", "\u0316\u0301", "\u0489", "\u0301\u200b", "\u0301\u034f", "\u094d\u200d"])
def test_accents_are_not_stacked_to_the_edge_of_the_screen(mark: str) -> None:
    name = written("Z" + mark * 60)
    assert len(name) <= 1 + 2 * MOST_MARKS
    assert written(name) == name
    assert written("Nguye\u0302\u0303n") == "Nguyễn"


def test_an_accent_is_the_same_in_one_letter_or_in_two() -> None:
    assert written("Cle\u0301o") == "Cl\u00e9o"


def test_letters_of_any_script_and_emoji_are_names() -> None:
    for name in ("Zoë", "Łukasz", "Нина", "Ελένη", "小明", "한글", "علي", "🦊", "O'Neill-2"):
        assert written(name) == name


WHOLE = [
    "👩‍🚀",
    "👨‍👩‍👧‍👦",
    "❤️‍🔥",
    "👍🏽",
    "🧑🏽‍🚀",
    "🇫🇷",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "1️⃣",
    "🦊",
]


@pytest.mark.parametrize("emoji", WHOLE)
def test_an_emoji_stays_whole_and_counts_as_one_letter(emoji: str) -> None:
    assert written(f" {emoji}  Zoé{emoji}") == f"{emoji} Zoé{emoji}"
    assert letters(f"{emoji} Zoé{emoji}") == 6


@pytest.mark.parametrize("name", ["نگار\u200cالسادات", "ශ්\u200dරී", "क्\u200dष"])
def test_a_joiner_that_gives_a_letter_its_shape_stays(name: str) -> None:
    assert written(name) == name
    assert key(name) == key(name.replace("\u200c", "").replace("\u200d", ""))


@pytest.mark.parametrize(
    ("name", "count"), [("Ana", 3), ("Cléo", 4), ("Z\u0336oe\u0301", 3), ("Maximilian-Alexander", 20)]
)
def test_letters_are_counted_as_people_count_them(name: str, count: int) -> None:
    assert letters(name) == count


def test_a_joiner_that_joins_nothing_is_no_part_of_a_name() -> None:
    assert written("\u200d") == written("\u2800\u200d\u2800") == ""
    assert written("A\u200dna\u200d") == "Ana"


@pytest.mark.parametrize("other", ["ana", "ANA", " Ana ", "A\u200bna", "\uff21na"])
def test_one_person_however_it_is_typed(other: str) -> None:
    assert key(other) == key("Ana")


def test_who_only_looks_alike_is_somebody_else() -> None:
    assert key("\u0410na") != key("Ana")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("\u0410na", "Ana"),
        ("An\u0430", "ana"),
        ("\u0412\u043e", "Bo"),
        ("\u0421l\u0451o", "Cl\u00ebo"),
        ("\u039dina", "Nina"),
        ("Il", "ll"),
        ("B0", "BO"),
    ],
)
def test_letters_of_other_scripts_that_pass_for_latin_ones_look_alike(name: str, other: str) -> None:
    assert alike(name, other)


@pytest.mark.parametrize("name", ["B\u0585", "\ua4eena", "Ana\U00016fe4", "Ana\U0001107f", "\u0410na"])
def test_a_word_of_several_alphabets_is_told_from_names_that_people_have(name: str) -> None:
    assert mixes(name)
    names = ("Zoë", "Нина Smith", "O'Neill-2", "小明Ana", "ひろ子", "한글", "علي", "क्ष", "𝓐na", *WHOLE)
    assert not any(map(mixes, names))


@pytest.mark.parametrize(("name", "other"), [("Rene", "René"), ("Ana", "Anna"), ("Ian", "Lan"), ("Нина", "Инна")])
def test_names_that_differ_for_whoever_reads_them_do_not(name: str, other: str) -> None:
    assert not alike(name, other)


@pytest.mark.parametrize("name", ["🦄", "👩‍🚀", "★ ★"])
def test_a_name_of_pictures_alone_has_something_to_be_read_beside_it(name: str) -> None:
    assert Words(None, "en", {3: name}).name(3) == legible(name)
    assert re.search("[a-z]", legible(name))


def test_a_picture_is_named_in_english_only_and_by_its_seat_elsewhere() -> None:
    assert Words(None, "es", {3: "🦄"}).name(3) == "🦄 (sitio 3)"
