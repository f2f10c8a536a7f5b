"""`companion codes`: who owns the machine can always see the codes, and so become host."""

from collections.abc import Iterator
from pathlib import Path

from companion.access import phones
from companion.access.seats import HOST
from companion.storage import files


def listing(log: Path) -> Iterator[str]:
    """Give a line for each part's code, and whether a phone holds it. Raises `PhonesFault`."""
    path = files.phones_of(log)
    if not path.exists():
        raise phones.PhonesFault(f"no codes at {path} yet: start the table once")
    now = phones.load(path)
    for part, code in sorted(now.codes.items()):
        name = "host" if part == HOST else f"seat {part}"
        yield f"{name:8} {code}  {'a phone holds it' if part in now.holders else 'free'}"
