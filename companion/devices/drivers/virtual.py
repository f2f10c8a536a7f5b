"""Driver `virtual`: a table without a table, worked from the browser and from scripts.

It stands behind the same interface as real readers and buzzers; `lay`, `lift` and `press` are its hands.
"""

import queue
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import ClassVar

import msgspec

from companion.devices.sensing import VIRTUAL, Appeared, Buzzed, Clock, Gone, Sensing, Source, Tell, Working
from companion.errors import NotKept

LOOKS_UP_S = 20.0
"""Seconds after which a source that nobody touches looks up: whoever never does counts as stuck."""


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a virtual reader: only where it is."""

    place: str
    """Where at the table it senses: "seat-1"."""

    def open(self, clock: Clock) -> "VirtualReader":
        """Return the source."""
        return VirtualReader(self.place, clock)


class Buzzers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of virtual buzzers: which seats have one."""

    apart: ClassVar = 0.0
    seats: tuple[int, ...]
    """The seats that have one; distinct, from 1 to 6."""

    def open(self, clock: Clock) -> "VirtualBuzzers":
        """Return the source."""
        return VirtualBuzzers(self.seats, clock)


class _Virtual:
    def __init__(self, name: str, clock: Clock):
        self.name = name
        self._clock = clock
        self._sensings: queue.Queue[Sensing | None] = queue.Queue(100)
        """Needs no waking."""

    def start(self) -> None:
        """Return at once: nothing can be missing."""

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        """Pass on what the hands do, until `stop`."""
        _until_kept(Working(self.name, "simulated", self._clock()), tell, stop)
        while not stop.is_set():
            with suppress(queue.Empty):
                sensing = self._sensings.get(timeout=LOOKS_UP_S)
                is_untold = False
                try:
                    is_untold = sensing is not None and not _until_kept(sensing, tell, stop)
                finally:
                    if not is_untold:
                        self._sensings.task_done()

    def wait_until_told(self, seconds: float) -> bool:
        """Wait until the table has taken in all that was done before; return whether it has within this time."""
        told = self._sensings.all_tasks_done
        with told:
            return told.wait_for(lambda: not self._sensings.unfinished_tasks, seconds)

    def wake(self) -> None:
        """See `Waiter`."""
        with suppress(queue.Full):  # then it is awake
            self._sensings.put_nowait(None)


class VirtualReader(_Virtual):
    """A reader on which one card at a time can be laid."""

    def __init__(self, place: str, clock: Clock):
        super().__init__(f"reader {place}", clock)
        self.place = place
        self._lying: str | None = None

    def lay(self, uid: str, origin: str = "") -> None:
        """Lay a card; one that lay there is taken away. `origin`: see `Appeared`."""
        self.lift()
        self._lying = uid
        self._sensings.put(Appeared(self.place, uid, self._clock(), origin=origin))

    def lift(self) -> None:
        """Take the card away, if one lies there."""
        if self._lying is not None:
            self._sensings.put(Gone(self.place, self._lying, self._clock()))
            self._lying = None


class VirtualBuzzers(_Virtual):
    """Buzzers that a mouse or a script presses."""

    def __init__(self, seats: tuple[int, ...], clock: Clock):
        super().__init__("buzzers", clock)
        self.seats = seats

    def press(self, seat: int, at: float | None = None, origin: str = "") -> None:
        """Press a seat's buzzer: now, or at a time that has just passed. `origin`: see `Buzzed`."""
        self._sensings.put(Buzzed(seat, self._clock() if at is None else at, 0.0, origin))


def _until_kept(sensing: Sensing, tell: Tell, stop: threading.Event) -> bool:
    """Tell it until it is on disk; return whether it is, or the table was stopped before."""
    while True:
        try:
            tell(sensing)
        except NotKept:
            if stop.wait(0.5):
                return False
        else:
            return True


class VirtualHand:
    """All that can be done at a virtual table: lay a card at a place, lift it, press a buzzer."""

    def __init__(self, sources: Iterable[Source]):
        """Take the virtual ones among a table's sources."""
        sources = tuple(sources)
        self._readers = {source.place: source for source in sources if isinstance(source, VirtualReader)}
        self._buzzers = {
            seat: source for source in sources if isinstance(source, VirtualBuzzers) for seat in source.seats
        }
        self.places = tuple(self._readers)
        self.seats = tuple(self._buzzers)

    def lay(self, place: str, slug: str, card: str, origin: str = "") -> None:
        """Lay a card of a game on a reader. Raises KeyError for a place without a virtual reader."""
        self._readers[place].lay(f"{VIRTUAL}{slug}/{card}", origin)

    def lift(self, place: str) -> None:
        """Take away what lies on a reader. Raises KeyError for a place without a virtual reader."""
        self._readers[place].lift()

    def press(self, seat: int, at: float | None = None, origin: str = "") -> None:
        """Press a seat's buzzer, now or at a time just past. Raises KeyError for a seat without a virtual one."""
        self._buzzers[seat].press(seat, at, origin)

    def wait_until_told(self, seconds: float) -> bool:
        """Wait until the table has taken in all that was done before; return whether it has within this time."""
        until = time.monotonic() + seconds
        sources = {*self._readers.values(), *self._buzzers.values()}
        return all(source.wait_until_told(max(0.0, until - time.monotonic())) for source in sources)
