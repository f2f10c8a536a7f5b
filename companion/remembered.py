"""How matches ended, kept in a file beside their log, so that a season need not be judged anew after every start.

Nothing rests on it: the log alone counts. A file that is missing, damaged, of other rules or of another log only costs
the time to judge again.
"""

import functools
import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from companion import durable
from companion.ownership import give_to_the_folders_owner
from companion.results import Result

Known = Mapping[int, tuple[int, Result]]
"""By its number, how many events a match had, and how it ended."""


class _Kept(msgspec.Struct, frozen=True):
    by: str
    """The edition of the rules by which they were judged."""
    results: tuple[tuple[int, Result], ...]


def load(log: Path) -> dict[int, tuple[int, Result]]:
    """Give what is remembered of a log's matches; nothing where that can't be used."""
    try:
        kept = msgspec.json.decode(_beside(log).read_bytes(), type=_Kept)
    except (OSError, ValueError, RecursionError):
        return {}
    return {result.match: (events, result) for events, result in kept.results} if kept.by == edition() else {}


def save(log: Path, known: Known) -> None:
    """Remember how these ended. Where it can't be written, they are judged again."""
    fresh = log.with_name(f"{log.name}.results.new")
    with suppress(OSError):
        durable.write(fresh, msgspec.json.encode(_Kept(edition(), tuple(known.values()))))
        give_to_the_folders_owner(fresh)
        durable.swap(fresh, _beside(log))


@functools.cache
def edition() -> str:
    """Name the rules as they are: all of the companion's own code, for any of it may be what a result comes from."""
    folder = Path(__file__).parent
    code = (file.read_bytes() for file in sorted(folder.rglob("*.py")))
    return hashlib.sha256(b"\0".join(code)).hexdigest()[:16]


def _beside(log: Path) -> Path:
    return log.with_name(f"{log.name}.results")
