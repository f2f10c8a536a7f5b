"""Which spellings are one person's name, and which two names nobody can tell apart at a table."""

import pytest

from companion.player_names import alike, key, written
from tests.confusables import MADE, table

ONE_NAME = [
    # As phones write what people mean by one key.
    *(("N'Golo", f"N{mark}Golo") for mark in "’‘ʼʻ′´`ʹˈ＇‛ꞌ՚"),
    *(("Jean-Luc", f"Jean{dash}Luc") for dash in "‐‑‒–—―−－﹣⁃˗־"),
    *[("Jean-Luc", "Jean - Luc"), ("Jean-Luc", "Jean--Luc"), ('"Bo"', "“Bo”"), ('"Bo"', "„Bo‟"), ("A...", "A…")],
    *[("Anne Marie", "Anne  Marie"), ("Anne Marie", "Anne\u00a0Marie"), ("Anne Marie", "Anne\u202fMarie")],
    # In capitals.
    *[
        ("STRASSE", "Straße"),
        ("STRAẞE", "Straße"),
        ("Σίσυφος", "ΣΙΣΥΦΟΣ"),
        ("Ελένη", "ΕΛΕΝΗ"),
        ("ǅ", "ǆ"),
        ("ſam", "SAM"),
    ],
    *[
        ("İrem", "irem"),
        ("İREM", "İrem"),
        ("IRMAK", "ırmak"),
        ("YILDIZ", "Yıldız"),
        ("IŞIL", "Işıl"),
        ("ÇAĞRI", "Çağrı"),
    ],
    # In one character or several, or with what nobody sees.
    *[
        ("José", "Jose\u0301"),
        ("がく", "か\u3099く"),
        ("ﬁna", "fina"),
        ("Ｔaro", "Taro"),
        ("ﾀﾛｳ", "タロウ"),
        ("Ⅳ", "IV"),
    ],
    *[
        ("❤️", "❤"),
        ("Ana", "A\u034fna"),
        ("Ana", "Ana\U000e0041"),
        ("Ana", "A\u180bna"),
        ("Ana", "A\ufff0na"),
        ("Ana", "\u2066Ana\u2069"),
    ],
    *(("Ána", f"A{marks}na") for marks in ("\u0301", "\u0301\u0301", "\u0301\u0301\u0301")),
    # On another country's keyboard.
    *[
        ("Ștefan", "Ştefan"),
        ("Țiriac", "Ţiriac"),
        ("علي", "علی"),
        ("کریم", "كريم"),
        ("محمد", "مُحَمَّد"),
        ("محمد", "محمـــد"),
    ],
    *[("שלום", "שָׁלוֹם"), ("Ana 2", "Ana ٢"), ("Ana 2", "Ana ２")],
    # With the full stop that phones make of a second blank.
    *[("Ana", "Ana. "), ("Ana", "Ana."), ("Ana M", "Ana M."), ("太郎", "太郎。"), ("अना", "अना।"), ("Ana", "Ana ..")],
]
TWO_NAMES = [
    *[
        ("Ana", "Aña"),
        ("Ana", "Anna"),
        ("Ana", "Ana2"),
        ("Lea", "Léa"),
        ("Rene", "René"),
        ("Zoe", "Zoë"),
        ("Müller", "Mueller"),
    ],
    *[
        ("Işıl", "İşil"),
        ("Ana", "Anа"),
        ("Bo", "Во"),
        ("l", "I"),
        ("ONeil", "O'Neil"),
        ("Jeanluc", "Jean-Luc"),
        ("Нина", "Инна"),
    ],
    *[
        ("Gal", "Gaël"),
        ("Søren", "Soren"),
        ("Łukasz", "Lukasz"),
        ("か", "が"),
        ("ハナ", "バナ"),
        ("🦊", "🦁"),
        ("!", "?"),
        (".", "!"),
        ("J.R", "JR"),
    ],
]
LOOK_ALIKE = [
    *[
        ("Ana", "\u0410na"),
        ("An\u0430", "ana"),
        ("\u0412\u043e", "Bo"),
        ("ВО", "bo"),
        ("Νina", "Nina"),
        ("Il", "ll"),
        ("B0", "BO"),
    ],
    *[
        ("A1i", "Ali"),
        ("Bo", "Ᏼo"),
        ("Ana", "Ꭺna"),
        ("ana", "ɑnɑ"),
        ("Оля", "Oля"),
        ("Tom", "Тоm"),
        ("Max", "Мах"),
        ("Zoe", "Ζοe"),
    ],
]
TOLD_APART = [
    ("Ian", "Lan"),
    ("Ana", "Anna"),
    ("Rene", "René"),
    ("Нина", "Инна"),
    ("Léa", "Lea"),
    ("Kim", "Tim"),
    ("Ina", "Lna"),
]


@pytest.mark.parametrize(("name", "other"), ONE_NAME)
def test_spellings_that_phones_make_of_one_name_are_one_person(name: str, other: str) -> None:
    assert key(name) == key(other)
    assert alike(name, other), "they can't play in one match"


@pytest.mark.parametrize(("name", "other"), TWO_NAMES)
def test_names_that_differ_are_two_people(name: str, other: str) -> None:
    assert key(name) != key(other)


@pytest.mark.parametrize(("name", "other"), LOOK_ALIKE)
def test_two_whom_nobody_can_tell_apart_look_alike(name: str, other: str) -> None:
    assert alike(name, other)
    assert alike(other, name)


@pytest.mark.parametrize(("name", "other"), TOLD_APART)
def test_two_whom_a_reader_tells_apart_do_not(name: str, other: str) -> None:
    assert not alike(name, other)


@pytest.mark.parametrize("name", [name for pair in (*ONE_NAME, *TWO_NAMES, *LOOK_ALIKE) for name in pair])
def test_a_key_is_its_own_key_and_every_name_that_can_be_read_has_one(name: str) -> None:
    """What an earlier version has kept by its key is found again by the key of that."""
    assert key(key(name)) == key(name)
    assert bool(key(name)) == bool(written(name))


def test_a_name_stays_as_it_is_typed_but_for_accents_on_top_of_the_same_accent() -> None:
    for name in ("N’Golo", "Jean‑Luc", "Işıl", "Ştefan", "مُحَمَّد", "STRASSE"):
        assert written(name) == name
    assert written("A\u0301\u0301\u0301na") == "Ána"


@pytest.mark.parametrize("name", ["ـ", "\u064b", "-", "'", "·", "ı", "İ"])
def test_a_name_of_hardly_anything_has_a_key_if_it_can_be_seen(name: str) -> None:
    assert bool(key(name)) == bool(written(name))


def test_the_table_is_as_unicodes_file_says() -> None:
    text = "\ufeff# confusables.txt\n0430 ;\t0061 ;\tMA\t# ( а → a )\nFF41 ;\t0061 ;\tMA\t# left out: NFKC\n"
    assert table(text) == {"a": "а"}
    assert '"a": ' in MADE.read_text(encoding="utf-8")
