"""What all fuzzing shares: damage for any bytes, a failing input made small, and whether memory grew.

Every input follows from the trial's seed and its own number, so a finding can be repeated: `chance_of(seed, number)`.
"""

import gc
import io
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click

from tests.trust.findings import Finding

FLAT_BLOCKS = 10_000
"""Python's own memory blocks that may come while a trial's second half runs: caches that fill, not a leak an input."""
FLAT_MB = 8.0
"""The same for the whole process, whose allocator keeps what it once had."""
_PAGE_MB = 4096 / 2**20
_TRIES = 400
_SHOWN = 160
_NASTY = (
    b"\x00",
    b"\xff",
    b"\n",
    b"\r\n",
    b"\x1b[2J",
    b" ",
    b"\xed\xa0\x80",
    b"\xc0\xaf",
    b"\xef\xbb\xbf",
    b"\xf0\x9f",
)


class Hang(Exception):
    """It took too long."""


def new_seed(quick: bool) -> int:
    """Give the trial's seed: the same every time in short, another one at length."""
    return 1 if quick else random.SystemRandom().getrandbits(32)


def chance_of(seed: int, number: int) -> random.Random:
    """Give the chance of one input of a trial."""
    return random.Random(seed << 32 | number)


def damaged(data: bytes, chance: random.Random, *, most: int = 4) -> bytes:
    """Damage bytes one to `most` times: flip, cut out, double, swap, overwrite, insert, cut off."""
    for _ in range(chance.randint(1, most)):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 1, 2, 7, 40)))
        match chance.randrange(7):
            case 0 if at < len(data):
                data = data[:at] + bytes((data[at] ^ 1 << chance.randrange(8),)) + data[at + 1 :]
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:end] + data[at:]
            case 3 if at < len(data):
                other = chance.randrange(len(data))
                spoilt = bytearray(data)
                spoilt[at], spoilt[other] = spoilt[other], spoilt[at]
                data = bytes(spoilt)
            case 4:
                data = data[:at] + chance.randbytes(end - at) + data[end:]
            case 5:
                data = data[:at] + chance.choice((*_NASTY, chance.randbytes(chance.randint(1, 9)))) + data[at:]
            case _ if chance.random() < 0.3:
                data = data[:at]
    return data


def shrunk(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """Leave out whatever the failure does not need, as far as a few hundred tries go."""
    piece, tries = len(data) // 2, 0
    while piece and tries < _TRIES:
        at = 0
        while at < len(data) and tries < _TRIES:
            tries += 1
            less = data[:at] + data[at + piece :]
            if fails(less):
                data = less
            else:
                at += piece
        piece //= 2
    return data


class Tried:
    """Counts what was tried, says at once what broke, and keeps the first of it for the finding."""

    def __init__(self, what: str, seed: int) -> None:
        self.seed = seed
        self.tried = self.broken = 0
        self._what = what
        self._first = ""

    def broke(self, number: int, why: str, given: object) -> None:
        """Note that input `number` broke a promise; the input is printed whole."""
        self.broken += 1
        print(f"seed {self.seed}, input {number}: {why}: {given!r}", file=sys.stderr)
        if not self._first:
            self._first = f"seed {self.seed}, input {number}: {why}: {given!r}"[:_SHOWN].replace("|", "\\|")

    def finding(self, *besides: str) -> Finding:
        """Give the line for the table."""
        told = "; ".join(word for word in (self._first, *besides) if word)
        return Finding(self._what, self.tried, self.broken, told.replace("\n", " "))


class Growth:
    """Whether memory grew from a trial's half to its end."""

    def __init__(self) -> None:
        self._before = 0, 0.0

    def halfway(self) -> None:
        """Look now: whatever is kept once is kept by now."""
        self._before = _kept()

    def seen(self, tried: Tried, meant: int = 0) -> str:
        """Look again, and count it as broken where it grew by more than is kept on purpose; say by how much.

        `meant` is in blocks.
        """
        (blocks, mb), (before, mb_before) = _kept(), self._before
        if blocks - before - meant > FLAT_BLOCKS or mb - mb_before > FLAT_MB:
            tried.broke(tried.tried, "memory grew", f"{blocks - before} blocks, {mb - mb_before:.1f} MB")
        return f"memory in the second half {mb - mb_before:+.1f} MB"


class Terminal:
    """Runs commands in this process, one after the other. (click's own runner keeps every stream it ever made.)"""

    def __init__(self) -> None:
        self._out, self._err = (io.TextIOWrapper(io.BytesIO(), write_through=True) for _ in "12")

    def run(self, command: click.Command, args: list[str], given: bytes = b"") -> tuple[int, bytes, bytes]:
        """Give the exit status and what was printed. Raises what the command should not."""
        before, status = (sys.stdin, sys.stdout, sys.stderr), 0
        for stream in (self._out, self._err):
            stream.seek(0)
            stream.truncate()
        sys.stdin = io.TextIOWrapper(io.BytesIO(given))
        sys.stdout, sys.stderr = self._out, self._err
        try:
            command.main(args, prog_name="companion")
        except SystemExit as told:
            status = told.code if isinstance(told.code, int) else 1
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
        return status, *(stream.buffer.getvalue() for stream in (self._out, self._err))  # type: ignore[attr-defined]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `Hang` in the middle of what takes longer; only a main thread can be told."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"after {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _kept() -> tuple[int, float]:
    gc.collect()
    return sys.getallocatedblocks(), int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE_MB
