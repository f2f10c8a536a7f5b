"""A cache of past matches judged again: when one is over, a whole room asks for it at once."""

import threading
from collections.abc import Sequence
from functools import cached_property

from companion.game import Chart
from companion.history.charts import charts
from companion.history.standings import Result
from companion.judge import views
from companion.judge.match import Match
from companion.storage.decisions import Decision

MOST = 20_000
"""Events of all that are kept; each takes half a kilobyte."""


class JudgedAgain:
    """A match of the log, and what follows from it; read-only."""

    def __init__(self, match: Match, result: Result, decided: Sequence[Decision] = ()):
        self.match = match
        self.result = result
        self.decided = decided
        """What people decided about it after its end, as it stands."""

    @cached_property
    def charts(self) -> tuple[Chart, ...]:
        """The charts worth drawing."""
        return charts(self.match)

    @cached_property
    def moments(self) -> tuple[int, ...]:
        """The entries that were news."""
        return views.moments(self.match)


class Shelf:
    """The matches that were asked for last. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, JudgedAgain]] = {}
        """By number, with the version; the one asked for last comes last."""
        self._lock = threading.Lock()

    def take(self, number: int, version: object) -> JudgedAgain | None:
        """Return a match in this version, or None if it is not kept."""
        with self._lock:
            version_and_match = self._kept.pop(number, None)
            if version_and_match is None or version_and_match[0] != version:
                return None
            self._kept[number] = version_and_match
            return version_and_match[1]

    def put(self, number: int, version: object, judged: JudgedAgain) -> None:
        """Keep one, dropping those not asked for longest; but none that is too long for the whole shelf."""
        if len(judged.match.events) > MOST:
            return
        with self._lock:
            self._kept[number] = version, judged
            while sum(len(judged_match.match.events) for _, judged_match in self._kept.values()) > MOST:
                del self._kept[next(iter(self._kept))]
