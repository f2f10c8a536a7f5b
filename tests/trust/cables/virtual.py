"""Time that passes only when somebody waits: hours of a bus go by in minutes, and the same way each time.

It stands in the place of the module `time` for all who wait at a bus: drivers, library, emulators.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest import mock

from tests.trust.cables.agenda import Agenda

WAITING = (
    "companion.devices.listening",
    "companion.devices.readers.pn532",
    "companion.devices.gpio",
    "companion.devices.drivers.pn532_i2c",
    "adafruit_pn532.adafruit_pn532",
    "adafruit_pn532.i2c",
    "adafruit_pn532.spi",
    "tests.emulators.pn532",
    "tests.emulators.pn532_i2c",
    "tests.emulators.pn532_spi",
)


class Time:
    """What `time` has, as far as it is used; and things that happen meanwhile."""

    def __init__(self) -> None:
        self.now = 1.0
        self._agenda = Agenda(self.monotonic)
        self.after, self.go = self._agenda.after, self._agenda.go

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass, and all that is due meanwhile happen: what it raises strikes whoever waits."""
        end = self.now + max(0.0, seconds)
        while due := self._agenda.due(end):
            at, act = due
            self.now = max(self.now, at)
            act()
        self.now = max(self.now, end)


class Until:
    """A `threading.Event` in this time: set by itself when the evening is over."""

    def __init__(self, time: Time, over: Callable[[], bool]) -> None:
        self._time, self._over = time, over

    def is_set(self) -> bool:
        return self._over()

    def wait(self, seconds: float) -> bool:
        self._time.sleep(max(seconds, 0.0001))
        return self._over()


@contextmanager
def passing(time: Time) -> Iterator[None]:
    """Let it pass instead of the real one."""
    with ExitStack() as stack:
        for module in WAITING:
            stack.enter_context(mock.patch(f"{module}.time", time))
        yield
