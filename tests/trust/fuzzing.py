"""What all fuzzing shares: a promise tried with whatever hypothesis makes up, damage for any bytes, and a terminal.

In short it is the same every time; at length a finding names its seed. What breaks a promise is made small first.
"""

import gc
import io
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from itertools import count
from types import FrameType
from typing import NamedTuple, TypeVar

import click
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning
from hypothesis.strategies import SearchStrategy

from tests.trust.findings import Finding
from tests.waiting import PATIENCE

T = TypeVar("T")

HOW = settings(
    database=None,
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)
AT_ONCE = 500
"""Examples of one run at most: hypothesis remembers all it has tried, so a long trial is many runs."""
FLAT_BLOCKS = 40_000
"""Python's own memory blocks that may come while a trial's second half runs: caches that fill (hypothesis's too, and of
every match ever begun some 40 stay, to tell how it ended); at length that is less than one an input."""
_SHOWN = 300
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


class Damage(NamedTuple):
    """One thing that befalls bytes."""

    how: str
    at: int
    size: int
    noise: bytes

    def __call__(self, data: bytes) -> bytes:
        at = self.at % (len(data) + 1)
        end = min(len(data), at + self.size)
        match self.how:
            case "flip" if at < len(data):
                return data[:at] + bytes((data[at] ^ 1 << self.size % 8,)) + data[at + 1 :]
            case "leave out":
                return data[:at] + data[end:]
            case "double":
                return data[:end] + data[at:]
            case "overwrite":
                return data[:at] + self.noise + data[at + len(self.noise) :]
            case "insert":
                return data[:at] + self.noise + data[at:]
            case "cut off":
                return data[:at]
        return data


noises = st.one_of(st.sampled_from(_NASTY), st.binary(min_size=1, max_size=9))
damages = st.builds(
    Damage,
    st.sampled_from(("flip", "flip", "leave out", "double", "overwrite", "insert", "cut off")),
    st.integers(0, 2**16),
    st.sampled_from((1, 1, 2, 7, 40)),
    noises,
)


texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(
        ("", "0x1", "²", "٣", "+1", " 1", "1e999", "true", "null", "a" * 5000, "9" * 5000, "[" * 900, "{}")
    ),
)
"""Of any letters, halves of letters among them; numbers and what looks like one; long ones."""


def damaged(good: Sequence[bytes], *, most: int = 4) -> SearchStrategy[bytes]:
    """Damage one of these, once to `most` times."""
    return st.builds(
        lambda data, done: reduce(lambda left, damage: damage(left), done, data),
        st.sampled_from(good),
        st.lists(damages, min_size=1, max_size=most),
    )


def tried(
    what: str,
    made: SearchStrategy[T],
    kept: Callable[[T], object],
    many: int,
    *,
    quick: bool,
    besides: Callable[[], str] = str,
) -> Finding:
    """Try a promise, which `kept` raises for, with so much that is made up. `besides` tells more in the end."""
    return tried_anew(what, lambda run: made, kept, many, quick=quick, besides=besides)


def tried_anew(
    what: str,
    made: Callable[[int], SearchStrategy[T]],
    kept: Callable[[T], object],
    many: int,
    *,
    quick: bool,
    besides: Callable[[], str] = str,
    at_once: int = AT_ONCE,
) -> Finding:
    """Try it in runs; `made` gives what is made up in each, by its seed."""
    first, number, before = 1 if quick else random.SystemRandom().getrandbits(32), count(), 0
    at_once = min(at_once, -(-many // 2))
    runs = range(first, first + -(-many // at_once))
    how = settings(HOW, max_examples=at_once)

    def once(value: T) -> None:
        next(number)
        with within(PATIENCE):
            kept(value)

    for run in runs:
        if run == runs[len(runs) // 2]:
            before = _blocks()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", HypothesisWarning)  # that what failed is long
                seed(run)(how(given(made(run))(once)))()
        except Exception as wrong:
            return Finding(what, next(number), 1, _told(run, wrong))
    grown = _blocks() - before
    leak = f"seed {first}: memory grew by {grown:,} blocks in the second half" if grown > FLAT_BLOCKS else ""
    return Finding(what, next(number), int(leak != ""), leak or besides())


def _told(seeded: int, wrong: Exception) -> str:
    told = f"seed {seeded}: {type(wrong).__name__}: {wrong} {' '.join(getattr(wrong, '__notes__', ()))}"
    print(told, file=sys.stderr)
    return " ".join(told.split())[:_SHOWN].replace("|", "\\|")


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


class Terminal:
    """Runs commands in this process, one after the other. (click's own runner keeps every stream it ever made.)"""

    def __init__(self) -> None:
        self._out, self._err = (io.TextIOWrapper(io.BytesIO(), write_through=True) for _ in "12")

    def run(self, command: click.Command, args: list[str], given: bytes = b"") -> tuple[int, bytes, bytes]:
        """Return the exit status and what was printed. Raises what the command should not."""
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
    """Raise `Hang` in the middle of what takes this process longer, by its processor's time.

    Only a main thread can be told.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"after {seconds:.0f} s")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
