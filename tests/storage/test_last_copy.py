"""The copy beside a small file: it is there when the file is lost, and nothing is ever deleted."""

from pathlib import Path

import pytest

from companion.storage.last_copy import (
    bring_back,
    copy_of,
    give_up,
    is_cut,
    is_lost,
    keep_copy,
    says_something,
    set_aside,
    use_as_it_is,
)

LOSSES = {
    "empty": b"",
    "NUL bytes": bytes(4096),
    "blanks": b" \r\n\t\n",
    "the mark of an empty text": b"\xef\xbb\xbf",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that works."""
    file = tmp_path / "tags.toml"
    file.write_text("[stop-it]\n")
    file.chmod(0o640)
    keep_copy(file)
    return file


@pytest.mark.parametrize("left", LOSSES.values(), ids=LOSSES)
def test_a_file_that_said_something_and_says_nothing_is_lost(file: Path, left: bytes) -> None:
    assert not is_lost(file)
    file.write_bytes(left)
    assert is_lost(file)
    keep_copy(file)
    assert copy_of(file).read_text() == "[stop-it]\n"


def test_a_file_that_is_gone_is_lost(file: Path) -> None:
    file.unlink()
    assert is_lost(file)


def test_a_file_that_never_said_anything_is_not_lost(tmp_path: Path) -> None:
    empty = tmp_path / "tags.toml"
    assert not is_lost(empty)
    empty.touch()
    keep_copy(empty)
    assert not is_lost(empty)
    assert not copy_of(empty).exists()


def test_what_is_brought_back_is_as_it_was_and_what_stood_there_is_kept(file: Path) -> None:
    for number in (1, 2):
        file.write_bytes(bytes(number))
        bring_back(file)
        assert file.read_text() == "[stop-it]\n"
        assert file.stat().st_mode & 0o777 == 0o640
        assert file.with_name(f"tags.toml.aside-{number}").read_bytes() == bytes(number)


def test_what_is_given_up_is_kept_and_lost_no_more(file: Path) -> None:
    file.write_bytes(b"")
    give_up(file)
    assert not is_lost(file)
    assert not says_something(file)
    assert file.with_name("tags.toml.last.aside-1").read_text() == "[stop-it]\n"


def test_nothing_is_moved_aside_where_nothing_is(tmp_path: Path) -> None:
    assert set_aside(tmp_path / "tags.toml") is None


LONG = b"name = 'A'\n\n[[reader]]\nplace = 'seat-1'\n\n# the box\n[[buzzers]]\nport = 8080\n"
LEFT_BY_A_CUT = {
    "at the end of a line": LONG[:11],
    "with the rest blank": LONG[:11] + b"   \n\n",
    "with the rest NUL bytes": LONG[:11] + bytes(30),
    "within a line": LONG[:-3],
    "before the last line": LONG[: LONG.index(b"port")],
}
WRITTEN_BY_PEOPLE = {
    "the same": LONG,
    "blanks less": LONG.rstrip(),
    "more": LONG + b"seats = [1]\n",
    "another value at the end": LONG.replace(b"8080", b"80"),
    "a section less in the middle": LONG.replace(b"[[reader]]\nplace = 'seat-1'\n", b""),
    "a line made a comment": LONG.replace(b"port", b"# port"),
    "no TOML any more": LONG[: LONG.index(b"\n# the box")].replace(b"'seat-1'", b"seat-1"),
}


@pytest.mark.parametrize("left", LEFT_BY_A_CUT.values(), ids=LEFT_BY_A_CUT)
def test_a_file_that_is_the_beginning_of_what_it_was_is_cut(file: Path, left: bytes) -> None:
    file.write_bytes(LONG)
    keep_copy(file)
    file.write_bytes(left)
    assert is_cut(file)


@pytest.mark.parametrize("written", WRITTEN_BY_PEOPLE.values(), ids=WRITTEN_BY_PEOPLE)
def test_a_file_that_people_changed_is_not_cut(file: Path, written: bytes) -> None:
    file.write_bytes(LONG)
    keep_copy(file)
    file.write_bytes(written)
    assert not is_cut(file)


SECTIONS = (
    b"name = 'A'\n[page]\nport = 8080\n[[reader]]\nplace = 'seat-1'\n[[reader]]\nplace = 'seat-2'\n[club]\nname = 'A'\n"
)
WITHOUT_CLUB = SECTIONS[: SECTIONS.index(b"[club]")]


@pytest.mark.parametrize(
    "left",
    [
        WITHOUT_CLUB.replace(b"8080", b"80"),
        WITHOUT_CLUB.replace(b"name = 'A'\n", b"# mine\n"),
        WITHOUT_CLUB.replace(b"[page]", b"[page] # ours").removesuffix(b"place = 'seat-2'\n"),
        b"name = 'B'\n",
    ],
)
def test_a_file_that_was_edited_and_lacks_its_last_sections_is_cut(file: Path, left: bytes) -> None:
    file.write_bytes(SECTIONS)
    keep_copy(file)
    file.write_bytes(left)
    assert is_cut(file)


@pytest.mark.parametrize(
    "written",
    [
        SECTIONS.replace(b"8080", b"80"),
        SECTIONS.replace(b"[[reader]]\nplace = 'seat-1'\n", b"").replace(b"8080", b"80"),
        WITHOUT_CLUB.replace(b"[page]", b"[club]\nname = 'A'\n[page]"),
        SECTIONS.replace(b"[page]\nport = 8080\n", b""),
        b"\xff" + WITHOUT_CLUB,
    ],
)
def test_a_file_whose_last_sections_are_there_is_not_cut(file: Path, written: bytes) -> None:
    file.write_bytes(SECTIONS)
    keep_copy(file)
    file.write_bytes(written)
    assert not is_cut(file)


def test_who_takes_one_of_several_like_sections_out_has_cut_nothing(file: Path) -> None:
    readers = [b"[[reader]]\nplace = 'seat-%d'\n" % seat for seat in (1, 2, 3)]
    file.write_bytes(b"".join(readers))
    keep_copy(file)
    file.write_bytes(readers[0].replace(b"'", b'"') + readers[2])
    assert not is_cut(file)


def test_a_file_that_lost_only_comments_is_not_cut(file: Path) -> None:
    file.write_bytes(LONG + b"\n# made by Ana\n")
    keep_copy(file)
    file.write_bytes(LONG)
    assert not is_cut(file)


def test_a_file_that_is_meant_to_be_so_is_not_cut_any_more_and_what_it_was_is_kept(file: Path) -> None:
    file.write_bytes(LONG)
    keep_copy(file)
    file.write_bytes(LONG[:11])
    use_as_it_is(file)
    assert not is_cut(file)
    assert copy_of(file).read_bytes() == LONG[:11]
    assert file.with_name("tags.toml.last.aside-1").read_bytes() == LONG
