"""Which version a table runs, decided before it starts, outside any version: needs only Python, and is copied.

Versions lie side by side; `current` is a link to one of them, and changes by a rename. An update is a trial: the file
`trial.json` exists from before the link changes until the new version has run for a while. A start that finds it is
counted, and after too many the old version comes back. Power may fail between any two steps: the next start carries on.
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
"""Seconds it must run before it is trusted."""
DOWN_S = 30.0
"""Seconds that it may be down in one stretch; systemd restarts it after three."""
LOOKS_S = 2.0
UNITS = "units.json"
"""Holds the previous units while a new version is on trial."""
WHOLE = "whole"
"""In the folder of each completely installed version."""


@dataclass(frozen=True, slots=True)
class Probation:
    """A new version that is not trusted yet."""

    new: str
    old: str
    starts: int = 0
    log: str = ""
    """The table's log; "" if there was none."""
    layout: int = 0
    """The log's previous layout: the old version can't read a newer one."""
    kept: str = ""
    """The folder with the log and its companion files as they were before."""


def current(root: Path) -> str:
    """Return the version to run, "" if there is none."""
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
    """Point a link at this, atomically and durably."""
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
    """Have a new version run from the next start on."""
    _keep(root / "trial.json", asdict(new))
    point(root, new.new)


def change_units(root: Path, version: str, wanted: Mapping[str, str]) -> Mapping[str, str]:
    """Write units, by path, as a new version wants them; return those that changed.

    The previous ones come back with the previous version, or at the next start if there is no trial.
    """
    present = {path: _text(Path(path)) for path in wanted}
    new = {path: text for path, text in wanted.items() if present[path] != text}
    if new:
        _keep(root / UNITS, {"for": version, "before": {path: present[path] for path in new}})
        _write(new)
    return new


def say(root: Path, outcome: str, **more: str) -> None:
    """Keep the outcome of the last update for the host's page."""
    _keep(root / "told.json", {"what": outcome, **more})


def last_outcome(root: Path) -> dict[str, str]:
    """Return the outcome of the last update."""
    try:
        return dict(json.loads((root / "told.json").read_bytes()))
    except (OSError, ValueError, TypeError):
        return {}


def start(root: Path) -> None:
    """Before a start, make sure that the version to start is trusted, or on trial with starts left."""
    on = trial(root)
    if on is None or current(root) != on.new:  # none, or the power failed just before or just after the link changed
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
    """Bring back the previous version, with a log that it can read. Nothing that the new one wrote is deleted."""
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
    """Keep the new version, the previous one, and no other."""
    say(root, "runs", new=on.new, old=on.old)
    _end(root)
    (root / UNITS).unlink(missing_ok=True)
    for folder in (root / "versions").iterdir():
        if folder.name not in (on.new, on.old):
            discard(root, folder.name)


def discard(root: Path, version: str) -> None:
    """Remove a version; if interrupted, what is left no longer counts as one."""
    folder = root / "versions" / version
    (folder / WHOLE).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def watch(
    root: Path, runs: Callable[[], bool | None], wait: Callable[[float], None], again: Callable[[], None]
) -> None:
    """Trust the version on trial once it has run for a while; if it stays down, go back and restart.

    `runs` returns None for one that is starting or restarting: those starts are counted elsewhere.
    """
    stays = down = 0.0
    while probation := trial(root):
        match runs():
            case True:
                stays = stays + LOOKS_S
                down = 0.0
            case False:
                stays = 0.0
                down = down + LOOKS_S
            case None:
                stays = down = 0.0
        if stays > STAYS_S:
            trust(root, probation)
        elif down > DOWN_S:
            go_back(root, probation)
            again()
        else:
            wait(LOOKS_S)


@contextmanager
def as_keeper_of(folder: Path) -> Iterator[bool]:
    """Do what follows with the rights of the service's user, if this is root and there is one; see `as_owner_of`."""
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
    """Do what follows with the rights of a folder's owner, if this is root; the value says whether they differ.

    Whatever that owner left there, links above all, then leads no further than they themselves may go. The folder's
    own path must be root's, or named by whoever is at the terminal.
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
    for encoding in ("utf-8-sig", "cp437"):  # Python reads them when first needed, perhaps where only root may go
        codecs.lookup(encoding)
    groups = os.getgroups()
    own_gid = os.getegid()
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
    """Return the layout of a log that nobody is writing to; -1 if it can't be read."""
    try:
        with closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=rw", uri=True)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return -1


def sync(path: Path) -> None:
    """Make sure that a file, or the names in a folder, are on disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def swap(part: Path, path: Path) -> None:
    """Put the new file in the place of the old one, for good."""
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
    if stored["for"] != current(root):  # else it is trusted, and the power failed before this was removed
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
    """Bring back the log and what belongs to it, with its keeper's rights: all of it lies in their folder."""
    log = Path(on.log)
    for beside in (log.with_name(f"{log.name}-wal"), log.with_name(f"{log.name}-shm")):
        beside.unlink(missing_ok=True)  # reading the layout has merged all of it into the log's one file
    # The log last: it shows whether this is done.
    for copy in sorted(Path(on.kept).iterdir(), key=lambda path: path.name == log.name):
        target = log.with_name(copy.name)
        newer = log.with_name(f"{copy.name}.of-{on.new}")
        # A link, not a copy: it costs no room, and the newer version's file is kept under its own name.
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
        os.fchmod(file.fileno(), 0o644)  # the page reads it as another user, and the unit's umask would forbid that
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
