"""What is a name, whose it is, and which two nobody tells apart."""

import pytest

from companion.names import key, look, written


def test_a_name_is_one_line_without_needless_blanks() -> None:
    assert written(" Ana\r\n  Maria\t") == "Ana Maria"


@pytest.mark.parametrize("letter", [*"\u3164\u2800\u115f\uffa0\u200b\u2060\ufeff\u00ad\u202e\ufe0f\u034f\ud800"])
def test_what_is_not_seen_is_no_name_nor_part_of_one(letter: str) -> None:
    assert written(letter) == written(f" {letter} {letter}") == ""
    assert written(f"A{letter}na") == "Ana"


def test_an_accent_alone_is_no_name() -> None:
    assert written("\u0301") == ""


def test_an_accent_is_the_same_in_one_letter_or_in_two() -> None:
    assert written("Cle\u0301o") == "Cl\u00e9o"


def test_letters_of_any_script_and_emoji_are_names() -> None:
    for name in ("Zoë", "Łukasz", "Нина", "Ελένη", "小明", "한글", "علي", "🦊", "O'Neill-2"):
        assert written(name) == name


@pytest.mark.parametrize("other", ["ana", "ANA", " Ana ", "A\u200bna", "\uff21na"])
def test_one_person_however_it_is_typed(other: str) -> None:
    assert key(other) == key("Ana")


def test_who_only_looks_alike_is_somebody_else() -> None:
    assert key("\u0410na") != key("Ana")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\u0410na", "Ana"),
        ("An\u0430", "ana"),
        ("\u0412\u043e", "Bo"),
        ("\u0421l\u0451o", "Cl\u00ebo"),
        ("\u039dina", "Nina"),
    ],
)
def test_letters_of_other_scripts_that_pass_for_latin_ones_look_alike(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(("one", "other"), [("Rene", "René"), ("Ana", "Anna"), ("Ian", "Lan"), ("Нина", "Инна")])
def test_names_that_differ_for_whoever_reads_them_do_not(one: str, other: str) -> None:
    assert look(one) != look(other)
