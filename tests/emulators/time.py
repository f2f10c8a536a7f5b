"""Time that passes only when somebody waits: minutes of a bus go by at once, and the same way each time.

The companion is handed `Time.monotonic` and `Time.sleep`. In the emulators, and in the readers' library, it stands in
the place of the module `time`.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest import mock

from tests.emulators.agenda import Agenda

WAITING = (
    "adafruit_pn532.adafruit_pn532",
    "adafruit_pn532.i2c",
    "adafruit_pn532.spi",
    "adafruit_pn532.uart",
    "tests.emulators.box",
    "tests.emulators.pn532",
    "tests.emulators.pn532_i2c",
    "tests.emulators.pn532_spi",
    "tests.emulators.pn532_uart",
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
    """A `threading.Event` in this time: set by itself when it is over."""

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
