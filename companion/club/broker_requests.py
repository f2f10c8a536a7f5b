"""Requests that reach the table over the broker: received in the link's thread, answered in the publisher's.

Only the widest request is kept, so a flood of them takes no memory.
"""

import math
import threading

from companion.club import home_assistant, payloads
from companion.club.payloads import Ask, TableStatus
from companion.club.session_taken_over import LastWord

ASKED_EVERY_S = 5.0
"""Seconds between two answers, however often results are asked for."""


class Requests:
    """Pending requests. `hear` is called from the link's thread, the rest from the publisher's."""

    def __init__(self) -> None:
        """Begin with no requests."""
        self.ignored = 0
        """Messages that could not be used."""
        self.last_word: LastWord | None = None
        """This table's `status` as the broker last sent it."""
        self.home_is_back = False
        """Whether Home Assistant has restarted and needs the table's description again."""
        self._since: int | None = None
        self._answered_at = -math.inf
        self._lock = threading.Lock()

    def hear(self, topic: str, payload: bytes, run: str) -> None:
        """Take a message; `run` identifies the run of the program that sent it."""
        if topic == home_assistant.BIRTH:
            self.home_is_back = self.home_is_back or payload == home_assistant.AWAKE
        elif topic.endswith("/status"):
            status = payloads.read(payload, TableStatus)
            self.last_word = LastWord(status.state, status.birth, run) if status else None
        elif request := payloads.read(payload, Ask):
            with self._lock:
                self._since = request.since if self._since is None else min(self._since, request.since)
        else:
            self.ignored += 1

    def due(self, at: float) -> float:
        """Return when results are due to be sent again; infinity if nobody has asked."""
        return math.inf if self._since is None else max(at, self._answered_at + ASKED_EVERY_S)

    def take(self, at: float) -> int:
        """Take the due request; return the match number after which all results must be sent again."""
        with self._lock:
            since = self._since or 0
            self._since = None
        self._answered_at = at
        return since
