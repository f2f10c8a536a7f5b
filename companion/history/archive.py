"""The past matches of a log, which any thread may read beside the live table without ever making it wait."""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from companion.errors import NotNow
from companion.history import cache
from companion.history.judged_past_matches import JudgedAgain, Shelf
from companion.history.standings import Result, Season, corrected, evening_of, result, season
from companion.judge.game_code_fault import Fault, fault_of
from companion.judge.match import Match, judge
from companion.storage.ailments import AilmentCode
from companion.storage.clock_readings import MatchDates
from companion.storage.decisions import that_stand
from companion.storage.entries import Entry, LastRows
from companion.storage.log import Log
from companion.storage.opening import GameMissing, LogFault

A_DAY = timedelta(days=1)
AT_ONCE = 20
"""How many unjudged matches a page of all matches waits for; it says that the others are missing."""
T = TypeVar("T")
Corrected = Mapping[int, Mapping[int, str]]
"""Match → seat → the corrected name."""
AS_TYPED: Corrected = {}


class NotInLog(NotNow):
    """There is no such match in the log, or it can't be read: the message says which, and why."""


class NotReadNow(NotNow):
    """The log can't be opened just now, though it may be whole: the disk, or too many open files."""


class Archive:
    """Reads a log, and caches each match's result under its revision, until something is added to the match."""

    def __init__(
        self,
        path: Path,
        names: Callable[[], Corrected] = lambda: AS_TYPED,
        note: Callable[[Iterable[Fault]], None] = lambda faults: None,
        note_lost: Callable[[Collection[int]], None] = lambda numbers: None,
    ):
        """`path` is the log's; `names` returns the corrected names of players; `note` keeps the faults of a game's code
        by which a match can't be judged; `note_lost` is called with the matches that can't be read, none if the whole
        log can't be.
        """
        self._path = path
        self._names = names
        self._note = note
        self._note_lost = note_lost
        self._known: dict[int, tuple[int, Result]] = {}
        self._kept: dict[int, int] | None = None
        """By match, the revisions stored on disk; None: they have not been loaded yet."""
        self._looked: tuple[LastRows, tuple[Result, ...]] = LastRows(), ()
        """The last rows read, and all results up to them; one tuple, so that another thread never sees only one new."""
        self._shown: tuple[Corrected, tuple[Result, ...], tuple[Result, ...]] | None = None
        """Name corrections, the results, and the results with these applied."""
        self._season: tuple[bool, Season] | None = None
        self._shelf = Shelf()
        self._dates = MatchDates()
        self._judging = threading.Lock()
        self._keeping = threading.Lock()

    @property
    def _all(self) -> tuple[Result, ...]:
        return self._looked[1]

    def latest(self) -> list[Result]:
        """Return the results of the last evening that people played. Raises `NotInLog`, `NotReadNow`."""
        return self._around_damage(self._latest_evening, list)

    def evening(self, of: str) -> list[Result]:
        """Return the results of people's matches on an evening (an ISO date). Raises `NotInLog`, `NotReadNow`."""
        return self._around_damage(lambda log: self._evening(log, of), list)

    def results(self) -> tuple[Result, ...]:
        """Return the result of every match, oldest first; the same object as long as nothing changes.

        Raises `NotInLog`, `NotReadNow`.
        """
        self._around_damage(self._look_at_what_is_new, lambda: None)
        return self._in_their_names(self._all)

    def season(self, table_simulated: bool) -> Season:
        """Return the summary of all matches; at a real table simulated ones count for nothing. Raises as `results`."""
        self._recall()
        results = self.results()
        summary = self._season
        self._remember()
        if summary is None or summary[0] != table_simulated or summary[1].results is not results:
            summary = self._season = table_simulated, season(results, table_simulated)
        return summary[1]

    def so_far(self, table_simulated: bool) -> tuple[Season, int]:
        """Return the summary of the matches judged so far (judging some of the newest), and how many are missing.

        Raises as `results`.
        """
        self._recall()
        known_results = self._all  # read once: another thread may judge all the others meanwhile
        newer, lacking = self._around_damage(
            lambda log: self._judged_so_far(log, known_results), lambda: (known_results[-1:], 0)
        )
        if not lacking:
            return self.season(table_simulated), 0
        return season(_renamed((*known_results[:-1], *newer), self._names()), table_simulated), lacking

    def catch_up(self) -> Iterator[None]:
        """Judge the missing matches, newest first, and store the results; yields after each match.

        Raises as `results`.
        """
        self._recall()
        newer: list[Entry] = self._around_damage(lambda log: _since(log, self._all), list)
        for entry in reversed(newer):
            if not self._is_known(entry):
                self._around_damage(partial(self._result, entry=entry), lambda: None)
                yield
        self.results()
        self._remember()

    def match(self, number: int) -> JudgedAgain:
        """Return a match judged again as far as it is recorded; one that is over is judged once. Raises `NotInLog`."""
        with self._reading() as log:
            return self._judged_again(log, number)

    def matches(self, numbers: Iterable[int]) -> list[Match]:
        """Return several matches, judged again. Raises `NotInLog`."""
        with self._reading() as log:
            return [self._judged_again(log, number).match for number in numbers]

    def _latest_evening(self, log: Log) -> list[Result]:
        # All matches are listed only if the last one is damaged, or counts for nobody.
        entries = _played(log.matches(since=_latest(log))) or _played(log.matches())
        if not entries:
            return []
        last_entry = entries[-1]
        evening = evening_of(last_entry.began)
        if evening:
            return self._evening(log, evening)
        undated = [
            entry
            for entry in _played(log.matches())
            if entry.sitting == last_entry.sitting and not evening_of(entry.began)
        ]
        return [*_renamed((self._result(log, entry) for entry in undated), self._names())]

    def _look_at_what_is_new(self, log: Log) -> None:
        """Update the results: judge new matches, those to which something was added, and the one on the table."""
        read_up_to, all_known = self._looked
        results_known = self._dated_anew(log, all_known)
        touched, last_rows = _touched(log, read_up_to)
        # The match on the table is judged every time, so that the time taken tells nothing about what is sealed.
        numbers = sorted({*touched, _on_table(log)})
        last_number = results_known[-1].match if results_known else 0
        entries = [entry for number in numbers if 0 < number < last_number and (entry := _entry(log, number))]
        earlier = {entry.id: self._result(log, entry) for entry in entries}
        newer = [self._result(log, entry) for entry in _since(log, results_known)]
        results = (*(earlier.get(result.match, result) for result in results_known[:-1]), *newer)
        self._looked = last_rows, all_known if results == all_known else results

    def _dated_anew(self, log: Log, results: tuple[Result, ...]) -> tuple[Result, ...]:
        """Return the results with their current dates: the table may have been told the time since they were read."""
        dates = log.dates_of_this_boot()
        if all(dates.get(result.match, result.began) == result.began for result in results):
            return results
        return tuple(replace(result, began=dates.get(result.match, result.began)) for result in results)

    def _judged_so_far(self, log: Log, results: Sequence[Result]) -> tuple[tuple[Result, ...], int]:
        """Judge some of the newest matches; return the known results from the last of `results` on, and how many are
        missing.
        """
        entries = _since(log, results)
        lacking = [entry for entry in entries[:-1] if not self._is_known(entry)]
        if len(lacking) <= AT_ONCE:
            return (), 0
        for entry in (*lacking[-AT_ONCE:], entries[-1]):
            self._result(log, entry)
        newer = tuple(self._known[entry.id][1] for entry in entries if self._is_known(entry))
        return newer, len(lacking) - AT_ONCE

    def _judged_again(self, log: Log, number: int) -> JudgedAgain:
        entry = log.match(number)
        names = self._names().get(number, {})
        if entry is None:
            raise NotInLog(f"no match {number}")
        version = entry, {**names}
        on_shelf = self._shelf.take(number, version)
        if on_shelf is not None:
            return on_shelf
        match, match_result = self._judged(log, entry)
        decided = that_stand(entry.decisions)
        judged = JudgedAgain(match, corrected(match_result, names), decided, is_dealt=entry.dealt)
        if match.over:  # one under way is judged each time, or the time taken would tell of sealed acts: see `_result`
            self._shelf.put(number, version, judged)
        return judged

    def _in_their_names(self, results: tuple[Result, ...]) -> tuple[Result, ...]:
        names = self._names()
        corrected_results = self._shown
        if corrected_results is None or corrected_results[0] is not names or corrected_results[1] is not results:
            corrected_results = self._shown = names, results, _renamed(results, names)
        return corrected_results[2]

    def _is_known(self, entry: Entry) -> bool:
        if entry.id not in self._known:
            return False
        revision, known_result = self._known[entry.id]
        return (revision, known_result.began) == (entry.revision, entry.began)

    def _recall(self) -> None:
        """Load the stored results the first time somebody asks for all matches."""
        with self._keeping:
            if self._kept is None:
                stored = cache.load(self._path)
                self._known = {**stored, **self._known}
                self._kept = {match: revision for match, (revision, _) in stored.items()}

    def _remember(self) -> None:
        """Store what is unlikely to change: every match but the last."""
        with self._keeping:
            ended = {result.match: self._known[result.match] for result in self._all[:-1]}
            revisions = {match: revision for match, (revision, _) in ended.items()}
            if not revisions.items() <= (self._kept or {}).items():
                cache.save(self._path, ended)
                self._kept = revisions

    def _evening(self, log: Log, of: str) -> list[Result]:
        """Return the matches of the evening `of`, an ISO date, which lasts into the next date."""
        until = min(date.fromisoformat(of), date.max - 2 * A_DAY) + 2 * A_DAY
        entries = log.begun(of, until.isoformat())
        evening = [self._result(log, entry) for entry in _played(entries) if evening_of(entry.began) == of]
        return [*_renamed(evening, self._names())]

    def _result(self, log: Log, entry: Entry) -> Result:
        """Return a match's result, cached until something is added to it.

        A match that may be under way is judged on every request, because otherwise the time taken would reveal whether
        something sealed was done since. Two requests for the same match judge it once, and a small request does not
        wait for a large one.
        """
        with self._judging:
            if self._is_known(entry):
                _, known_result = self._known[entry.id]
                if known_result.over or entry.id != _on_table(log):
                    return known_result
            judged_result = self._result_anew(log, entry)
            self._known[entry.id] = entry.revision, judged_result
            time.sleep(0)  # releases the GIL, so that the live table's judge can go first
            return judged_result

    def _result_anew(self, log: Log, entry: Entry) -> Result:
        """Judge a match and return its result; of one that can't be judged, only what its entry says."""
        try:
            return self._judged(log, entry)[1]
        except (LogFault, NotInLog) as wrong:
            if isinstance(wrong, LogFault) and not isinstance(wrong, GameMissing):
                self._note_lost([entry.id])
            return Result(entry.id, entry.began, entry.simulated, entry.game, demo=entry.demo, left_out=entry.left_out)

    def _judged(self, log: Log, entry: Entry) -> tuple[Match, Result]:
        """Judge a match. Raises `LogFault`, and `NotInLog` if the game's code raises."""
        events = log.events(entry.id)
        try:
            match = judge(events, log.away(entry.id))
            judged = result(match, entry.id, entry.began, entry.simulated, entry.demo)
            return match, replace(judged, left_out=entry.left_out, put_right=entry.put_right)
        except Exception as wrong:
            self._note([fault_of(entry.game, f"match {entry.id}", wrong)])
            raise NotInLog(f"match {entry.id} can't be judged: a fault in the code of {entry.game}") from wrong

    @contextmanager
    def _reading(self) -> Iterator[Log]:
        try:
            with closing(Log(self._path, writes=False, dates=self._dates)) as log:
                try:
                    yield log
                finally:
                    if log.lost:
                        self._note_lost(log.lost)
        except LogFault as wrong:
            if wrong.code in (AilmentCode.LOG_CLOSED, AilmentCode.LOG_HELD, AilmentCode.DISK_FAILS):
                raise NotReadNow(str(wrong)) from wrong
            raise NotInLog(str(wrong)) from wrong

    def _around_damage(self, look: Callable[[Log], T], otherwise: Callable[[], T]) -> T:
        """Return what `look` returns for the log, or what `otherwise` returns if the log can't be read as a whole."""
        try:
            with self._reading() as log:
                return look(log)
        except NotInLog as wrong:
            if not _is_damage(wrong.__cause__):
                raise
            self._note_lost(())
            return otherwise()


