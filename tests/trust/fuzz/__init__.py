"""What comes from outside, damaged: hypothesis makes it up, and a promise must hold of each.

In short it is the same every time; `make trust` tries a hundred times as much, by the profile "trust".
"""

import functools
import io
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from types import FrameType
from typing import Any, NamedTuple

import click
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.waiting import PATIENCE

AT_LENGTH = settings.get_current_profile_name() == "trust"
_NASTY = b"\x00", b"\xff", b"\n", b"\r\n", b"\x1b[2J", b" ", b"\xed\xa0\x80", b"\xc0\xaf", b"\xef\xbb\xbf", b"\xf0\x9f"

Test = Callable[..., None]


def promised(of: SearchStrategy[Any], tries: int, longer: int = 100) -> Callable[[Test], Test]:
    """Try it so often, and so many times as often at length; where one takes too long, it will never end."""
    how = settings(
        max_examples=tries * (longer if AT_LENGTH else 1),
        derandomize=not AT_LENGTH,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )

    def trial(test: Test) -> Test:
        @functools.wraps(test)
        def once(*args: Any, **more: Any) -> None:
            with within(PATIENCE):
                test(*args, **more)

        return pytest.mark.trial(how(given(of)(once)))

    return trial


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


damages = st.builds(
    Damage,
    st.sampled_from(("flip", "flip", "leave out", "double", "overwrite", "insert", "cut off")),
    st.integers(0, 2**16),
    st.sampled_from((1, 1, 2, 7, 40)),
    st.sampled_from(_NASTY) | st.binary(min_size=1, max_size=9),
)
texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(
        ("", "0x1", "²", "٣", "+1", " 1", "1e999", "true", "null", "{}", "a" * 5000, "9" * 5000, "[" * 900)
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


class Terminal:
    """Runs commands in this process, one after the other. (click's own runner keeps every stream it ever made.)"""

    def __init__(self) -> None:
        self._out, self._err = (io.TextIOWrapper(io.BytesIO(), write_through=True) for _ in "12")

    def run(self, command: click.Command, args: list[str], given: bytes = b"") -> tuple[int, bytes, bytes]:
        """Return the exit status and what was printed. Raises what the command should not."""
        before = (sys.stdin, sys.stdout, sys.stderr)
        status = 0
        for stream in (self._out, self._err):
            stream.seek(0)
            stream.truncate()
        sys.stdin = io.TextIOWrapper(io.BytesIO(given))
        sys.stdout = self._out
        sys.stderr = self._err
        try:
            command.main(args, prog_name="companion")
        except SystemExit as told:
            status = told.code if isinstance(told.code, int) else 1
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
        return status, *(stream.buffer.getvalue() for stream in (self._out, self._err))  # type: ignore[attr-defined]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise in the middle of what takes this process longer, by its processor's time."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"after {seconds:.0f} s")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
