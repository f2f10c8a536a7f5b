"""Wakes the streams: rung by the judge's thread, heard by greenlets of the page's thread."""

from typing import Any

import gevent
from gevent.event import Event


class Bell:
    """Ring it from any thread; greenlets wait for the next ring. Those that draw what all see are woken first."""

    def __init__(self) -> None:
        self._next = Event()
        self._next_for_seats = Event()
        self._hub: Any = None
        self._wake: Any = None

    def ring(self) -> None:
        """Announce that there may be something new. Quick, never blocks, never fails: the judge is busy."""
        if self._wake is not None:
            try:
                self._wake.send()
            except ValueError:
                self._wake = None  # the server is gone, and with it everybody who waited

    def next_ring(self) -> Event:
        """Return the next ring to wait for; whatever comes after this call will set it."""
        hub = gevent.get_hub()
        if hub is not self._hub:
            # Only the hub that serves can be woken, and this runs in it.
            self._hub, self._wake = hub, hub.loop.async_()
            self._wake.start(self._rung)
        return self._next

    def next_ring_for_seats(self) -> Event:
        """Return the same for the players' own pages: each takes longer to draw than one for all, and is for one phone.
        Pages are drawn one after the other, so whoever comes last waits for all of them.
        """
        self.next_ring()
        return self._next_for_seats

    def _rung(self) -> None:
        rung = self._next
        rung_for_seats = self._next_for_seats
        self._next = Event()
        self._next_for_seats = Event()
        rung.set()
        rung_for_seats.set()
