"""The matches of a log, looked at again: in any thread, beside the live table, which never waits for it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.log import Entry, Log, LogFault
from companion.match import Match, judge
from companion.results import Result, result


class NotThere(Exception):
    """There is no such match in the log, or it can't be read: the message says which, and why."""


class Archive:
    """Reads a log, and remembers how each match ended for as long as nothing is added to it."""

    def __init__(self, path: Path):
        """`path` is the log's."""
        self._path = path
        self._known: dict[int, tuple[int, Result]] = {}
        self._judging = threading.Lock()

    def matches(self) -> list[Result]:
        """List every match, oldest first, without judging any: who played, and how it ended, is left out."""
        return [Result(one.id, one.began, one.simulated, one.game) for one in self._entries()]

    def results(self, wanted: Callable[[Result], bool] = lambda listed: True) -> list[Result]:
        """Tell how those of the matches ended that `wanted` picks from the list. Raises `NotThere`."""
        with self._reading() as log:
            entries = log.matches()
            picked = [one for one in entries if wanted(Result(one.id, one.began, one.simulated, one.game))]
            found = []
            for one in picked:
                with self._judging:  # two that ask for the same judge it once, and who asks for little waits for little
                    found.append(self._result(log, one))
            return found

    def match(self, number: int) -> tuple[Match, Result]:
        """Judge a match anew, as far as it is recorded. Raises `NotThere`."""
        entry = next((one for one in self._entries() if one.id == number), None)
        if entry is None:
            raise NotThere(f"no match {number}")
        with self._reading() as log:
            match = judge(log.events(number))
        return match, result(match, number, entry.began, entry.simulated)

    def _entries(self) -> list[Entry]:
        with self._reading() as log:
            return log.matches()

    def _result(self, log: Log, entry: Entry) -> Result:
        """A match is only ever added to: as long as it is, what follows from it is the same."""
        known = self._known.get(entry.id)
        if known is None or known[0] != entry.events:
            known = self._known[entry.id] = entry.events, self._judged(log, entry)
            time.sleep(0)  # the live table's judge may want to go first
        return known[1]

    def _judged(self, log: Log, entry: Entry) -> Result:
        try:
            match = judge(log.events(entry.id))
        except LogFault:
            return Result(entry.id, entry.began, entry.simulated, entry.game)
        return result(match, entry.id, entry.began, entry.simulated)

    @contextmanager
    def _reading(self) -> Iterator[Log]:
        try:
            with closing(Log(self._path, writes=False)) as log:
                yield log
        except LogFault as wrong:
            raise NotThere(str(wrong)) from wrong
