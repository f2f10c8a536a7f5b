"""What a command prints: bytes for other programs, and lines that fit a terminal and can't harm it.

Nothing else prints. A terminal may know few signs (`LANG=fr_FR` is ISO 8859-1), and it may be gone: a command then ends
with a sentence, a table plays on.
"""

import os
import re
import sys
from collections.abc import Iterable
from typing import Any, TextIO

import msgspec

from companion.cli.legible import fits, legible

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
        _end_unheard(wrong)


def say(line: str, *, err: bool = False) -> None:
    """Print a line, to standard output or standard error; whatever it quotes can't harm a terminal.

    If standard output can't take it, say why and exit with status 1; if it is closed, or standard error fails, nobody
    is there to be told.
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
    """Print a line, as `say` does, of a program that goes on if nobody reads it: the terminal may have been closed."""
    if sys.stdout is None:
        return
    try:
        _put(sys.stdout, line)
    except OSError:
        _forget_unwritten()


def is_watched() -> bool:
    """Return whether what is printed goes to a terminal, and not to a journal or a file."""
    return sys.stdout is not None and sys.stdout.isatty()


def announce_picture(rows: str) -> bool:
    """Print a picture made of signs, like a QR code, if the terminal can show it; return whether it was printed."""
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
    """Encode one object as a line of JSON; what can't be seen is escaped."""
    return _UNSEEN.sub(_escaped, msgspec.json.encode(value).decode()).encode() + b"\n"


def printable(line: str) -> str:
    """Escape what would move the cursor or colour the terminal: names and words come from anywhere."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _put(stream: TextIO, line: str) -> None:
    stream.write(legible(printable(line), stream.encoding or "utf-8") + "\n")
    stream.flush()


def _end_unheard(wrong: OSError | AttributeError) -> None:
    """Say why standard output takes nothing, and exit with status 1. A reader that has gone needs no explanation."""
    if sys.stdout is not None:
        _forget_unwritten()
    if not isinstance(wrong, BrokenPipeError):
        say(f"can't write to standard output: {getattr(wrong, 'strerror', None) or 'it is closed'}", err=True)
    sys.exit(1)


def _forget_unwritten() -> None:
    """Let what standard output has not taken go nowhere, or Python would try again at exit, and fail."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _escaped(unseen: re.Match[str]) -> str:
    return unseen[0] if unseen[0].isprintable() else re.sub("....", r"\\u\g<0>", unseen[0].encode("utf-16-be").hex())
