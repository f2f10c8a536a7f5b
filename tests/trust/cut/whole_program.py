"""The whole program: killed at any moment; and, for root alone, on a real small disk that runs full or is given up."""

import contextlib
import http.client
import os
import random
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.access.rights_file import load
from companion.events import Said
from companion.storage.files import phones_of
from companion.storage.log import Log
from tests.bench.rig import COMPANION, PATIENCE, Program, free_port
from tests.trust.findings import Finding

PAGES = ("/", "/big", "/seat/1", "/host", "/table")
LARGE = "NOT RECORDING"
LONGEST_S = 0.5
"""After which it is killed at the latest, once it has told a word as kept."""
STARTING = 0.2
"""The share of lives before which one ends while it starts."""
LIVES = 40
"""Kills of one log: the record grows, and the next one begins anew."""


def killed(count: int, seed: int) -> Finding:
    """Kill it so often, while a phone enters words, and start it again."""
    chance = random.Random(seed)
    wrong: list[str] = []
    told = 0
    for begun in range(0, count, LIVES):
        phone = _Phone()
        with tempfile.TemporaryDirectory() as scratch:
            log = Path(scratch) / "log.sqlite"
            for life in range(begun, min(count, begun + LIVES)):
                if chance.random() < STARTING:
                    program = _started(log)
                    time.sleep(chance.uniform(0, 2 * LONGEST_S))
                    program.kill()
                with _table(log, phone) as table:
                    wrong += [f"seed {seed}, before kill {life}: {what}" for what in table.missing()]
                    table.play(1)
                    threading.Timer(chance.uniform(0, LONGEST_S), table.kill).start()
                    table.play_until_killed()
            with _table(log, phone) as table:
                table.play(3)
                wrong += [f"seed {seed}, after kill {life}: {what}" for what in table.missing()]
        told += len(phone.kept)
    what = "kill -9 at any moment: what was told as kept is there, once, in its order; the match goes on"
    return Finding(what, count, len(wrong), "; ".join([f"{told:,} words were told as kept", *wrong[:5]]))


def possible() -> bool:
    """Whether a disk can be made and mounted here."""
    if os.geteuid() != 0:
        return False
    try:
        with tempfile.TemporaryDirectory() as scratch, _mounted(Path(scratch)):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


def full(count: int, seed: int) -> Iterator[Finding]:
    """Fill it and make room again, so often."""
    with tempfile.TemporaryDirectory() as scratch:
        wrong = [*_filled(Path(scratch), count, random.Random(seed))]
        what = "a real disk runs full: every page says so, and not when there is room again; all is there"
        yield Finding(what, count, len(wrong), "; ".join(wrong[:5]))


def failing() -> Iterator[Finding]:
    """Have it fail for good, and mount it anew."""
    with tempfile.TemporaryDirectory() as scratch:
        wrong = [*_aborted(Path(scratch))]
        what = "a real disk becomes read-only in play: every page says so; mounted anew, all is there"
        yield Finding(what, 1, len(wrong), "; ".join(wrong[:5]))


def _filled(scratch: Path, count: int, chance: random.Random) -> Iterator[str]:
    with _mounted(scratch) as disk, _table(disk / "log.sqlite", _Phone()) as table:
        for number in range(count):
            table.play(chance.randint(1, 5))
            _fill(disk / "filler")
            if not table.play_until_refused():
                yield f"{number}: nothing was refused"
            yield from (f"{number}: {page} does not say so" for page in PAGES if page not in table.says())
            (disk / "filler").unlink()
            if not table.comes_back():
                yield f"{number}: the table did not go on"
        yield from table.missing()


def _aborted(scratch: Path) -> Iterator[str]:
    phone = _Phone()
    with _mounted(scratch) as disk:
        with _table(disk / "log.sqlite", phone) as table:
            table.play(20)
            subprocess.run(["mount", "-o", "remount,abort", disk], check=True)
            table.play_until_refused()
            yield from (f"{page} does not say so" for page in PAGES if page not in table.says())
        _unmount(disk)
        _mount(scratch, disk)
        with _table(disk / "log.sqlite", phone) as again:
            yield from again.missing()
            again.play(3)
            yield from again.missing()


