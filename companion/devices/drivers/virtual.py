"""Driver `virtual`: a table without hardware, worked from the browser and from scripts.

It has the same interface as real readers and buzzers; `lay`, `lift` and `press` stand for hands.
"""

import queue
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from typing import ClassVar

import msgspec

from companion.devices.sensing import VIRTUAL, Appeared, Buzzed, Clock, Gone, Sensing, Source, Tell, Working
from companion.errors import NotKept

LOOKS_UP_S = 20.0
"""Seconds after which an idle source wakes, since a thread that never does counts as stuck (see `threads.py`)."""


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


class _Deed:
    """What a hand has just done, with a future of whether the table has stored it."""

    def __init__(self, *sensings: Sensing) -> None:
        self.sensings = sensings
        self.stored: Future[None] = Future()

    def tell(self, tell: Tell) -> None:
        try:
            tell(*self.sensings)
        except Exception as wrong:
            self.stored.set_exception(wrong)
            if not isinstance(wrong, NotKept):
                raise
        else:
            self.stored.set_result(None)


class _Virtual:
    def __init__(self, name: str, clock: Clock):
        self.name = name
        self._clock = clock
        self._lock = threading.Lock()
        self._deeds: queue.Queue[_Deed | None] = queue.Queue()
        """Deeds that were not told yet; None only wakes the thread."""
        self._ended = False

    def start(self) -> None:
        """Return at once: nothing can be missing."""
        with self._lock:
            self._ended = False

    def close(self) -> None:
        """End: deeds that were not told yet fail."""
        with self._lock:
            self._ended = True
        while not self._deeds.empty():
            deed = self._deeds.get_nowait()
            if deed is not None:
                deed.stored.set_exception(NotKept("the table has stopped"))

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        """Pass on what the hands do, until `stop`."""
        _until_kept(Working(self.name, "simulated", self._clock()), tell, stop)
        while not stop.is_set():
            try:
                deed = self._deeds.get(timeout=LOOKS_UP_S)
            except queue.Empty:
                continue
            if deed is not None:
                deed.tell(tell)

    def wake(self) -> None:
        """See `Waiter`."""
        self._deeds.put(None)

    def _do(self, *sensings: Sensing) -> None:
        """Have the table store these, all or none. Raises `NotKept` if it can't: then they never happened."""
        deed = _Deed(*sensings)
        with self._lock:
            if self._ended:
                raise NotKept("the table has stopped")
            self._deeds.put(deed)
        deed.stored.result()


class VirtualReader(_Virtual):
    """A reader on which one card at a time can be laid."""

    def __init__(self, place: str, clock: Clock):
        super().__init__(f"reader {place}", clock)
        self.place = place
        self._hand = threading.Lock()
        """Held while a card is laid or lifted, so that the next call sees what lies there."""
        self._lying: str | None = None

    def lay(self, *uids: str, origin: str = "") -> None:
        """Lay cards one after the other; the one before is taken away. `origin` is that of the last: see `Appeared`.
        Raises `NotKept`.
        """
        with self._hand:
            lying = self._lying
            sensings: list[Sensing] = []
            for left, uid in zip(range(len(uids) - 1, -1, -1), uids, strict=True):
                if lying is not None:
                    sensings.append(Gone(self.place, lying, self._clock()))
                sensings.append(Appeared(self.place, uid, self._clock(), origin="" if left else origin))
                lying = uid
            self._do(*sensings)
            self._lying = lying

    def lift(self) -> None:
        """Take the card away, if one lies there. Raises `NotKept`."""
        with self._hand:
            if self._lying is not None:
                self._do(Gone(self.place, self._lying, self._clock()))
                self._lying = None


class VirtualBuzzers(_Virtual):
    """Buzzers that a mouse or a script presses."""

    def __init__(self, seats: tuple[int, ...], clock: Clock):
        super().__init__("buzzers", clock)
        self.seats = seats

    def press(self, seat: int, at: float | None = None, origin: str = "") -> None:
        """Press a seat's buzzer: now, or at a time that has just passed. `origin`: see `Buzzed`. Raises `NotKept`."""
        self._do(Buzzed(seat, self._clock() if at is None else at, 0.0, origin))


def _until_kept(sensing: Sensing, tell: Tell, stop: threading.Event) -> bool:
    """Tell it until it is on disk; return False if the table is stopped before."""
    while True:
        try:
            tell(sensing)
        except NotKept:
            if stop.wait(0.5):
                return False
        else:
            return True


class VirtualHand:
    """All that can be done at a virtual table: lay a card at a place, lift it, press a buzzer.

    Each returns once the table has stored it, or raises `NotKept`: then it never happened, and comes no more.
    """

    def __init__(self, sources: Iterable[Source]):
        """Take the virtual ones among a table's sources."""
        sources = tuple(sources)
        self._readers = {source.place: source for source in sources if isinstance(source, VirtualReader)}
        self._buzzers = {
            seat: source for source in sources if isinstance(source, VirtualBuzzers) for seat in source.seats
        }
        self.places = tuple(self._readers)
        self.seats = tuple(self._buzzers)

    def lay(self, place: str, slug: str, *cards: str, origin: str = "") -> None:
        """Lay cards of a game on a reader, in turn. Raises KeyError for a place without a virtual reader."""
        self._readers[place].lay(*(f"{VIRTUAL}{slug}/{card}" for card in cards), origin=origin)

    def lift(self, place: str) -> None:
        """Take away what lies on a reader. Raises KeyError for a place without a virtual reader."""
        self._readers[place].lift()

    def press(self, seat: int, at: float | None = None, origin: str = "") -> None:
        """Press a seat's buzzer, now or at a time just past. Raises KeyError for a seat without a virtual one."""
        self._buzzers[seat].press(seat, at, origin)
