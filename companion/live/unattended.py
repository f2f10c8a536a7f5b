"""Starts demonstrations where a big screen is on and nobody is there, and ends them at the first sign of people."""

import time
from collections.abc import Callable
from contextlib import suppress

from companion import games
from companion.access.rights_file import Phones
from companion.access.seat_rights import Rights
from companion.errors import NotNow
from companion.judge.views import told_so_far
from companion.live.demo import Demo
from companion.live.pause import Why
from companion.live.table import Live
from companion.threads import Rounds

BEFORE_A_MATCH_S = 180.0
"""Seconds without a sign of people before a demonstration begins, if nobody has played yet."""
AFTER_A_MATCH_S = 900.0
"""The same after a match: its winners are on the screen, and people may want another."""
LOOKS_EVERY_S = 2.0


class Unattended:
    """Shows each game once, then none until people have come, so that the log does not grow all night."""

    def __init__(self, live: Live, demo: Demo, phones: Phones, clock: Callable[[], float] = time.monotonic):
        self.is_watched: Callable[[], bool] = lambda: False
        """Whether a big screen shows the table."""
        self._live = live
        self._demo = demo
        self._phones = phones
        self._clock = clock
        self._rights: Rights | None = None
        """The rights at the last look: what people do by phone changes them, or the match."""
        self._told: tuple[int | None, int] = (None, 0)
        """The match that people played last, and the length of its story."""
        self._quiet_since = clock()
        self._unshown = list(games.known())

    def keep_looking(self, rounds: Rounds) -> None:
        """Look every two seconds until stopped; run it in its own thread."""
        while not rounds.wait(LOOKS_EVERY_S):
            self.look()

    def look(self) -> None:
        """Begin a demonstration, or end it, if it is time to."""
        telling = self._demo.telling
        people_came = self._people_came()
        if people_came:
            self._quiet_since = self._clock()
            self._unshown = list(games.known())
        if telling is not None:
            self._quiet_since = self._clock()
            if people_came and telling.by_itself:
                self.leave()
        elif self._is_quiet() and self._unshown:
            with suppress(NotNow):  # somebody has just begun a match
                self._demo.start(self._unshown.pop(0), self._live.snapshot, by_itself=True)

    def leave(self) -> None:
        """End a demonstration that began by itself."""
        self._demo.stop()
        snapshot = self._live.snapshot
        if snapshot.demo and snapshot.in_play is not None:
            with suppress(NotNow):
                self._live.pause(Why.ENDED, snapshot)

    def _people_came(self) -> bool:
        """Return whether people have done something since this was last asked."""
        rights = self._phones.rights
        snapshot = self._live.snapshot
        told_so_far_of = self._told
        if not snapshot.demo:
            told_so_far_of = (snapshot.match, told_so_far(snapshot.views.get(None)))
        came = rights is not self._rights or told_so_far_of != self._told
        self._rights = rights
        self._told = told_so_far_of
        return came

    def _is_quiet(self) -> bool:
        """Return whether nobody has been there for long enough, nor waits for a match."""
        snapshot = self._live.snapshot
        if snapshot.people_play or not self.is_watched():
            return False
        if any(guest.phone for guest in self._phones.rights.people.seated.values()):
            return False
        patience = BEFORE_A_MATCH_S if self._told == (None, 0) else AFTER_A_MATCH_S
        return self._clock() - self._quiet_since >= patience
