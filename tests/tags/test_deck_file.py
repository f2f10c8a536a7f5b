"""The file of tags: read, written after every card, and never losing what a person wrote."""

import os
from pathlib import Path

import pytest

from companion import games
from companion.game import Pieces
from companion.tags.deck import Deck, TagsFault, decks_in
from companion.tags.deck_file import Decks, put, written

OWN = """\
# Our table's decks.

[kartel]   # from grandma
# the boss lost a corner
red-boss = "04:a1:b2:c3"  # new in May
blue-3 = "04D4E5F6"

[stop-it]
box = { colours = ["red", "blue"] }
red-1 = "04040411"
# nothing yet for the others
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "tags.toml"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_a_tag_is_known_as_its_card(path: Path) -> None:
    assert Decks(path).cards == {
        "04A1B2C3": ("kartel", "red-boss"),
        "04D4E5F6": ("kartel", "blue-3"),
        "04040411": ("stop-it", "red-1"),
    }


def test_a_deck_knows_what_its_box_lacks(path: Path) -> None:
    deck = Decks(path).deck("stop-it")
    assert deck.box.colours == ("red", "blue")
    assert deck.missing[0] == "red-2"


def test_no_file_yet_is_no_deck(tmp_path: Path) -> None:
    assert Decks(tmp_path / "tags.toml").cards == {}
    assert Decks(None).cards == {}


def test_a_card_that_is_kept_is_on_disk_and_known_at_once(path: Path) -> None:
    decks = Decks(path)
    decks.keep(decks.deck("kartel").with_tag("red-1", "04040422"))
    assert decks.cards["04040422"] == ("kartel", "red-1")
    assert Decks(path).cards == decks.cards


def test_what_a_person_wrote_stays(path: Path) -> None:
    decks = Decks(path)
    decks.keep(decks.deck("kartel").with_tag("red-1", "04040422"))
    boss = 'red-boss = "04:a1:b2:c3"  # new in May\n'
    assert path.read_text(encoding="utf-8") == OWN.replace(boss, f'{boss}red-1 = "04040422"\n')


FORMATTED = {
    "aligned, with quoted keys": """\
[ "kartel" ] # Ana's
  'red-boss' = "040404A1" # the boss's
  "blue-3"   = '040404D4'
""",
    "as one value": """\
kartel = { red-boss = "040404A1", blue-3 = "040404D4" } # Ana's
""",
    "with a box over several lines": """\
[stop-it]
box = { colours = [
  "red", # ours
  "blue",
] }
[kartel]
red-boss = "040404A1"
""",
    "with line ends of Windows": """\