def _is_damage(wrong: BaseException | None) -> bool:
    return isinstance(wrong, LogFault) and wrong.code is AilmentCode.LOG_DAMAGED


def _latest(log: Log) -> int:
    """Return the number of the last match begun; 0 if there is none, or it can't be read."""
    try:
        return log.latest() or 0
    except LogFault:
        return 0


def _on_table(log: Log) -> int:
    """Return the number of the match on the table; 0 if there is none, or it can't be read."""
    try:
        return log.on_table() or 0
    except LogFault:
        return 0


def _touched(log: Log, last_rows: LastRows) -> tuple[frozenset[int], LastRows]:
    """Return the matches to which anything was added since, and the new last rows; unchanged if that can't be read."""
    try:
        return log.touched(last_rows)
    except LogFault:
        return frozenset(), last_rows


def _entry(log: Log, number: int) -> Entry | None:
    """Return the entry of a match; None if there is none, or it can't be read, and its known result stays."""
    try:
        return log.match(number)
    except LogFault:
        return None


def _played(entries: list[Entry]) -> list[Entry]:
    """Return the matches that people played, without demonstrations and tries."""
    return [entry for entry in entries if not entry.demo]


def _since(log: Log, results: Sequence[Result]) -> list[Entry]:
    """Return the entries from the last of these matches on, which may have been added to."""
    return log.matches(since=results[-1].match if results else 0)


def _renamed(results: Iterable[Result], names: Corrected) -> tuple[Result, ...]:
    return tuple(corrected(match_result, names.get(match_result.match, {})) for match_result in results)
