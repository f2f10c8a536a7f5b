"""The power fails while a version is put on trial, takes over the log, and is trusted or taken back.

    python -m tests.trust.cut.updating FOLDER ENDS

does that in a folder, and tells what it has done.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.storage.log import Log
from companion.versions import launcher
from companion.versions.launcher import WHOLE, Probation
from tests.storage import layout_1
from tests.trust.cut.recording import aloud
from tests.trust.cut.restoring import OLD, cut
from tests.trust.findings import Finding

BEFORE, AFTER = "1.0", "2.0"
"""The version before reads a log of layout 1 alone, the one after takes it over into the newest."""


def cuts(lucks: int, seed: int, every: int = 1) -> Iterator[Finding]:
    """Cut the power after each write, or every so-manieth, so many times with any luck."""
    for ends in ("trusted", "back"):
        with tempfile.TemporaryDirectory() as scratch:
            folder = _made(Path(scratch).resolve() / "machine")
            when = f"of an update that is {ends}: a whole version runs, and reads the log"
            yield cut(when, folder, (__spec__.name, str(folder), ends), (lucks, seed, every), _broken)


def _made(folder: Path) -> Path:
    for version in (BEFORE, AFTER):
        (folder / "versions" / version).mkdir(parents=True)
        (folder / "versions" / version / WHOLE).touch()
    (folder / "table").mkdir()
    launcher.point(folder, BEFORE)
    (folder / "unit").write_text(BEFORE)
    layout_1.write(folder / "table/log.sqlite", OLD)
    return folder


def play(folder: Path, ends: str) -> None:
    """Put the new version on trial, start it, have it take over the log, and end the trial."""
    log = folder / "table/log.sqlite"
    kept = folder / "table/before"
    kept.mkdir()
    with closing(Log(log, writes=False)) as held:
        held.copy(kept / log.name)
    for path in (kept / log.name, kept, kept.parent):
        launcher.sync(path)
    launcher.change_units(folder, AFTER, {str(folder / "unit"): AFTER})
    on = Probation(AFTER, BEFORE, log=str(log), layout=1, kept=str(kept))
    launcher.begin(folder, on)
    aloud("begun")
    launcher.start(folder)
    with closing(Log(log, writes=True)):
        aloud("taken over")
    launcher.trust(folder, on) if ends == "trusted" else launcher.go_back(folder, on)
    aloud(ends)


def _broken(folder: Path, told: list[str]) -> Iterator[str]:
    """Some version runs that is whole and can read the log, with all that was in it; now, and after going back."""
    on = launcher.trial(folder)
    if on:  # the disk lies elsewhere now
        there = folder / "table"
        moved = Probation(on.new, on.old, on.starts, str(there / "log.sqlite"), on.layout, str(there / "before"))
        launcher.begin(folder, moved) if launcher.current(folder) == on.new else None
    if (units := folder / launcher.UNITS).exists():
        units.write_text(f'{{"for": "{AFTER}", "before": {{"{folder / "unit"}": "{BEFORE}"}}}}')
    launcher.start(folder)
    yield from _unread(folder, told)
    if on := launcher.trial(folder):
        launcher.go_back(folder, on)
        yield from _unread(folder, [])


def _unread(folder: Path, told: list[str]) -> Iterator[str]:
    version = launcher.current(folder)
    log = folder / "table/log.sqlite"
    if not launcher.is_whole(folder, version):
        yield f"{version!r} is to run, and is not whole"
    if ("trusted" in told and version != AFTER) or ("back" in told and version != BEFORE):
        yield f"{version} is to run after {told}"
    if version == AFTER and not launcher.trial(folder) and launcher.last_outcome(folder).get("what") != "runs":
        yield f"{version} is trusted without a trial"
    if (unit := (folder / "unit").read_text()) != version:
        yield f"{version} runs under a unit of {unit}"
    if version == BEFORE and launcher.layout(log) != 1:
        yield f"{version} can't read a log of layout {launcher.layout(log)}"
    with closing(Log(log, writes=False)) as held:
        if {match: held.events(match) for match in OLD} != OLD:
            yield "the log is another one"


if __name__ == "__main__":
    play(Path(sys.argv[1]), sys.argv[2])
