"""A table between two matches, whose clock a test sets."""

from pathlib import Path

from companion.events import Started
from companion.live.pause import Why
from tests.live.table import Table

ANA = 1
BO = 2


class Clock:
    """Stands still until somebody moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Evening(Table):
    """A table whose clock a test sets; a first match is being played."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        super().__init__(folder)
        self.again(self.clock)
        self.begin("stop-it", negatives=1)

    def wait(self, seconds: float) -> None:
        """Let so many seconds pass, and the table look what is due."""
        self.clock.now += seconds
        self.live.ask_any(lambda: None)
        self.live.ask_any(lambda: None)

    def press_after(self, seconds: float, seat: int = ANA) -> None:
        self.wait(seconds)
        self.press(seat)

    def end(self) -> None:
        """Have Ana's penalty card end the match."""
        self.live.pause(Why.ENDED)

    @property
    def started(self) -> Started:
        return self.live.ask(lambda match: match.started)

    @property
    def number(self) -> int | None:
        return self.live.snapshot.match