@contextlib.contextmanager
def _table(log: Path, phone: "_Phone") -> Iterator["_Table"]:
    """Have the program play on a log, with the phone of a family; kill it at the end."""
    program = _started(log)
    try:
        program.first_page()
        yield _Table(log, phone, program)
    finally:
        program.kill()


def _started(log: Path) -> Program:
    port = free_port()
    return Program(port, *COMPANION, "play", "--host", "127.0.0.1", "--port", str(port), "--log", str(log))


class _Phone:
    """It stays when the table is started anew, and knows what it was told is kept."""

    def __init__(self) -> None:
        self.kept: list[int] = []
        self.unsure: set[int] = set()
        """Words that were on their way when the program was killed."""
        self.entered = 0
        self.web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())


class _Table:
    """`companion play` on that disk, with a phone that enters words which can be told from each other."""

    def __init__(self, log: Path, phone: _Phone, program: Program):
        self._log = log
        self._phone = phone
        self._url = f"http://127.0.0.1:{program.port}"
        self.kill = program.kill
        if not phone.entered:
            self._post("/start", {"game": "stop-it", "seat-1": "Ana", "seat-2": "Bo"})
            self._post("/join", {"code": load(phones_of(log)).codes[1]})

    def play(self, acts: int) -> None:
        for _ in range(acts):
            self._enter()

    def play_until_refused(self) -> bool:
        return any(not self._enter() for _ in range(2000))

    def play_until_killed(self) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            while True:
                self._enter()
        self._phone.unsure.add(self._phone.entered)

    def says(self) -> list[str]:
        return [page for page in PAGES if LARGE in self._phone.web.open(f"{self._url}{page}").read().decode()]

    def comes_back(self) -> bool:
        until = time.monotonic() + PATIENCE
        while self.says() and time.monotonic() < until:
            time.sleep(0.05)
        return not self.says() and self._enter()

    def missing(self) -> Iterator[str]:
        with closing(Log(self._log, writes=False)) as log:
            said = [event.value for event in log.events(1) if isinstance(event, Said)]
        if [word for word in said if word not in self._phone.unsure] != self._phone.kept or len(said) > len({*said}):
            yield f"{len(self._phone.kept)} were told as kept, {len(said)} are there"

    def _enter(self) -> bool:
        self._phone.entered += 1
        said = {"page": "score", "kind": "said", "seat": "1", "what": "count", "value": str(self._phone.entered)}
        if self._post("/enter", said):
            self._phone.kept.append(self._phone.entered)
            return True
        return False

    def _post(self, path: str, form: dict[str, str]) -> bool:
        try:
            self._phone.web.open(f"{self._url}{path}", urllib.parse.urlencode(form).encode()).close()
        except urllib.error.HTTPError as refused:
            if refused.code != 503:
                raise
            return False
        return True


def _fill(file: Path) -> None:
    with contextlib.suppress(OSError), file.open("wb", buffering=0) as filler:
        for size in (65536, 4096, 512):
            with contextlib.suppress(OSError):
                while True:
                    filler.write(bytes(size))


@contextlib.contextmanager
def _mounted(scratch: Path) -> Iterator[Path]:
    disk = scratch / "disk"
    disk.mkdir(exist_ok=True)
    with (scratch / "image").open("wb") as image:
        image.truncate(6 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", scratch / "image"], check=True, capture_output=True)
    _mount(scratch, disk)
    try:
        yield disk
    finally:
        _unmount(disk)


def _mount(scratch: Path, disk: Path) -> None:
    subprocess.run(["mount", "-o", "loop", scratch / "image", disk], check=True, capture_output=True)


def _unmount(disk: Path) -> None:
    subprocess.run(["umount", disk], check=True)
