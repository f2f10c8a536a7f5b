"""A disk that refuses for a while: full, read-only, dying. What is not kept is said at once; then the table goes on.

    python -m tests.trust.cut.refusing FOLDER SEED ACTS

plays on a table whose disk strace lets refuse, until everything that can be told again is kept.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.storage.opening import LogFault
from tests.bench.rig import ROOT
from tests.trust.cut.player import LOG, Promised, Say, Table, acts, aloud, bundles
from tests.trust.findings import Finding
from tests.waiting import PATIENCE

TOO_LONG = 10 * PATIENCE
LONGEST = 10
"""Calls refused in a row. A box tries again at once, the table itself once a second."""


@dataclass(frozen=True)
class Refusal:
    """What the kernel answers to which calls."""

    what: str
    calls: str
    error: str
    many: int
    """How many of these calls the table makes in a play, or a few less."""


REFUSALS = (
    Refusal("a full disk", "pwrite64", "ENOSPC", 120),
    Refusal("a disk become read-only", "pwrite64,ftruncate,fdatasync,fsync", "EROFS", 120),
    Refusal("a disk that fails to write", "pwrite64", "EIO", 120),
    Refusal("a disk that fails to synchronise", "fdatasync,fsync", "EIO", 12),
    Refusal("a disk that fails to read", "pread64", "EIO", 12),
)


def refusals(count: int, seed: int) -> Iterator[Finding]:
    """Refuse so often, each time from another call on and for another while."""
    chance = random.Random(seed)
    for refusal in REFUSALS:
        refused = 0
        wrong: list[str] = []
        for number in range(seed, seed + count):
            first = chance.randint(1, refusal.many)
            last = first + chance.randint(0, LONGEST)
            calls = f"{refusal.calls}:error={refusal.error}:when={first}..{last}"
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch).resolve()
                promised = Promised()
                for line in _played(folder, calls, str(number), "20"):
                    promised.hear(line)
                refused += promised.refusals
                wrong += [f"seed {number}, {calls}: {what}" for what in (*promised.broken(folder), *promised.unsaid())]
        what = f"{refusal.what} for a while: it is said at once, and the table goes on by itself"
        yield Finding(what, count, len(wrong), "; ".join([f"{refused:,} times something was refused", *wrong[:5]]))


def _played(folder: Path, refused: str, *more: str) -> list[str]:
    paths = [option for name in (LOG, f"{LOG}-wal") for option in ("-P", str(folder / name))]
    command = ["strace", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", *paths, "-e", "signal=none"]
    command += ["-e", f"trace={refused.partition(':')[0]}", "-e", f"inject={refused}"]
    command += [sys.executable, "-m", __spec__.name, str(folder), *more]
    strace = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        told, journal = strace.communicate(timeout=TOO_LONG)
    except subprocess.TimeoutExpired:
        os.killpg(strace.pid, signal.SIGKILL)  # what it traces would go on without it
        told, journal = strace.communicate()
        journal += "\nit never ended"
    crashed = journal.splitlines()[-1:] if strace.returncode else []
    return [*told.splitlines(), *(f"crashed {line}" for line in crashed)]


def persist(folder: Path, seed: int, count: int, say: Say) -> None:
    """Play; tell a press that is refused again, as a box does, and wait at the end until nothing is amiss."""
    chance = random.Random(seed)
    table = _opened(folder, say)
    try:
        _until(table.begin)
        for together in bundles(chance, acts(chance, 0, count)):
            _until(lambda: table.do(together) or together[0].kind != "press")  # noqa: B023
            _until(lambda: table.live.snapshot.trouble is None)  # people stop playing, as the page asks them to
        say(f"ended {table.live.snapshot.trouble}")
    finally:
        table.close()


def _until(true: Callable[[], bool]) -> None:
    """Wait until it is, or for so long that it never will be."""
    until = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < until:
        time.sleep(0.01)


def _opened(folder: Path, say: Say) -> Table:
    """Start until it can be: what can't be used is told at the start, and whoever starts the table starts it again."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return Table(folder, say)
        except LogFault as wrong:
            if time.monotonic() > until:
                raise
            say(f"unopened {wrong}")
            time.sleep(0.01)


if __name__ == "__main__":
    persist(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), aloud)
