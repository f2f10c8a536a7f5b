"""What is still to happen in an evening, in the order of its time."""

import heapq
from collections.abc import Callable, Iterator
from itertools import count


class Agenda:
    """Acts and scripts, each due at some time of the clock it is given."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` tells seconds."""
        self._now = clock
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = count()

    def after(self, seconds: float, act: Callable[[], object]) -> None:
        """Have something happen then."""
        heapq.heappush(self._due, (self._now() + seconds, next(self._numbers), act))

    def go(self, script: Iterator[float]) -> None:
        """Follow a script, which gives the seconds until it goes on."""

        def on() -> None:
            for seconds in script:
                self.after(seconds, on)
                return

        self.after(0.0, on)

    def due(self, by: float) -> tuple[float, Callable[[], object]] | None:
        """Return what is due first, and when, and strike it out; None where nothing is due by then."""
        if not self._due or self._due[0][0] > by:
            return None
        at, _, act = heapq.heappop(self._due)
        return at, act
