"""All output of commands: bytes for other programs, and escaped lines for terminals.

A terminal may have few characters (`LANG=fr_FR` is ISO 8859-1), and it may be gone: a command then ends with a
sentence, a table plays on.
"""

import os
import re
import sys
from collections.abc import Iterable
from typing import Any, TextIO

import msgspec

from companion.cli.legible import fits, legible

_UNSEEN = re.compile("[^ -~]")
"""Characters that may have to be escaped."""


def write(data: bytes) -> None:
    """Write to standard output; if that fails, say why and exit with status 1."""
    write_all([data])


def write_all(parts: Iterable[bytes]) -> None:
    """Write several parts, as `write` does; only one needs to be in memory."""
    try:
        sys.stdout.buffer.writelines(parts)
        sys.stdout.buffer.flush()
    except (OSError, AttributeError) as wrong:
        _end_unheard(wrong)


def say(line: str, *, err: bool = False) -> None:
    """Print a line to standard output or standard error, with control characters escaped.

    If standard output fails, say why and exit with status 1. If it is closed, or standard error fails, there is nobody
    to tell.
    """
    stream = sys.stderr if err else sys.stdout
    if stream is None:
        return
    try:
        _put(stream, line)
    except OSError as wrong:
        if not err:
            _end_unheard(wrong)


def announce(line: str) -> None:
    """Print a line as `say` does, for a program that goes on without its terminal: failures are ignored."""
    if sys.stdout is None:
        return
    try:
        _put(sys.stdout, line)
    except OSError:
        _forget_unwritten()


def is_watched() -> bool:
    """Return whether standard output is a terminal, and not a journal or a file."""
    return sys.stdout is not None and sys.stdout.isatty()


def announce_picture(rows: str) -> bool:
    """Print a picture of text characters, such as a QR code, if they can be shown; return whether it was printed."""
    if sys.stdout is None or not fits(rows, sys.stdout.encoding or "utf-8"):
        return False
    for row in rows.splitlines():
        announce(row)
    return True


def print_lines(lines: Iterable[str]) -> None:
    """Print each line as it comes."""
    for line in lines:
        say(line)


def json_line(value: Any) -> bytes:
    """Encode an object as a line of JSON, with invisible characters escaped."""
    return _UNSEEN.sub(_escaped, msgspec.json.encode(value).decode()).encode() + b"\n"


def printable(line: str) -> str:
    """Escape control characters, which could drive the terminal: names and words come from anywhere."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _put(stream: TextIO, line: str) -> None:
    stream.write(legible(printable(line), stream.encoding or "utf-8") + "\n")
    stream.flush()


def _end_unheard(wrong: OSError | AttributeError) -> None:
    """Exit with status 1, saying why standard output failed; of a closed pipe nothing need be said."""
    if sys.stdout is not None:
        _forget_unwritten()
    if not isinstance(wrong, BrokenPipeError):
        say(f"can't write to standard output: {getattr(wrong, 'strerror', None) or 'it is closed'}", err=True)
    sys.exit(1)


def _forget_unwritten() -> None:
    """Redirect standard output to /dev/null: Python would flush the unwritten rest at exit, and fail again."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _escaped(unseen: re.Match[str]) -> str:
    return unseen[0] if unseen[0].isprintable() else re.sub("....", r"\\u\g<0>", unseen[0].encode("utf-16-be").hex())
