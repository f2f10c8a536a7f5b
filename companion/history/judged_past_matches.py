"""A cache of past matches judged again, because when one is over a whole room asks for it at once."""

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
"""The most events of all matches in the cache; each takes half a kilobyte."""


class JudgedAgain:
    """A past match, and what is computed from it; read-only."""

    def __init__(self, match: Match, result: Result, decided: Sequence[Decision] = (), *, is_dealt: bool = False):
        self.match = match
        self.result = result
        self.decided = decided
        """The decisions about it that are in force."""
        self.is_dealt = is_dealt
        """Whether the table itself dealt and read its cards, so that none was misread."""

    @cached_property
    def charts(self) -> tuple[Chart, ...]:
        """The charts worth drawing."""
        return charts(self.match)

    @cached_property
    def moments(self) -> tuple[int, ...]:
        """The entries that were news."""
        return views.moments(self.match)


class Shelf:
    """The matches that were requested last. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, JudgedAgain]] = {}
        """By number, with the version; the latest requested comes last."""
        self._lock = threading.Lock()

    def take(self, number: int, version: object) -> JudgedAgain | None:
        """Return a match in this version, or None if it is not cached."""
        with self._lock:
            version_and_match = self._kept.pop(number, None)
            if version_and_match is None or version_and_match[0] != version:
                return None
            self._kept[number] = version_and_match
            return version_and_match[1]

    def put(self, number: int, version: object, judged: JudgedAgain) -> None:
        """Cache a match, dropping the least recently requested ones; one that is too long for the cache is not kept."""
        if len(judged.match.events) > MOST:
            return
        with self._lock:
            self._kept[number] = version, judged
            while sum(len(judged_match.match.events) for _, judged_match in self._kept.values()) > MOST:
                del self._kept[next(iter(self._kept))]
