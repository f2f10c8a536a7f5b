"""Time that passes only when somebody waits: minutes of a bus go by at once, and the same way each time.

The companion is handed `Time.monotonic` and `Time.sleep`. In the emulators, and in the readers' library, it stands in
the place of the module `time`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from unittest import mock

from greenlet import getcurrent, greenlet

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


STEP_S = 0.01
"""Between two looks whether all that go on side by side are done."""


class Time:
    """What `time` has, as far as it is used; and things that happen meanwhile."""

    def __init__(self) -> None:
        self.now = 1.0
        self._agenda = Agenda(self.monotonic)
        self.after = self._agenda.after
        self.go = self._agenda.go

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass, and all that is due meanwhile happen: what it raises strikes whoever waits."""
        me = getcurrent()
        if me.parent is not None:  # it is one of several that go on side by side
            self.after(max(0.0, seconds), me.switch)
            me.parent.switch()
            return
        end = self.now + max(0.0, seconds)
        while due := self._agenda.due(end):
            at, act = due
            self.now = max(self.now, at)
            act()
        self.now = max(self.now, end)

    def side_by_side(self, calls: Sequence[Callable[[], object]]) -> None:
        """Do these as threads would: while one sleeps the others go on. What is raised in one, or strikes, ends all."""
        threads = [greenlet(call) for call in calls]
        try:
            for thread in threads:
                thread.switch()
            while not all(thread.dead for thread in threads):
                self.sleep(STEP_S)
        finally:
            for thread in threads:
                while not thread.dead:  # what it still does on its way out takes no time
                    thread.throw()


class Until:
    """A `threading.Event` in this time: set by itself when it is over."""

    def __init__(self, time: Time, over: Callable[[], bool]) -> None:
        self.time = time
        self._over = over

    def is_set(self) -> bool:
        return self._over()

    def wait(self, seconds: float) -> bool:
        self.time.sleep(max(seconds, 0.0001))
        return self._over()


@contextmanager
def passing(time: Time) -> Iterator[None]:
    """Let it pass instead of the real one."""
    with ExitStack() as stack:
        for module in WAITING:
            stack.enter_context(mock.patch(f"{module}.time", time))
        yield