[kartel]\r
# Ana's\r
red-boss = "040404A1"\r
\r
# Bo's\r
[stop-it]\r
red-1 = "04040404"\r
""",
}


@pytest.mark.parametrize("text", FORMATTED.values(), ids=FORMATTED.keys())
def test_what_a_formatter_wrote_stays_when_a_sticker_comes_and_goes(tmp_path: Path, text: str) -> None:
    path = tmp_path / "formatted.toml"
    path.write_bytes(text.encode())
    decks = Decks(path)
    decks.keep(decks.deck("kartel").with_tag("red-1", "04040422"))
    assert Decks(path).deck("kartel").tags["red-1"] == "04040422"
    decks.keep(decks.deck("kartel").with_tag("red-1", None))
    assert path.read_bytes().decode() == text


def test_a_comment_of_a_card_that_has_no_sticker_any_more_stays(path: Path) -> None:
    decks = Decks(path)
    decks.keep(decks.deck("kartel").with_tag("red-boss", None))
    text = path.read_text(encoding="utf-8")
    assert "# the boss lost a corner" in text
    assert "# new in May" in text
    assert "red-boss" not in text


def test_what_somebody_writes_meanwhile_is_not_written_over(path: Path) -> None:
    decks = Decks(path)
    path.write_text(OWN + 'blue-2 = "04040499"\n', encoding="utf-8")
    with pytest.raises(TagsFault, match="changed in the meantime"):
        decks.keep(decks.deck("kartel").with_tag("red-1", "04040422"))
    decks.read()
    decks.keep(decks.deck("kartel").with_tag("red-1", "04040422"))
    assert Decks(path).cards["04040499"] == ("stop-it", "blue-2")


def test_a_file_that_cannot_be_written_is_told_and_nothing_is_known_that_is_not_kept(path: Path) -> None:
    decks = Decks(path)
    (path.parent / f"{path.name}.new").mkdir()
    with pytest.raises(TagsFault, match="can't write"):
        decks.keep(decks.deck("kartel").with_tag("red-1", "04040422"))
    assert "04040422" not in decks.cards
    assert path.read_text(encoding="utf-8") == OWN


def test_a_table_without_a_file_of_tags_is_told_what_to_add() -> None:
    decks = Decks(None)
    with pytest.raises(TagsFault, match="add tags"):
        decks.keep(decks.deck("kartel"))


def test_what_it_says_of_a_game_that_is_not_here_stays(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    strange = '# Lent to Bo.\n[chess]\nking = "040404AA"  # white\n'
    path.write_text(f'[kartel]\nred-1 = "040404A1"\n\n{strange}\n# Mine.\n[stop-it]\n', encoding="utf-8")
    decks = Decks(path)
    assert decks.strange == ("chess",)
    decks.keep(decks.deck("kartel").with_tag("red-3", "040404A3"))
    assert strange in path.read_text(encoding="utf-8")
    assert Decks(path).deck("kartel").tags == {"red-1": "040404A1", "red-3": "040404A3"}


def test_a_link_stays_a_link_and_the_rights_stay(path: Path) -> None:
    os.chmod(path, 0o640)
    link = path.with_name("link.toml")
    link.symlink_to(path)
    put(link, "# new\n")
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "# new\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert not list(path.parent.glob("*.new"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[kartel]\nred-9 = "04"\n', "no card 'red-9'"),
        ('[kartel]\nred-1 = "phone"\n', "hexadecimal"),
        ("[kartel]\nred-1 = 4\n", "hexadecimal"),
        ('[kartel]\nred-1 = "040404A1"\nred-3 = "04:04:04:a1"\n', "both kartel/red-1 and kartel/red-3"),
        ('[stop-it]\nbox = { colours = ["pink"] }\n', "box of stop-it"),
        ("[kartel]\nbox = { gangs = 5 }\n", "always the same"),
        ("kartel = 3\n", "must be a table"),
        ("[kartel\n", "not readable"),
        ("[kartel]\nred-boss = " + 9999 * "[", "not readable"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "tags.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TagsFault, match=why):
        Decks(path)


@pytest.mark.parametrize("game", games.with_tags().values(), ids=games.with_tags().keys())
def test_a_whole_deck_is_read_as_it_was_written(game: Pieces) -> None:
    deck = Deck(game.slug, game.box(), {card: f"04{number:012X}" for number, card in enumerate(game.deck)})
    assert decks_in(written([deck]), "here") == {game.slug: deck}


@pytest.mark.parametrize("text", ["# more\n" * 200_000, "a" + ".a" * 50_000 + " = 1"], ids=["huge", "an endless line"])
def test_what_is_no_file_of_tags_is_told_at_once(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TagsFault, match=r"not readable: (a line|larger)"):
        Decks(path)


@pytest.mark.parametrize("end", ["\x85", "\u2028", "\u2029"])
def test_only_a_line_feed_ends_a_line_of_what_was_written_by_hand(tmp_path: Path, end: str) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(f'# ours{end}red-1 = 5\n[strange] # of ours{end}too\nx-1 = "0477"\n[kartel]\n', encoding="utf-8")
    decks = Decks(path)
    decks.keep(decks.deck("kartel").with_tag("red-1", "04040422"))
    text = path.read_text(encoding="utf-8")
    assert f"# ours{end}red-1 = 5" in text
    assert f"[strange] # of ours{end}too" in text
    assert Decks(path).deck("kartel").tags == {"red-1": "04040422"}


@pytest.mark.parametrize(
    "spelt",
    [
        "04A1B2C3D4E5F6",
        "04a1b2c3d4e5f6",
        "04:A1:B2:C3:D4:E5:F6",
        "04-A1-B2-C3-D4-E5-F6",
        "04 A1 B2 C3 D4 E5 F6",
        " 04a1b2c3d4e5f6\t",
        "0x04A1B2C3D4E5F6",
        "0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6",
        "04.a1.b2.c3.d4.e5.f6",
    ],
)
def test_a_number_is_known_however_it_is_spelt(spelt: str) -> None:
    [deck] = decks_in(f'[kartel]\nred-1 = "{spelt}"\n', "tags.toml").values()
    assert deck.tags == {"red-1": "04A1B2C3D4E5F6"}


@pytest.mark.parametrize("number", ["04A1B2C3", "04A1B2C3D4E5F6", "04A1B2C3D4E5F60718AB"])
def test_a_number_has_four_seven_or_ten_bytes(number: str) -> None:
    assert decks_in(f'[kartel]\nred-1 = "{number}"\n', "tags.toml")["kartel"].tags == {"red-1": number}


@pytest.mark.parametrize(
    ("spelt", "why"),
    [
        ('"4A1B2C3D4E5F6"', "has 13 digits"),
        ('"04A1B29FC3D4E5F6"', "has 16 digits"),
        ('"DD17380AF8"', "has 10 digits"),
        ('"1303974637004278"', "has 16 digits"),
        ('"04A1"', "has 4 digits"),
        ('""', "hexadecimal digits"),
        ('"0x"', "hexadecimal digits"),
        ('"04A1B2G3"', "hexadecimal digits"),
        ("1303974637004278", "hexadecimal digits"),
        ('"8804A1B2"', "begins with 88"),
        ('"0804A1B2"', "another number each time"),
        ('"00000000"', "all 0 or all F"),
        ('"FF:FF:FF:FF:FF:FF:FF"', "all 0 or all F"),
    ],
)
def test_a_number_that_no_tag_has_is_told_with_the_way_on(spelt: str, why: str) -> None:
    with pytest.raises(TagsFault, match=why) as fault:
        decks_in(f"[kartel]\nred-1 = {spelt}\n", "tags.toml")
    assert "the uid of kartel red-1" in str(fault.value)
