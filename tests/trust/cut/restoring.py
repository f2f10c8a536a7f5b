"""The power fails while a table is backed up, and while a backup is restored."""

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from companion.cli.restore import put_back
from companion.events import Pressed
from companion.storage.log import Log, LogFault
from tests.cli.test_backup import Kept
from tests.trust.cut.disk import Luck, Told, put
from tests.trust.cut.recording import record
from tests.trust.findings import Finding

AFTER, BEFORE = 2, 6
"""Events of the match in the backup, and of the same match in the log which it takes the place of. That log without its
write-ahead log holds yet another number."""

Broken = Callable[[Path, list[str]], Iterator[str]]
"""Says what is wrong in a folder after so much had been told."""


def cuts(lucks: int, seed: int, every: int = 1) -> Iterator[Finding]:
    """Cut the power after each write of both commands, or every so-manieth, so many times with any luck."""
    with tempfile.TemporaryDirectory() as scratch:
        there = Path(scratch).resolve()
        folder = _killed(Kept(there), there / "killed")
        backup = folder / "backup.zip"
        shutil.move(there / "backup.zip", backup)
        yield _cut("backup", folder, folder / "new.zip", (lucks, seed, every), _backup_broken)
        (folder / "new.zip").unlink()
        yield _cut("restore", folder, backup, (lucks, seed, every), _restore_broken)


def _killed(kept: Kept, to: Path) -> Path:
    """Give the table as it is when its companion is killed: its last events are in the write-ahead log alone."""
    kept.play(AFTER + 1)
    with closing(Log(kept.log, writes=True)) as log:
        for seq in range(AFTER + 2, BEFORE + 1):
            log.append(1, [(Pressed(seq, float(seq), 1), f"press {seq}")])
        return Path(shutil.copytree(kept.folder, to))


def _cut(command: str, folder: Path, file: Path, how: tuple[int, int, int], broken: Broken) -> Finding:
    lucks, seed, every = how
    chance = random.Random(seed)
    trace = folder.parent / "trace"
    disk, steps = record(folder, trace, "companion", command, str(folder / "table.toml"), str(file))
    told: list[str] = []
    wrong: list[str] = []
    tried = 0
    for number, step in enumerate(steps):
        disk.take(step)
        if isinstance(step, Told):
            told.append(step.what)
        if number % every:
            continue
        for luck in (Luck.ALL, Luck.NONE, *chance.choices(list(Luck), k=lucks)):
            left = disk.after_a_cut(luck, chance)
            tried += 1
            found = _broken(left, told, broken)
            wrong += [f"seed {seed}, write {number}, {luck.value}: {what}" for what in found]
    return Finding(f"power cut after a write of `companion {command}`", tried, len(wrong), "; ".join(wrong[:5]))


def _broken(left: Mapping[Path, bytes], told: list[str], broken: Broken) -> list[str]:
    with tempfile.TemporaryDirectory() as scratch:
        put(left, Path(scratch))
        try:
            return [*broken(Path(scratch), told)]
        except Exception as wrong:
            return [f"{type(wrong).__name__}: {wrong}"]


def _backup_broken(folder: Path, told: list[str]) -> Iterator[str]:
    """What was told as written can be restored, at another place; the table is as it was."""
    if _events(folder) != BEFORE:
        yield "the table's own log is another one"
    if any(line.startswith("written") for line in told):
        other = folder / "other"
        other.mkdir()
        list(put_back(other / "table.toml", folder / "new.zip"))
        if _events(other) != BEFORE:
            yield "the backup is not what it was said to be"


def _restore_broken(folder: Path, told: list[str]) -> Iterator[str]:
    """The log is the old one or the new one, whole; the old one is there or was kept; and it can be done again."""
    ended = any(line.startswith("restored to") for line in told)
    there = _events(folder)
    if there not in ((AFTER,) if ended else (AFTER, BEFORE)):
        yield f"a log of {there} events"
    kept = [_events(old) for old in folder.glob("before-restore-*") if (old / "log.sqlite").exists()]
    if there != BEFORE and BEFORE not in kept:
        yield f"what was there before is gone: {kept} events were kept"
    if any(line.startswith("kept") for line in told) and BEFORE not in kept:
        yield "it was told that the old log is kept, and it is not"
    list(put_back(folder / "table.toml", folder / "backup.zip"))
    if _events(folder) != AFTER:
        yield "restored again, it is not what the backup holds"


def _events(folder: Path) -> int | None:
    """Count the match's events; None where they can't be read."""
    try:
        with closing(Log(folder / "log.sqlite", writes=False)) as log:
            return len(log.events(1))
    except LogFault:
        return None
