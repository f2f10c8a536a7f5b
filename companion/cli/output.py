"""What a command prints: bytes for other programs, and lines that can't harm a terminal."""

import os
import re
import sys
from collections.abc import Iterable
from typing import Any

import click
import msgspec

_UNSEEN = re.compile("[^ -~]")
"""What may have to be escaped."""


def write(data: bytes) -> None:
    """Write to standard output; if that fails, say why and exit with status 1."""
    write_all([data])


def write_all(parts: Iterable[bytes]) -> None:
    """Write these one after another, as `write` does; only one needs to be in memory."""
    try:
        sys.stdout.buffer.writelines(parts)
        sys.stdout.buffer.flush()
    except (OSError, AttributeError) as wrong:
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more may be tried at exit
        if not isinstance(wrong, BrokenPipeError):
            click.echo(
                f"can't write to standard output: {getattr(wrong, 'strerror', None) or 'it is closed'}", err=True
            )
        sys.exit(1)


def say(line: str, *, err: bool = False) -> None:
    """Print a line, to standard output or standard error; whatever it quotes can't harm a terminal."""
    click.echo(printable(line), err=err)


def print_lines(lines: Iterable[str]) -> None:
    """Print each line as it comes."""
    for line in lines:
        say(line)


def json_line(found: Any) -> bytes:
    """Encode one object as a line of JSON; what can't be seen is escaped."""
    return _UNSEEN.sub(_escaped, msgspec.json.encode(found).decode()).encode() + b"\n"


def printable(line: str) -> str:
    """Escape what would move the cursor or colour the terminal: names and words come from anywhere."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _escaped(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else re.sub("....", r"\\u\g<0>", found[0].encode("utf-16-be").hex())
