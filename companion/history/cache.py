"""The cache of match results in a file beside their log, so that a season need not be judged again at every start.

Only the log counts. If this file is missing, damaged, or of other rules or another log, the matches are judged again.
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
"""By a match's number, the revision of its entry, and its result."""


class _Kept(msgspec.Struct, frozen=True):
    by: str
    """The `edition` of the code that judged them."""
    results: tuple[tuple[int, Result], ...]


def load(log: Path) -> dict[int, tuple[int, Result]]:
    """Return the stored results of a log's matches; none if the file can't be used."""
    try:
        stored = msgspec.json.decode(files.contents(files.results_of(log)), type=_Kept)
    except (OSError, ValueError, RecursionError):
        return {}
    return {result.match: (revision, result) for revision, result in stored.results} if stored.by == edition() else {}


def save(log: Path, results: Known) -> None:
    """Store these results. If that fails, they are judged again at the next start."""
    with suppress(OSError):
        files.replace(files.results_of(log), msgspec.json.encode(_Kept(edition(), tuple(results.values()))))


@functools.cache
def edition() -> str:
    """Return a digest of all the code that results may depend on, installed games included."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in judged_by())).hexdigest()[:16]


def judged_by() -> list[Path]:
    """Return the files of that code, and of the games' words, in a fixed order."""
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
