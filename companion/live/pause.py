"""A paused match: people take a break, or have ended it early. No act reaches it until it goes on, except that in a
break something may be taken back.

A pause is not an event: acts in it are not recorded, so replaying the match needs no trace of it. The log keeps it
beside the match, so that it outlives a restart.
"""

from enum import Enum

from companion.devices import sensing
from companion.errors import NotNow


class Why(Enum):
    """Why no act is accepted."""

    BREAK = "break"
    ENDED = "ended"
    CLOSED = "closed"
    """Ended for good: what is sealed in it may have left the table since."""

    @property
    def is_end(self) -> bool:
        """Whether the match has ended early."""
        return self is not Why.BREAK


class Paused(NotNow):
    """Nothing is entered: the match is paused."""

    def __init__(self, why: Why):
        super().__init__(f"nothing is entered: {why.value}")
        self.why = why


class Pause:
    """Whether a match is paused. Use it from one thread at a time."""

    def __init__(self, clock: sensing.Clock, why: Why | None = None, since: float = 0.0) -> None:
        """Begin; `why` and `since` (seconds) are those of a match that was paused when the table was switched off."""
        self._clock = clock
        self.why = why
        self._since = since
        self._past: list[tuple[float, float]] = []
        """When earlier pauses began and ended: an act in one may be told later."""
        self._put_off: dict[int, float] = {}
        """The running delay's due time (microseconds) → seconds by which pauses have put it off."""

    def begin(self, why: Why) -> None:
        """Accept no act from now on."""
        if self.why is None:
            self._since = self._clock()
        self.why = why

    @property
    def since(self) -> float:
        """When the latest pause began, in seconds."""
        return self._since

    def end(self, due: int | None) -> None:
        """Accept acts again. A running delay, due at `due` (microseconds), is put off by the length of the pause."""
        if self.why is None:
            return
        at = self._clock()
        self.why = None
        self._past.append((self._since, at))
        if due is not None:
            self._put_off = {due: self.put_off(due) + at - self._since}

    def put_off(self, due: int) -> float:
        """Return by how many seconds pauses have put off the delay that is due at `due`."""
        return self._put_off.get(due, 0.0)

    def covers(self, at: float) -> bool:
        """Return whether the match was paused at that time: an act told late is judged by when it happened."""
        is_paused = self.why is not None and at >= self._since
        return is_paused or any(since <= at < until for since, until in self._past)
