"""The power fails while a table is backed up, while a backup is restored, while an old log is taken over, and while a
table is brought to its service.

    python -m tests.trust.cut.restoring take-over LOG

takes over that log, plays on, and tells what it has kept;

    python -m tests.trust.cut.restoring bring TABLE.toml FOLDER

brings that table to the folder.
"""

import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from companion.backups.restoring import put_back
from companion.cli import service
from companion.config import load
from companion.events import Event, Player, Pressed, Started
from companion.storage import log_layout
from companion.storage.files import old_layout_of
from companion.storage.log import Log
from companion.storage.opening import LogFault
from tests.cli.kept import Kept
from tests.storage import layout_1
from tests.trust.cut.disk import Luck, Told, put
from tests.trust.cut.recording import aloud, record
from tests.trust.findings import Finding

AFTER, BEFORE = 2, 6
"""Events of the match in the backup, and of the same match in the log which it takes the place of. That log without its
write-ahead log holds yet another number."""

PLAYED_ON = 3
_FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
OLD: dict[int, tuple[Event, ...]] = {
    match: (_FIRST, *(Pressed(seq, float(seq), 1) for seq in range(2, 2 + events)))
    for match, events in {1: 60, 2: 3}.items()
}
"""The matches of an old log, which takes some pages."""

Broken = Callable[[Path, list[str]], Iterator[str]]
"""Says what is wrong in a folder after so much had been told."""


def cuts(lucks: int, seed: int, every: int = 1) -> Iterator[Finding]:
    """Cut the power after each write of both commands, or every so-manieth, so many times with any luck."""
    with tempfile.TemporaryDirectory() as scratch:
        there = Path(scratch).resolve()
        folder = _killed(Kept(there), there / "killed")
        backup = folder / "backup.zip"
        shutil.move(there / "backup.zip", backup)
        settings = str(folder / "table.toml")
        how = (lucks, seed, every)
        command = "companion", "backup", settings, str(folder / "new.zip")
        yield cut("of `companion backup`", folder, command, how, _backup_broken)
        (folder / "new.zip").unlink()
        command = "companion", "restore", settings, str(backup)
        yield cut("of `companion restore`", folder, command, how, _restore_broken)
        old = _old(there / "played", there / "old")
        command = __spec__.name, "take-over", str(old / "log.sqlite")
        yield cut("while an old log is taken over, and played on", old, command, how, _taking_over_broken)
        (folder / "service").mkdir()
        command = __spec__.name, "bring", settings, str(folder / "service")
        yield cut("while a table is brought to its service", folder, command, how, _bringing_broken)


def _killed(kept: Kept, to: Path) -> Path:
    """Return the table as it is when its companion is killed: its last events are in the write-ahead log alone."""
    kept.play(AFTER + 1)
    with closing(Log(kept.log, writes=True)) as log:
        for seq in range(AFTER + 2, BEFORE + 1):
            log.append(1, [(Pressed(seq, float(seq), 1), f"press {seq}")])
        return Path(shutil.copytree(kept.folder, to))


def _old(played: Path, to: Path) -> Path:
    """Return a log of layout 1 as a kill leaves it: its last match is in the write-ahead log alone."""
    played.mkdir()
    layout_1.write(played / "log.sqlite", {1: OLD[1]})
    with closing(sqlite3.connect(played / "log.sqlite")) as held:
        held.execute("SELECT * FROM match").fetchall()
        layout_1.add(played / "log.sqlite", {2: OLD[2]})
        return Path(shutil.copytree(played, to))


def cut(when: str, folder: Path, command: Sequence[str], how: tuple[int, int, int], broken: Broken) -> Finding:
    """Record a command; cut the power after each write, or every so-manieth, and see what is left by so many lucks."""
    lucks, seed, every = how
    chance = random.Random(seed)
    trace = folder.parent / "trace"
    disk, steps = record(folder, trace, *command)
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
    return Finding(f"power cut after a write {when}", tried, len(wrong), "; ".join(wrong[:5]))


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


def take_over(path: Path) -> None:
    """Open an old log to write, and play on in its last match."""
    with closing(Log(path, writes=True)) as log:
        aloud("opened")
        for seq in range(len(OLD[2]) + 1, len(OLD[2]) + 1 + PLAYED_ON):
            log.append(2, [(Pressed(seq, float(seq), 1), f"press {seq}")])
            aloud(f"kept {seq}")


def _taking_over_broken(folder: Path, told: list[str]) -> Iterator[str]:
    """The log is the old one or the new one, whole; opened again it is the new one, and the old one is beside it."""
    path = folder / "log.sqlite"
    taken_over = _layout(path) == log_layout.VERSION
    if told and not taken_over:
        yield "it was told that it is taken over, and it is not"
    if taken_over and _layout(old_layout_of(path, 1)) != 1:
        yield "taken over, and what was there before is not kept"
    for _ in range(2):
        with closing(Log(path, writes=True)) as log:
            if log.events(1) != OLD[1] or log.events(2)[: len(OLD[2])] != OLD[2]:
                yield "the log is another one"
            if len(log.events(2)) < len(OLD[2]) + sum(line.startswith("kept") for line in told):
                yield "what was told as kept is missing"
            log.append(2, [(Pressed(len(log.events(2)) + 1, 99.0, 1), "")])
    with closing(Log(old_layout_of(path, 1), writes=False)) as log:
        if [log.events(match) for match in OLD] != [*OLD.values()]:
            yield "what was kept is another one"
    if left := {one.name for one in folder.iterdir()} - {path.name, f"{path.name}.lock", f"{path.name}.layout-1"}:
        yield f"left behind: {left}"


def bring(settings: Path, to: Path) -> None:
    """Bring a table to a folder, as a service is installed."""
    for line in service.bring(load(settings), settings, to):
        aloud(line)


def _bringing_broken(folder: Path, told: list[str]) -> Iterator[str]:
    """Where the settings are, all is there; where they are not, the next boot brings the table, whole."""
    settings = folder / "table.toml"
    to = folder / "service"
    if not (to / settings.name).exists():
        if any(line.endswith(f"/{settings.name}") for line in told):
            yield "it was told that the settings were brought, and they are not there"
        to.mkdir(exist_ok=True)  # as the next boot begins: what a cut leaves here has no empty folder
        list(service.bring(load(settings), settings, to))
    for name in ("table.toml", "tags.toml"):
        if (to / name).read_bytes() != (folder / name).read_bytes():
            yield f"{name} is another one"
    if _events(to) != _events(folder):
        yield f"a log of {_events(to)} events"


def _layout(path: Path) -> int:
    with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True)) as db:
        found: int = db.execute("PRAGMA user_version").fetchone()[0]
        return found


def _events(folder: Path) -> int | None:
    """Count the match's events; None where they can't be read."""
    try:
        with closing(Log(folder / "log.sqlite", writes=False)) as log:
            return len(log.events(1))
    except LogFault:
        return None


if __name__ == "__main__":
    {"take-over": take_over, "bring": bring}[sys.argv[1]](*map(Path, sys.argv[2:]))
