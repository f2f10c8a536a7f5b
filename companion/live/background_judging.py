"""Judges a table's unjudged past matches in the background, so that no page waits for them."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from companion.history.archive import Archive, NotInLog, NotReadNow
from companion.live.table import Live
from companion.threads import LastingThread, Rounds

AT_REST = 4.0
"""It rests this many times as long as it judged, so that players hardly notice."""
AFTER_A_START = 3.0
"""Seconds until it begins, so that the first pages are served first."""


class Recount:
    """All matches at first, because the rules may have changed since; then each match once it is over."""

    def __init__(self, live: Live, archive: Archive):
        self._live = live
        self._archive = archive
        self._news = threading.Event()
        self._thread = LastingThread("recount", self._go_on)
        self._seen: object = None
        live.watch(self._look)

    def start(self) -> None:
        """Judge in its own thread, until it is stopped."""
        self._thread.start()

    def stop(self) -> None:
        """Stop judging, after the match that is being judged."""
        self._thread.stop(self._news.set)

    def judge_all(self, rested: Callable[[float], bool] = lambda _: False) -> None:
        """Judge what is lacking. `rested` is called after each match with the seconds it took; if true, stop there."""
        began = time.monotonic()
        with suppress(NotInLog, NotReadNow):  # the page that asks for this match reports it
            for _ in self._archive.catch_up():
                if rested(time.monotonic() - began):
                    return
                began = time.monotonic()

    def _look(self) -> None:
        """Only what everybody sees wakes it: otherwise its activity would reveal that something was done."""
        snapshot = self._live.snapshot
        visible = snapshot.match, snapshot.under_way, snapshot.past_changes
        if visible != self._seen:
            self._seen = visible
            self._news.set()

    def _go_on(self, rounds: Rounds) -> None:
        rounds.wait(AFTER_A_START)
        while not rounds.is_set():
            self.judge_all(lambda took: rounds.wait(AT_REST * took))
            with rounds.resting():
                self._news.wait()
            self._news.clear()
