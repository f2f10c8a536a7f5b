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
