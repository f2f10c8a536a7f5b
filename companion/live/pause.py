"""A match that rests: people take a break, or have ended it before its end. Meanwhile no act reaches it.

No kind of event tells this, and none is needed: what is not recorded never happened. So it is the table's own, like the
putting on of stickers, and a restart forgets it: a table that was just started hears what people do.
"""

from enum import Enum

from companion.devices import sensing
from companion.devices.withheld import Aside


class Why(Enum):
    """Why no act is taken."""

    BREAK = "break"
    ENDED = "ended"


class Halt:
    """Whether the match rests. Use it from one thread at a time."""

    def __init__(self, clock: sensing.Clock) -> None:
        """It goes on."""
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """A new match: nothing of the last one's rests counts in it."""
        self.why: Why | None = None
        self._since = 0.0
        self._rests: list[tuple[float, float]] = []
        self._aside = Aside()
        """The cards that were laid meanwhile."""
        self._put_off: dict[int, float] = {}

    def rest(self, why: Why) -> None:
        """Take no act from now on."""
        if self.why is None:
            self._since = self._clock()
        self.why = why

    def go_on(self, due: int | None) -> None:
        """Take acts again. A delay that runs, due at `due` (microseconds), has not run meanwhile."""
        if self.why is None:
            return
        now = self._clock()
        self.why = None
        self._rests.append((self._since, now))
        if due is not None:
            self._put_off = {due: self.put_off(due) + now - self._since}

    def put_off(self, due: int) -> float:
        """Say by how many seconds rests have put off the delay that is due then."""
        return self._put_off.get(due, 0.0)

    def keeps(self, told: sensing.Sensing) -> bool:
        """Say whether this is none of the match's business: done while it rests, or a card lifted that was laid then.

        A press counts by when it happened, also where it is told later.
        """
        if isinstance(told, sensing.Buzzed):
            resting = self.why is not None and told.at >= self._since
            return resting or any(since <= told.at < until for since, until in self._rests)
        return self._aside.takes(told, appearing=self.why is not None)
