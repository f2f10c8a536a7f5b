"""Chooses the version that a table runs, before each start. Copied outside any version, so it needs only Python.

Versions are installed side by side; `current` is a link to one of them, changed by a rename. An update is on trial
while `trial.json` exists: from before the link changes until the new version has run for a while. Starts during a trial
are counted, and after too many the old version comes back. Power may fail between any two steps: the next start carries
on.
"""

import codecs
import json
import os
import pwd
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

ROOT = Path("/opt/table-companion")
SERVICE = "table-companion"
STARTS = 3
"""Starts within which a new version must come up and stay up."""
STAYS_S = 180.0
"""Seconds that it must run before it is trusted."""
DOWN_S = 30.0
"""Seconds that it may be down at a stretch; systemd restarts it after three."""
LOOKS_S = 2.0
"""Seconds between two looks at its state."""
UNITS = "units.json"
"""The file with the previous units while a new version is on trial."""
WHOLE = "whole"
"""The file that marks a version's folder as completely installed."""


@dataclass(frozen=True, slots=True)
class Probation:
    """A new version on trial."""

    new: str
    old: str
    starts: int = 0
    log: str = ""
    """The table's log; "" if there was none."""
    layout: int = 0
    """The log's layout before; the old version can't read a newer one."""
    kept: str = ""
    """The folder with copies of the log and its companion files from before."""


def current(root: Path) -> str:
    """Return the current version; "" if there is none."""
    try:
        return (root / "current").readlink().name
    except OSError:
        return ""


def is_whole(root: Path, version: str) -> bool:
    """Return whether a version is completely installed."""
    return bool(version) and (root / "versions" / version / WHOLE).exists()


def point(root: Path, version: str) -> None:
    """Make a version the current one, atomically and durably."""
    link(root / "current", f"versions/{version}")


def link(path: Path, to: Path | str) -> None:
    """Make or change a symbolic link, atomically and durably."""
    part = path.with_name(f"{path.name}.new")
    part.unlink(missing_ok=True)  # left over from a power cut
    part.symlink_to(to)
    swap(part, path)


