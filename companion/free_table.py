"""Which log and which port a virtual table can have, beside others of the same user.

Needs nothing but Python, so that `make play` can say it before it installs anything.
"""

import os
import shlex
import socket
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from companion.errors import NotNow
from companion.storage.files import held

FIRST_PORT = 8000
PORTS = 100
"""How many are tried, from the first on."""


class Free(NamedTuple):
    """What a virtual table starts with."""

    log: Path
    port: int
    notes: tuple[str, ...]
    """What people should know: where it differs from what they are used to."""


def own_log() -> Path:
    """Return the virtual table's log, in the user's data folder."""
    return next(own_logs())


def own_logs() -> Iterator[Path]:
    """Yield the logs that a user's virtual tables may have: the first table's, the second's …"""
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    folder = Path(data).expanduser() / "table-companion"
    yield folder / "virtual.sqlite"
    yield from (folder / f"virtual-{number}.sqlite" for number in count(2))


def find_free(log: Path | None, port: int | None) -> Free:
    """Return a log and a port that no other table has; None is a free choice. Raises `NotNow` for one that is taken."""
    if log is not None and is_in_use(log):
        raise NotNow(
            f"another companion plays with the log {log}: name another file by --log (make play LOG=…), or none at all"
        )
    if port is not None and is_taken(port):
        raise NotNow(f"another program has port {port}: choose another by --port (make play PORT=…), or none at all")
    notes = []
    free_log = log or next(path for path in own_logs() if not is_in_use(path))
    if log is None and free_log != own_log():
        notes.append(
            "A virtual table of yours is in play already, perhaps in another terminal: try "
            f"http://localhost:{FIRST_PORT}. This is one more, with matches of its own in {free_log}."
        )
    free_port = port or next(
        (candidate for candidate in range(FIRST_PORT, FIRST_PORT + PORTS) if not is_taken(candidate)), FIRST_PORT
    )
    if port is None and free_port != FIRST_PORT:
        notes.append(f"Port {FIRST_PORT} is taken: the page is at port {free_port}.")
    return Free(free_log, free_port, tuple(notes))


def is_in_use(log: Path) -> bool:
    """Return whether a companion plays with this log."""
    lock = log.resolve().with_name(f"{log.resolve().name}.lock")
    if not lock.exists():
        return False
    try:
        held(lock).close()
    except BlockingIOError:
        return True
    except OSError:
        return False  # whoever opens the log says what is wrong
    return False


def is_taken(port: int) -> bool:
    """Return whether another program listens at this port, wherever on this machine."""
    families = [socket.AF_INET, *([socket.AF_INET6] if socket.has_dualstack_ipv6() else [])]
    for family in families:
        try:
            socket.create_server(("", port), family=family).close()
        except OSError:
            return True
    return False


def main() -> None:
    """Print the options of `companion play` for a table that can start; what people should know goes to stderr."""
    import argparse  # only when needed: a start takes the rest of this module alone

    parser = argparse.ArgumentParser(description="Whether a virtual table can start.")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--port", type=int)
    options = parser.parse_args()
    try:
        free = find_free(options.log, options.port)
    except NotNow as wrong:
        sys.exit(f"Error: {wrong}")
    for note in free.notes:
        print(note, file=sys.stderr)
    print(shlex.join(["--log", str(free.log), "--port", str(free.port)]))


if __name__ == "__main__":
    main()
