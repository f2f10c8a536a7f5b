"""`make planted`: put each planted bug into a copy of the tree, and see that its trial finds it.

    python -m tests.trust.planted [--only NAME] [--quick]

First every trial that is asked for must find nothing where there is no bug; ordinary tests are known to pass. What came
of each bug is kept in planted.jsonl, and the trials' page shows a table of all; `--quick` leaves out both. The exit
status is 1 where a bug was not found, or a trial found one that is not there.
"""

import argparse
import importlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import flask  # noqa: F401 - loaded once for all that is tried
import gevent  # noqa: F401
import hypothesis  # noqa: F401
import playwright.sync_api  # noqa: F401
import pytest  # noqa: F401

from tests import report
from tests.trust.page import PAGE, page
from tests.trust.planted.bugs import ROOT, Bug, bugs
from tests.trust.planted.came import Came, keep
from tests.trust.planted.failing import looks

LONGEST = 300.0
"""Seconds a trial may take with a bug in what it tries; beyond, that it never ends is what is found."""
ASIDE = (".*", "build", "__pycache__", "*.egg-info")
OURS = ("companion", "firmware", "tests", "web")
FORK = multiprocessing.get_context("fork")


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trust.planted", description="Whether trials find bugs.")
    parser.add_argument("--only", action="append", metavar="NAME", help="bugs whose kind/name holds this")
    parser.add_argument("--quick", action="store_true", help="only plant; nothing is kept")
    asked = parser.parse_args(args)
    chosen = [b for b in bugs().values() if any(part in f"{b.kind}/{b.name}" for part in asked.only or [""])]
    with tempfile.TemporaryDirectory() as scratch:
        root = _copied(Path(scratch) / "tree")
        finders = dict.fromkeys(bug.found_by for bug in chosen if "/" not in bug.found_by[0] and not asked.quick)
        unsound = [finder for finder in finders if not _sound(root, finder)]
        came = [_say(_tried(root, bug)) for bug in chosen]
    if not asked.quick:
        keep(came)
        report.write_page(PAGE, page())
    return 1 if unsound or not all(one.found for one in came) else 0


def _copied(root: Path) -> Path:
    shutil.copytree(ROOT, root, symlinks=True, ignore=shutil.ignore_patterns(*ASIDE))
    if (ROOT / "build").is_dir():
        (root / "build").symlink_to(ROOT / "build")
    return root


def _sound(root: Path, finder: tuple[str, ...]) -> bool:
    """Say whether it finds nothing where there is nothing to be found."""
    found, _ = _find(root, finder)
    if found:
        print(f"UNSOUND: {' '.join(finder)} finds, without a bug: {found[0]}", file=sys.stderr, flush=True)
    return not found


def _tried(root: Path, bug: Bug) -> Came:
    with _planted(root, bug):
        found, seconds = _find(root, bug.found_by)
    by, events = found or ("", None)
    return Came(bug.kind, bug.name, bug.found_by, found is not None, by, events, round(seconds, 1))


@contextmanager
def _planted(root: Path, bug: Bug) -> Iterator[None]:
    """Have the bug in this copy for a while."""
    changed = bug.applied(root)
    before = {path: (path.read_bytes(), path.stat()) for path in changed}
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        for path, (content, stat) in before.items():
            path.write_bytes(content)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def _find(root: Path, finder: tuple[str, ...]) -> tuple[tuple[str, int | None] | None, float]:
    """Look for it there, in a process of its own; give what was found, and how long that took."""
    began = time.monotonic()
    mine, theirs = FORK.Pipe()
    process = FORK.Process(target=_look, args=(root, finder, theirs))
    process.start()
    theirs.close()
    found: Any = "it never ended", None
    try:
        while mine.poll(LONGEST) and isinstance(found := mine.recv(), bytes):
            mine.send(looks(found))
    except EOFError:
        found = "the trial itself broke down", None
    with suppress(ProcessLookupError):
        os.killpg(process.pid or 0, signal.SIGKILL)  # with the tables it has started
    process.join()
    return found, time.monotonic() - began


def _look(root: Path, finder: tuple[str, ...], runner: Connection) -> None:
    """Forget this tree, and use that one: what both need beside is loaded already. What this tree makes of a record the
    runner tells.
    """

    def looks_there(record: bytes) -> str:
        runner.send(record)
        return str(runner.recv())

    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.chdir(root)
    sys.path[:0] = [str(root)]
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    # What was compiled of the copy without a bug must not be taken for what has one.
    sys.dont_write_bytecode = True
    os.environ |= {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    if "/" in finder[0]:
        runner.send(importlib.import_module("tests.trust.planted.failing").failing([*finder], looks_there))
    else:
        runner.send(importlib.import_module("tests.trust.planted.finders").find(*finder))


def _say(came: Came) -> Came:
    events = "" if came.events is None else f" in {came.events} events"
    found = f"found{events} by {came.by}" if came.found else f"NOT FOUND by {' '.join(came.finder)}"
    print(f"{came.seconds:6.1f} s  {came.kind}/{came.name}: {found}", flush=True)
    return came


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
