"""Results of matches, kept in a file beside their log, so that a season need not be judged again after every start.

Nothing rests on it: the log alone counts. A file that is missing, damaged, or of other rules or another log only costs
the time to judge again.
"""

import functools
import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from companion import games
from companion.history.standings import Result
from companion.storage import files

Known = Mapping[int, tuple[int, Result]]
"""By a match's number, the revision of its entry, and how it ended."""


class _Kept(msgspec.Struct, frozen=True):
    by: str
    """The edition of the rules by which they were judged."""
    results: tuple[tuple[int, Result], ...]


def load(log: Path) -> dict[int, tuple[int, Result]]:
    """Return the stored results of a log's matches; none if the file can't be used."""
    try:
        stored = msgspec.json.decode(files.contents(files.results_of(log)), type=_Kept)
    except (OSError, ValueError, RecursionError):
        return {}
    return {result.match: (revision, result) for revision, result in stored.results} if stored.by == edition() else {}


def save(log: Path, results: Known) -> None:
    """Store how these ended. If that fails, they will be judged again."""
    with suppress(OSError):
        files.replace(files.results_of(log), msgspec.json.encode(_Kept(edition(), tuple(results.values()))))


@functools.cache
def edition() -> str:
    """Return a digest of the current rules: all the code that results may depend on, installed games included."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in judged_by())).hexdigest()[:16]


def judged_by() -> list[Path]:
    """Return the files of that code, and of the games' words, always in the same order."""
    folder = Path(__file__).parents[1]
    games_own = ("game/*.py", "games/**/*.py", "games/*/locale/*.po*", "act_cards/*.py")
    parts = ("*.py", "languages/*.py", *games_own, "judge/*.py", "history/souvenir.py", "history/standings.py")
    elsewhere = (game.folder for game in games.known().values() if folder not in game.folder.parents)
    brought = (
        file
        for game_folder in elsewhere
        for pattern in ("*.py", "*.po", "*.pot")
        for file in sorted(game_folder.rglob(pattern))
    )
    return [*(file for part in parts for file in sorted(folder.glob(part))), *brought]
