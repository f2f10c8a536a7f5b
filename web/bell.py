"""Wakes the streams: the judge's thread rings, greenlets of the page's thread wait."""

from typing import Any

import gevent
from gevent.event import Event


class Bell:
    """Rung from any thread; greenlets wait for the next ring. Those that render for everybody are woken first."""

    def __init__(self) -> None:
        self._next = Event()
        self._next_for_seats = Event()
        self._hub: Any = None
        self._wake: Any = None

    def ring(self) -> None:
        """Announce that something may be new. Never blocks and never raises: the judge calls it."""
        if self._wake is not None:
            try:
                self._wake.send()
            except ValueError:
                self._wake = None  # its event loop is gone, and with it every waiting greenlet

    def next_ring(self) -> Event:
        """Return the event that the next ring after this call sets."""
        hub = gevent.get_hub()
        if hub is not self._hub:
            # Made lazily: only here is the serving thread's event loop known, and no other can be woken.
            self._hub, self._wake = hub, hub.loop.async_()
            self._wake.start(self._rung)
        return self._next

    def next_ring_for_seats(self) -> Event:
        """Return the event that the next ring sets last, for the players' own pages.

        Pages are rendered one after the other, and each of these serves one phone only.
        """
        self.next_ring()
        return self._next_for_seats

    def _rung(self) -> None:
        # Replaced before they are set: a greenlet woken here asks for the next ring at once.
        rung = self._next
        rung_for_seats = self._next_for_seats
        self._next = Event()
        self._next_for_seats = Event()
        rung.set()
        rung_for_seats.set()
