"""Turns the table's snapshots into what its club gets: the public view, and results stored in the outbox."""

import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from companion.access.people import People
from companion.club import payloads, results
from companion.club.outbox import Outbox
from companion.club.payloads import MatchResult, PublicView
from companion.devices.sensing import Clock
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.storage.entries import Entry
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.wall_clock import Reading

RESTS = 4.0
"""Pause after judging an old match, as a multiple of the time that it took: the table's own judge goes first."""
AGAIN_S = 5.0
"""Seconds until a log that can't be read is tried again."""
BEING_PLAYED = -1
"""Stands for a revision in the outbox while the match is played: it is judged again afterwards."""

Corrected = Mapping[int, Mapping[int, str]]


class Noticed:
    """What was noticed so far at a table. Use it from one thread."""

    def __init__(self, live: Live, people: Callable[[], People], seconds: Clock = time.monotonic) -> None:
        """Watch a table; `people` returns players' corrected names and their club cards."""
        self._seconds = seconds
        self._live = live
        self._people = people
        self.public = payloads.written(PublicView(None, self._at(), None))
        """The newest public view, as a payload."""
        self._shown: tuple[int | None, bytes, bool] = (None, b"null", False)
        """Its match number, its view alone, and whether the match was ended early."""
        self._seen: tuple[object, ...] = ()
        self._view: dict[str, Any] | None = None
        self._began: tuple[Entry, dict[str, Any]] | None = None
        """The log's entry and the options of the current match."""
        self._known: MatchResult | None = None
        """Its result in the outbox."""
        self._named: Corrected = {}
        self._clock: Reading | None = None
        """The wall clock's state when matches were last dated."""
        self._cards: Mapping[str, str] | None = None
        """The club cards when results were last stored; None: not yet."""
        self._old: deque[Entry] | None = None
        """Earlier matches whose result is not stored yet; None: to be looked up."""
        self._past_changes = 0
        """The snapshot's count of changes to earlier matches at the last look."""
        self._resting_until = -math.inf

    def look(self, outbox: Outbox, at: float) -> float:
        """Process what is new at `at` (seconds); return when to call again. Raises `OutboxFault`."""
        snapshot = self._live.snapshot
        people = self._people()
        shown_state = snapshot.match, msgspec.json.encode(snapshot.views.get(None)), snapshot.ended
        visible = *shown_state, people.corrected, people.cards, snapshot.clock, snapshot.past_changes
        try:
            if visible != self._seen:
                self._take_in(outbox, snapshot, shown_state, people)
                self._seen = visible
            return self._look_back(outbox, at)
        except LogFault:  # the page reports it
            return at + AGAIN_S

    def _take_in(
        self, outbox: Outbox, snapshot: Snapshot, shown_state: tuple[int | None, bytes, bool], people: People
    ) -> None:
        match = snapshot.match
        view = cast("dict[str, Any] | None", snapshot.views.get(None))
        if shown_state != self._shown:
            written_result = outbox.written_result(match) if match else None
            # A stored result that is not over: the match was ended early, and perhaps goes on now.
            goes_on = written_result is not None and not written_result.over
            ended = snapshot.ended if snapshot.ended or goes_on else None
            self.public = payloads.written(PublicView(match, self._at(), view, ended))
        if snapshot.clock != self._clock:
            self._date(outbox)
            self._clock = snapshot.clock
        if match != self._shown[0]:
            # Before the view is replaced: starting the next match has ended this one.
            self._write_down(outbox, people)
            self._began = self._beginning(match)
            self._old = None
            self._known = outbox.written_result(match) if match else None
        if snapshot.past_changes != self._past_changes:
            self._past_changes = snapshot.past_changes
            self._began = self._beginning(match)
            self._old = None
        self._shown = shown_state
        self._view = view
        if people.corrected != self._named:
            self._rename(outbox, people)
            self._named = people.corrected
        if people.cards != self._cards:
            self._tell_cards(outbox, people)
            self._cards = people.cards
        if match is None or view is None:
            return
        # A stored result may need to be taken back: the move that ended the match may have been.
        if view["over"] or snapshot.ended or (self._known is not None and self._known.over):
            self._began = self._began or self._beginning(match)
            self._write_down(outbox, people)
            self._known = outbox.written_result(match)

    def _write_down(self, outbox: Outbox, people: People) -> None:
        """Store the result of the current match from its public view.

        Nothing is judged for it, so its timing does not reveal how many hidden acts there were.
        """
        if self._began is not None and self._view is not None:
            entry, options = self._began
            result = results.result_of(entry, options, self._view, people)
            outbox.put(result, BEING_PLAYED)

    def _beginning(self, match: int | None) -> tuple[Entry, dict[str, Any]] | None:
        """Return a match's entry and options; None if the log can't be read now: the match is then judged later."""
        if match is None:
            return None
        try:
            with closing(Log(self._live.kept_in, writes=False)) as log:
                return results.begun(log, match)
        except LogFault:
            return None

    def _rename(self, outbox: Outbox, people: People) -> None:
        judged = outbox.judged()
        for match, names in people.corrected.items():
            if names != self._named.get(match) and (written := outbox.written_result(match)):
                outbox.put(results.renamed(written, people), judged[match])

    def _date(self, outbox: Outbox) -> None:
        """Store results again whose date has become known or was corrected. Raises `LogFault`."""
        with closing(Log(self._live.kept_in, writes=False)) as log:
            dates = log.dates_of_this_boot()
        if self._began is not None:
            self._began = self._beginning(self._shown[0])
        revisions = outbox.judged()
        for number, began in dates.items():
            written = outbox.written_result(number)
            if written is not None and began and began != written.began:
                outbox.put(replace(written, began=began), revisions[number])

    def _tell_cards(self, outbox: Outbox, people: People) -> None:
        """Store results again with their players' present club cards."""
        for match, revision in outbox.judged().items():
            written = outbox.written_result(match)
            if written is not None:
                outbox.put(results.renamed(written, people), revision)

    def _look_back(self, outbox: Outbox, at: float) -> float:
        """Judge one earlier match whose result is missing or outdated; return when to judge the next one."""
        if self._old is not None and at < self._resting_until:
            return self._resting_until
        began = self._seconds()
        if self._old is None or self._old:
            with closing(Log(self._live.kept_in, writes=False)) as log:
                if self._old is None:
                    self._old = self._unjudged(log, outbox)
                elif result := results.judged(log, self._old[0], self._people()):
                    outbox.put(result, self._old.popleft().revision)
                else:
                    self._old.popleft()
        self._resting_until = at + RESTS * (self._seconds() - began)
        return self._resting_until if self._old else math.inf

    def _unjudged(self, log: Log, outbox: Outbox) -> deque[Entry]:
        entries = log.matches()
        judged = outbox.judged()
        on_table = self._shown[0], log.on_table()  # asked last, to leave out also a match that has begun meanwhile
        return deque(entry for entry in entries if entry.id not in on_table and judged.get(entry.id) != entry.revision)

    def _at(self) -> float:
        return round(self._live.clock(), 3)
