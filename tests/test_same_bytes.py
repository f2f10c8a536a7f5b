"""What a release is packed into depends on what it holds, and on nothing else."""

import os
import tarfile
from pathlib import Path

from tests.same_bytes import differing, pack_folder

AT = 1_800_000_000


def folder_in(place: Path, *names: str, mask: int, at: float) -> Path:
    """Make a folder with these files, in this order, as somebody with that umask at that time."""
    mask_before = os.umask(mask)
    folder = place / "thing"
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text(name)
        os.utime(folder / name, (at, at))
    (folder / "program").chmod(0o777 & ~mask)
    os.umask(mask_before)
    return folder


def test_a_folder_is_packed_into_the_same_bytes_by_everybody(tmp_path: Path) -> None:
    for place, names, mask, at in (
        ("a", ("program", "text"), 0o022, 1e9),
        ("b", ("text", "program"), 0o077, 1.7e9),
    ):
        pack_folder(folder_in(tmp_path / place, *names, mask=mask, at=at), tmp_path / place / "thing.tar.gz", AT)
    assert (tmp_path / "a/thing.tar.gz").read_bytes() == (tmp_path / "b/thing.tar.gz").read_bytes()


def test_what_is_packed_is_what_was_there(tmp_path: Path) -> None:
    pack_folder(folder_in(tmp_path, "program", "text", mask=0o022, at=1e9), tmp_path / "thing.tar.gz", AT)
    with tarfile.open(tmp_path / "thing.tar.gz") as archive:
        assert {entry.name: entry.mode for entry in archive} == {
            "thing": 0o755,
            "thing/program": 0o755,
            "thing/text": 0o644,
        }
        text = archive.extractfile("thing/text")
        assert text
        assert text.read() == b"text"


def test_whatever_differs_is_named(tmp_path: Path) -> None:
    for place in ("a", "b"):
        folder_in(tmp_path / place, "alike", "other", "program", mask=0o022, at=1e9)
    (tmp_path / "b/thing/other").write_text("changed")
    (tmp_path / "a/thing/only here").touch()
    assert [*differing(tmp_path / "a", tmp_path / "b")] == ["thing/only here", "thing/other"]
