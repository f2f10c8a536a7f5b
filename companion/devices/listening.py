"""Runs all of a table's sources: a thread for each, or for all that share a bus, started and stopped together."""

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.sensing import Clock, Failed, NotThere, Sensing, Source, Tell, TurnTaker, Waiter, Working
from companion.errors import NotKept
from companion.threads import LastingThread, Rounds, Work, keep

MENDING = 0.1
"""Seconds of a round after which no further failed source gets its turn, so that working ones need not wait for all."""

AFTER_A_FAULT = 1.0
"""Seconds until the next turn of a source that raised something."""

PROGRAM_FAULT = DeviceFault(
    "a fault of the program, not of the device: what was sensed last may not count. Do it again.", FaultCode.PROGRAM
)


def start_all(sources: Sequence[Source]) -> list[str]:
    """Open every device; return a sentence for each that does not answer."""
    missing = []
    for source in sources:
        try:
            source.start()
        except NotThere as wrong:
            missing.append(f"{source.name}: {wrong}")
    return missing


def take_turns(sources: Sequence[TurnTaker], tell: Tell, stop: threading.Event, clock: Clock = time.monotonic) -> None:
    """Give the sources their turns, round-robin, until `stop` is set. Raises nothing.

    An exception costs a source its turn, and is kept and told; the others, which share the thread, go on. Sources that
    do not disturb each other begin together, because the bus is free while their radios work. A source that failed asks
    for a pause, on `clock`, and holds up nobody. As recovery takes time, failed ones get their turns one by one after
    all others, as many as `MENDING` allows.
    """
    groups = _apart(sources)
    due = dict.fromkeys((source.name for source in sources), clock())
    tells = {source.name: HandedOn(tell, source.name) for source in sources}
    failed = dict[str, TurnTaker]()

    def rest(source: TurnTaker, pause: float) -> None:
        due[source.name] = clock() + pause
        if pause:
            failed[source.name] = source
        else:
            failed.pop(source.name, None)

    def give_up(source: TurnTaker, wrong: Exception) -> None:
        keep(source.name, wrong)
        tells[source.name].fell(clock())
        rest(source, AFTER_A_FAULT)

    def has_begun(source: TurnTaker) -> bool:
        try:
            source.begin()
        except Exception as wrong:
            give_up(source, wrong)
            return False
        return True

    def give_turn(source: TurnTaker) -> None:
        try:
            pause = source.turn(tells[source.name])
        except Exception as wrong:
            give_up(source, wrong)
            return
        rest(source, pause)
        if not pause:
            tells[source.name].recovered()

    while not stop.wait(min(due.values()) - clock()):
        for group in groups:
            ready = [source for source in group if source.name not in failed and not stop.is_set()]
            begun = [source for source in ready if has_begun(source)]
            for source in begun:
                give_turn(source)
        began = clock()
        for name in sorted(failed, key=due.__getitem__):
            if due[name] <= clock() < began + MENDING and not stop.is_set():
                give_turn(failed[name])


def _apart(sources: Sequence[TurnTaker]) -> list[list[TurnTaker]]:
    """Return groups in which no two sources disturb each other."""
    groups: list[list[TurnTaker]] = []
    for source in sources:
        for group in groups:
            if all(source.near != neighbour.near for neighbour in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


class HandedOn:
    """A source's `Tell` that survives an exception in the table's code, which must not end the source's thread.

    The exception is told as a fault of the source until something has been told again. The sensings that failed are
    dropped: they would fail for ever, and hold up all later ones.
    """

    def __init__(self, tell: Tell, source: str):
        """Tell for the source of this name."""
        self._tell = tell
        self._source = source
        self._said: Working | Failed | None = None
        """The latest state that the source told."""
        self._faulty = False

    def fell(self, at: float) -> None:
        """Tell that the source has failed by an exception, unless that is told already."""
        if self._faulty:
            return
        self._faulty = True
        with suppress(Exception):
            self._tell(Failed(self._source, PROGRAM_FAULT, at))

    def recovered(self) -> None:
        """Tell the source's latest state again, if it was told as faulty."""
        if self._faulty and self._said is not None:
            with suppress(Exception):  # tried again the next time
                self._tell(self._said)
                self._faulty = False

    @property
    def is_faulty(self) -> bool:
        """Whether the source is told as faulty."""
        return self._faulty

    def __call__(self, *sensings: Sensing) -> None:
        """See `Tell`."""
        self._said = next(
            (sensing for sensing in reversed(sensings) if isinstance(sensing, Working | Failed)), self._said
        )
        try:
            self._tell(*sensings)
        except NotKept:
            raise
        except Exception as wrong:
            keep(self._source, wrong)
            self.fell(sensings[-1].at)
            return
        self.recovered()


class Listening:
    """Sources that listen until `stop`."""

    def __init__(self, sources: Sequence[Source], tell: Tell):
        """Start a thread for each source that needs its own, and one for all that take turns with each other."""
        self._sources = sources
        self._threads = [LastingThread(name, listen) for name, listen in _listeners(sources, tell).items()]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the threads and give the devices back."""
        # All are told to stop before the first is waited for, so that stopping takes only as long as the slowest.
        for thread in self._threads:
            thread.rounds.set()
        for source in self._sources:
            if isinstance(source, Waiter):
                source.wake()
        for thread in self._threads:
            thread.stop()
        for source in self._sources:
            source.close()


def _listeners(sources: Sequence[Source], tell: Tell) -> dict[str, Work]:
    """Return what each thread does, by the thread's name."""
    listeners: dict[str, Work] = {}
    together: dict[str, list[TurnTaker]] = {}
    for source in sources:
        if isinstance(source, TurnTaker):
            together.setdefault(source.turns, []).append(source)
            listeners[source.turns] = partial(take_turns, together[source.turns], tell)
        else:
            listeners[source.name] = partial(_listen, source, HandedOn(tell, source.name))
    return listeners


def _listen(source: Source, tell: HandedOn, stop: Rounds) -> None:
    """Listen to a source; after an exception, reopen it first."""
    if tell.is_faulty:
        with suppress(NotThere):  # it says so itself
            source.start()
            tell.recovered()
    try:
        source.listen(tell, stop)
    except Exception:
        tell.fell(time.monotonic())
        with suppress(Exception):
            source.close()
        raise
