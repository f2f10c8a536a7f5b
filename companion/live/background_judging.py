"""Judges a table's unjudged past matches in the background, so that no page waits for them."""

import logging
import threading
import time
from contextlib import suppress

from companion.history.archive import Archive, NotInLog, NotReadNow
from companion.live.table import Live

AT_REST = 4.0
"""It rests this many times as long as it judges, so that players hardly notice."""
AFTER_A_START = 3.0
"""Seconds until it begins, because the first pages come first."""

_journal = logging.getLogger(__name__)


class Recount:
    """All matches at first, because the rules may have changed since; then each match once it is over."""

    def __init__(self, live: Live, archive: Archive):
        self._live, self._archive = live, archive
        self._news = threading.Event()
        self._seen: object = None
        live.watch(self._look)

    def start(self) -> None:
        """Judge in its own thread, as long as the program runs."""
        threading.Thread(target=self._go_on, name="recount", daemon=True).start()

    def judge_all(self, rests: float = 0.0) -> None:
        """Judge what is lacking, and rest in between."""
        began = time.monotonic()
        with suppress(NotInLog, NotReadNow):  # whoever asks for the match is told
            for _ in self._archive.catch_up():
                time.sleep(rests * (time.monotonic() - began))
                began = time.monotonic()

    def _look(self) -> None:
        """Only what everybody sees wakes it: otherwise its activity would reveal that something was done."""
        now = self._live.snapshot.match, self._live.snapshot.under_way
        if now != self._seen:
            self._seen = now
            self._news.set()

    def _go_on(self) -> None:
        time.sleep(AFTER_A_START)
        while True:
            try:
                self.judge_all(AT_REST)
            except Exception:
                _journal.exception("What nobody has judged yet waits for the next match, after a fault of the program")
            self._news.wait()
            self._news.clear()
