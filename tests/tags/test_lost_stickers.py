"""A file of stickers that a power cut emptied: told, never written over, brought back from its copy."""

from pathlib import Path

import pytest

from companion.storage.ailments import AilmentCode, Remedy
from companion.storage.last_copy import copy_of, keep_copy
from companion.tags.deck import TagsFault, TagsLost
from companion.tags.deck_file import Decks

TAGS = '# mine\n[stop-it]\nred-1 = "04A1B2C3D4E5F6"\n'


@pytest.fixture
def tags(tmp_path: Path) -> Path:
    tags = tmp_path / "tags.toml"
    tags.write_text(TAGS)
    keep_copy(tags)
    return tags


def test_emptied_stickers_are_told_with_the_way_back(tags: Path) -> None:
    tags.write_bytes(b"")
    with pytest.raises(TagsLost, match=r"is empty, and was not before.*tags\.toml\.last"):
        Decks(tags)
    decks = Decks(tags, goes_on_without=True)
    ailment = decks.ailment()
    assert ailment
    assert (ailment.code, ailment.remedies) == (AilmentCode.STICKERS_LOST, (Remedy.LAST_COPY, Remedy.ANEW))
    assert decks.cards == {}


def test_stickers_that_end_in_nul_bytes_are_wrong_and_the_last_that_worked_are_offered(tags: Path) -> None:
    tags.write_bytes(TAGS.encode()[:20] + bytes(20))
    ailment = Decks(tags, goes_on_without=True).ailment()
    assert ailment
    assert (ailment.code, ailment.remedies) == (AilmentCode.STICKERS_WRONG, (Remedy.LAST_COPY, Remedy.ANEW))


def test_stickers_of_junk_are_told_with_the_line_and_the_cure(tags: Path) -> None:
    tags.write_bytes(TAGS.encode() + b"\x93\xfa\n")
    with pytest.raises(TagsFault, match=r"tags\.toml, line 4: not UTF-8 text\. Save it as UTF-8 in your editor"):
        Decks(tags)


def test_nothing_is_written_over_lost_stickers(tags: Path) -> None:
    tags.write_bytes(b"")
    decks = Decks(tags, goes_on_without=True)
    with pytest.raises(TagsFault):
        decks.keep(decks.deck("stop-it"))
    assert (tags.read_bytes(), copy_of(tags).read_text()) == (b"", TAGS)


def test_stickers_are_brought_back_with_their_comments(tags: Path) -> None:
    tags.write_bytes(b"")
    decks = Decks(tags, goes_on_without=True)
    decks.bring_back()
    assert decks.ailment() is None
    assert decks.cards == {"04A1B2C3D4E5F6": ("stop-it", "red-1")}
    assert tags.read_text() == TAGS


def test_stickers_begun_anew_can_be_put_on(tags: Path) -> None:
    tags.write_bytes(b"")
    decks = Decks(tags, goes_on_without=True)
    decks.begin_anew()
    assert decks.ailment() is None
    decks.keep(decks.deck("stop-it"))
    assert Decks(tags).ailment() is None


def test_every_sticker_that_is_put_on_is_in_the_copy(tags: Path) -> None:
    decks = Decks(tags)
    decks.keep(decks.deck("kartel"))
    assert copy_of(tags).read_bytes() == tags.read_bytes()


MORE = TAGS + 'yellow-2 = "04A1B2C3D4E5F7"\n[elsewhere]\nking = "04A1B2C3D4E5F8"\n'
BY_PEOPLE = {
    "a card more": MORE.replace("[elsewhere]", 'green-1 = "04A1B2C3D4E5F9"\n[elsewhere]'),
    "another sticker on a card": MORE.replace("E5F7", "E5FA"),
    "a sticker on another card": MORE.replace("yellow-2", "green-1"),
    "a section with another name": MORE.replace("[elsewhere]", "[kartel-elsewhere]"),
    "other comments": MORE.replace("# mine\n", ""),
}


@pytest.fixture
def cut(tags: Path) -> Path:
    """A list of stickers that is right as it stands, but whose end is lacking."""
    tags.write_text(MORE)
    keep_copy(tags)
    tags.write_text(TAGS)
    return tags


def test_stickers_that_are_lacking_are_told_and_the_others_are_used(cut: Path) -> None:
    decks = Decks(cut, goes_on_without=True)
    ailment = decks.ailment()
    assert ailment
    assert (ailment.code, ailment.facts) == (AilmentCode.STICKERS_FEWER, {"number": 2})
    assert ailment.remedies == (Remedy.LAST_COPY, Remedy.AS_IT_IS)
    assert "elsewhere/king, stop-it/yellow-2" in ailment.says
    assert decks.cards == {"04A1B2C3D4E5F6": ("stop-it", "red-1")}


def test_a_deck_whose_section_names_no_game_any_more_is_told(tags: Path) -> None:
    tags.write_text(TAGS.replace("[stop-it]", "[stopit]"))
    decks = Decks(tags, goes_on_without=True)
    decks.keep_copy()
    ailment = decks.ailment()
    assert ailment
    assert (ailment.code, ailment.facts) == (AilmentCode.STICKERS_FEWER, {"number": 1})
    assert copy_of(tags).read_text() == TAGS


def test_a_start_leaves_the_copy_of_stickers_that_are_lacking(cut: Path) -> None:
    Decks(cut).keep_copy()
    assert copy_of(cut).read_text() == MORE


def test_nothing_is_written_until_it_is_known_whether_stickers_are_meant_to_lack(cut: Path) -> None:
    decks = Decks(cut)
    with pytest.raises(TagsFault, match="taken out on purpose"):
        decks.keep(decks.deck("kartel"))
    assert (cut.read_text(), copy_of(cut).read_text()) == (TAGS, MORE)


def test_lacking_stickers_are_brought_back(cut: Path) -> None:
    decks = Decks(cut)
    decks.bring_back()
    assert decks.ailment() is None
    assert cut.read_text() == MORE
    assert len(decks.cards) == 2


def test_stickers_taken_out_on_purpose_are_told_no_more(cut: Path) -> None:
    decks = Decks(cut)
    decks.use_as_it_is()
    assert decks.ailment() is None
    assert Decks(cut).ailment() is None
    decks.keep(decks.deck("kartel"))
    assert cut.with_name("tags.toml.last.aside-1").read_text() == MORE


@pytest.mark.parametrize("written", BY_PEOPLE.values(), ids=BY_PEOPLE)
def test_stickers_that_people_change_or_add_are_no_ailment(cut: Path, written: str) -> None:
    cut.write_text(written)
    assert Decks(cut).ailment() is None
