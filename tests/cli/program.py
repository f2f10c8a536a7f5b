"""The program as people call it: to its end, in this process; or at a terminal, where they talk with it."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Self

from click.testing import CliRunner, Result

from companion.cli import main
from tests.waiting import PATIENCE

_STRICT = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
"""As where people work in a language; a bare machine's is forgiving."""


def companion(*words: str | Path, stdin: bytes = b"") -> Result:
    """Run a command to its end. Raises what the command should not."""
    return CliRunner().invoke(main, [*map(str, words)], input=stdin, catch_exceptions=False)


def refused(status: int, *words: str | Path) -> str:
    """Run a command that ends with this status; return what it says of that."""
    done = companion(*words)
    assert done.exit_code == status, done.output
    return done.stderr


def started(*words: str | Path, haste: str = "") -> list[str]:
    """Return what starts a command; in `haste` a module sets how long it takes its time, for a test can't."""
    how = ["-c", f"{haste}; from companion.cli import main; main()"] if haste else ["-m", "companion"]
    return [sys.executable, *how, *map(str, words)]


class Running:
    """A command at a terminal, in a process of its own."""

    def __init__(self, *words: str | Path, haste: str = "") -> None:
        command = started(*words, haste=haste)
        pipe = subprocess.PIPE
        self.program = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, env=_STRICT)
        self.said: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.program.kill()
        self.program.communicate()

    def wait_for(self, words: str) -> str:
        """Read on until a line says so; a program that never does is ended."""
        impatient = threading.Timer(PATIENCE, self.program.kill)
        impatient.start()
        try:
            for raw in _open(self.program.stdout):
                self.said.append(raw.decode())
                if words in self.said[-1]:
                    return self.said[-1]
        finally:
            impatient.cancel()
        raise AssertionError(f"{words!r} was never said: {self.said}")

    def rest(self) -> str:
        """Read what it still says."""
        return _open(self.program.stdout).read().decode()

    def type(self, keys: str | bytes = "") -> None:
        """Type this, and Enter."""
        stdin = _open(self.program.stdin)
        stdin.write((keys if isinstance(keys, bytes) else keys.encode()) + b"\n")
        stdin.flush()

    def ended(self) -> int:
        """Wait for its end; return the exit status."""
        return self.program.wait(PATIENCE)


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
