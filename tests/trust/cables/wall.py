"""Time as it really passes, with things that happen meanwhile: all in the thread that lets it pass."""

import time
from collections.abc import Callable

from tests.emulators.agenda import Agenda
from tests.trust.journal import raw


class Wall:
    """The same as `virtual.Time`, of the machine's raw clock."""

    def __init__(self) -> None:
        self._agenda = Agenda(raw)
        self.after, self.go = self._agenda.after, self._agenda.go

    @property
    def now(self) -> float:
        return raw()

    def pass_until(self, over: Callable[[], bool]) -> None:
        """Let happen what is due, until it is over."""
        while not over():
            if due := self._agenda.due(self.now):
                due[1]()
            else:
                time.sleep(0.002)