def trial(root: Path) -> Probation | None:
    """Return the trial under way; None if the current version is trusted."""
    try:
        return Probation(**json.loads((root / "trial.json").read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def begin(root: Path, new: Probation) -> None:
    """Put a new version on trial from the next start on."""
    # In this order: the new version must never run without a trial, which alone brings the old one back.
    _keep(root / "trial.json", asdict(new))
    point(root, new.new)


def change_units(root: Path, version: str, units: Mapping[str, str]) -> Mapping[str, str]:
    """Write the units of a new version, by path; return those that changed.

    The previous units are restored with the previous version, or at the next start if there is no trial.
    """
    present = {path: _text(Path(path)) for path in units}
    new = {path: text for path, text in units.items() if present[path] != text}
    if new:
        _keep(root / UNITS, {"for": version, "before": {path: present[path] for path in new}})
        _write(new)
    return new


def say(root: Path, outcome: str, **more: str) -> None:
    """Store the outcome of the last update for the host's page."""
    _keep(root / "told.json", {"what": outcome, **more})


def last_outcome(root: Path) -> dict[str, str]:
    """Return the outcome of the last update."""
    try:
        return dict(json.loads((root / "told.json").read_bytes()))
    except (OSError, ValueError, TypeError):
        return {}


def start(root: Path) -> None:
    """Make sure, before a start, that the current version is trusted, or on trial with starts left."""
    on = trial(root)
    # No trial, or the power failed after one was written and before the link changed, or while going back.
    if on is None or current(root) != on.new:
        _units_back(root)
        _end(root)
        last = last_outcome(root)
        if last.get("what") == "trying":
            say(root, "stays", **{name: last[name] for name in last if name != "what"})
    elif on.starts >= STARTS or not is_whole(root, on.new):
        go_back(root, on)
    else:
        _keep(root / "trial.json", asdict(replace(on, starts=on.starts + 1)))
    if not is_whole(root, current(root)):
        left = [path.parent for path in (root / "versions").glob(f"*/{WHOLE}")]
        if left:
            point(root, max(left, key=lambda folder: folder.stat().st_mtime).name)


def go_back(root: Path, on: Probation) -> None:
    """Go back to the previous version, with a log that it can read. Files of the new one are kept under other names."""
    if on.log and on.kept:
        with as_keeper_of(Path(on.log).parent):
            if layout(Path(on.log)) != on.layout:
                _bring_back(on)
    say(root, "back", new=on.new, old=on.old)
    point(root, on.old)
    _units_back(root)
    _end(root)
    discard(root, on.new)


def trust(root: Path, on: Probation) -> None:
    """End the trial; keep the new version and the previous one, and delete all others."""
    say(root, "runs", new=on.new, old=on.old)
    _end(root)
    (root / UNITS).unlink(missing_ok=True)
    for folder in (root / "versions").iterdir():
        if folder.name not in (on.new, on.old):
            discard(root, folder.name)


def discard(root: Path, version: str) -> None:
    """Delete a version."""
    folder = root / "versions" / version
    (folder / WHOLE).unlink(missing_ok=True)  # first: after an interruption, the rest does not count as a version
    shutil.rmtree(folder, ignore_errors=True)


def watch(
    root: Path, runs: Callable[[], bool | None], wait: Callable[[float], None], again: Callable[[], None]
) -> None:
    """Trust the version on trial once it has run for `STAYS_S`; if it is down for `DOWN_S`, go back and restart.

    `runs` returns None while it is starting or restarting: those starts are counted by `start`.
    """
    stays = 0.0
    down = 0.0
    while probation := trial(root):
        match runs():
            case True:
                stays += LOOKS_S
                down = 0.0
            case False:
                stays = 0.0
                down += LOOKS_S
            case None:
                stays = 0.0
                down = 0.0
        if stays > STAYS_S:
            trust(root, probation)
        elif down > DOWN_S:
            go_back(root, probation)
            again()
        else:
            wait(LOOKS_S)


@contextmanager
def as_keeper_of(folder: Path) -> Iterator[bool]:
    """Run the block with the rights of the service's user, if this is root and there is one; see `as_owner_of`."""
    try:
        user = pwd.getpwnam(SERVICE)
    except KeyError:
        with as_owner_of(folder) as lowered:
            yield lowered
        return
    with _as_user(user.pw_uid, user.pw_gid) as lowered:
        yield lowered


@contextmanager
def as_owner_of(folder: Path) -> Iterator[bool]:
    """Run the block with the rights of a folder's owner, if this is root; yield whether they differ.

    Links and other things that the owner has left there then lead no further than the owner's own rights. The folder's
    path itself must be trusted: root's, or typed at the terminal.
    """
    owner = folder.stat()
    with _as_user(owner.st_uid, owner.st_gid) as lowered:
        yield lowered


@contextmanager
def _as_user(uid: int, gid: int) -> Iterator[bool]:
    lowered = os.geteuid() == 0 and uid != 0
    if not lowered:
        yield False
        return
    for encoding in ("utf-8-sig", "cp437"):  # imported at first use, from files that perhaps only root may read
        codecs.lookup(encoding)
    groups = os.getgroups()
    own_gid = os.getegid()
    # The user last, and first on the way back: without root's rights no group could be set.
    os.setgroups([])
    os.setegid(gid)
    os.seteuid(uid)
    try:
        yield True
    finally:
        os.seteuid(0)
        os.setegid(own_gid)
        os.setgroups(groups)


def layout(log: Path) -> int:
    """Return the layout of a log that nobody is writing to, after merging its WAL; -1 if it can't be read."""
    try:
        with closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=rw", uri=True)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return -1


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def swap(part: Path, path: Path) -> None:
    """Replace a file by a new one, durably."""
    part.replace(path)
    sync(path.parent)


def _end(root: Path) -> None:
    (root / "trial.json").unlink(missing_ok=True)
    sync(root)


def _units_back(root: Path) -> None:
    try:
        stored = json.loads((root / UNITS).read_bytes())
    except (OSError, ValueError):
        return
    if stored["for"] != current(root):  # else that version is trusted, and the power failed before the file was removed
        _write(stored["before"])
        if Path("/run/systemd/system").is_dir():
            subprocess.run(["systemctl", "daemon-reload"], check=False)
    (root / UNITS).unlink()


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _write(texts: Mapping[str, str | None]) -> None:
    for path, text in ((Path(name), text) for name, text in texts.items()):
        if text is None:
            path.unlink(missing_ok=True)
            continue
        part = path.with_name(f"{path.name}.new")
        part.write_text(text, encoding="utf-8")
        part.chmod(0o644)
        sync(part)
        swap(part, path)


def _bring_back(on: Probation) -> None:
    """Restore the log and its companion files, with the rights of their folder's owner."""
    log = Path(on.log)
    for beside in (log.with_name(f"{log.name}-wal"), log.with_name(f"{log.name}-shm")):
        beside.unlink(missing_ok=True)  # `layout` has merged the WAL into the log
    # The log last: its layout shows whether this is done.
    for copy in sorted(Path(on.kept).iterdir(), key=lambda path: path.name == log.name):
        target = log.with_name(copy.name)
        newer = log.with_name(f"{copy.name}.of-{on.new}")
        # The newer version's file is kept under another name, by a hard link, which takes no room.
        with suppress(FileNotFoundError, FileExistsError):
            newer.hardlink_to(target)
        part = log.with_name(f"{copy.name}.part")
        part.unlink(missing_ok=True)
        shutil.copyfile(copy, part)
        os.chmod(part, 0o600)
        sync(part)
        swap(part, target)


def _keep(path: Path, content: object) -> None:
    part = path.with_name(f"{path.name}.new")
    with part.open("w") as file:
        os.fchmod(file.fileno(), 0o644)  # the page reads it as another user, which the unit's umask would prevent
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    swap(part, path)


def _runs() -> bool | None:
    command = ["systemctl", "show", "--property", "ActiveState", "--value", SERVICE]
    state = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return {"active": True, "inactive": False, "failed": False}.get(state)


def _again() -> None:
    subprocess.run(["systemctl", "restart", "--no-block", SERVICE], check=False)


if __name__ == "__main__":
    start(ROOT) if sys.argv[1:] == ["start"] else watch(ROOT, _runs, time.sleep, _again)
