"""Whoever waits at a terminal sees how far it is, and may break it off without harm."""

import io
import os
import subprocess
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from companion.backups import writing
from companion.backups.restoring import put_back
from companion.backups.writing import see_that_it_can_be_restored, write_backup
from companion.cli.progress import CLEAR, EVERY_S, ProgressLine
from companion.cli.replay import judge_folder
from companion.config import load
from companion.judge.record_file import decode_lines
from companion.storage.log import Log
from tests.cli.kept import FIRST, Kept
from tests.cli.program import started


def break_off(done: int, of: int) -> None:
    """Press Ctrl-C as soon as something is told."""
    raise KeyboardInterrupt


def test_a_line_says_how_far_it_is_now_and_then_and_goes_when_all_is_done() -> None:
    terminal = io.StringIO()
    seconds = 0.0
    line = ProgressLine(terminal, "reading", lambda: seconds)
    line.show(1, 4)
    line.show(2, 4)
    seconds = EVERY_S
    line.show(3, 4)
    line.show(4, 4)
    line.clear()
    assert terminal.getvalue().split(CLEAR) == ["", "reading: 25 % (Ctrl-C stops)", "reading: 75 % (Ctrl-C stops)", ""]


def test_a_terminal_that_is_closed_stops_nothing() -> None:
    with open(os.devnull) as deaf:
        ProgressLine(deaf, "reading").show(1, 2)


@pytest.fixture
def several(backed_up: Kept, tmp_path: Path) -> Kept:
    """A table with three matches, and a backup of it."""
    with closing(Log(backed_up.log, writes=True)) as log:
        for _ in range(2):
            log.open_match("now", False, FIRST)
    backed_up.file = backed_up.backup(tmp_path / "several.zip")
    return backed_up


def errors_of(terminal: bool, *words: str | Path) -> bytes:
    """Run a command to its end; return what it has written to standard error, a terminal or a pipe."""
    ours, theirs = os.openpty() if terminal else os.pipe()
    subprocess.run(started(*words), stdout=subprocess.DEVNULL, stderr=theirs, check=True)
    os.write(theirs, b"ended")
    errors = os.read(ours, 10_000)
    os.close(ours)
    os.close(theirs)
    return errors.removesuffix(b"ended")


def test_a_backup_shows_how_far_it_is_on_a_terminal_alone(several: Kept, tmp_path: Path) -> None:
    errors = errors_of(True, "backup", several.settings, tmp_path / "on-terminal.zip")
    assert b"packing the table: " in errors
    assert b"reading every match: 33 % (Ctrl-C stops)" in errors
    assert errors.endswith(CLEAR.encode())
    assert errors_of(False, "backup", several.settings, tmp_path / "on-pipe.zip") == b""


def test_a_restore_shows_how_far_it_is(several: Kept) -> None:
    errors = errors_of(True, "restore", several.settings, several.file)
    assert b"reading every match: 33 % (Ctrl-C stops)" in errors
    assert errors.endswith(CLEAR.encode())


def test_a_backup_tells_every_byte_and_every_match(backed_up: Kept, tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    write_backup(
        load(backed_up.settings), backed_up.settings, tmp_path / "b.zip", lambda done, of: progress.append((done, of))
    )
    assert progress[-1][0] == progress[-1][1] > backed_up.tags.stat().st_size
    progress.clear()
    see_that_it_can_be_restored(load(backed_up.settings), lambda done, of: progress.append((done, of)))
    assert progress == [(1, 1)]


def test_a_backup_that_is_broken_off_leaves_nothing(backed_up: Kept, tmp_path: Path) -> None:
    present = sorted(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        write_backup(load(backed_up.settings), backed_up.settings, tmp_path / "b.zip", break_off)
    assert sorted(tmp_path.iterdir()) == present


def test_a_restore_that_is_broken_off_while_it_reads_changes_nothing(backed_up: Kept) -> None:
    backed_up.play(3)
    present = backed_up.everything()
    with pytest.raises(KeyboardInterrupt):
        list(put_back(backed_up.settings, backed_up.file, advance=break_off))
    assert backed_up.everything() == present


def test_records_of_a_folder_are_counted(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).touch()
    progress: list[tuple[int, int]] = []
    list(judge_folder(tmp_path, None, decode_lines, lambda done, of: progress.append((done, of))))
    assert progress == [(0, 2), (1, 2)]


def test_a_backup_needs_little_memory_however_long_the_log(backed_up: Kept, tmp_path: Path) -> None:
    backed_up.tags.write_bytes(b"#" * 20 * writing.PIECE + b"\n")
    tracemalloc.start()
    write_backup(load(backed_up.settings), backed_up.settings, tmp_path / "b.zip")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5 * writing.PIECE
