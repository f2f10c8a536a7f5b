"""Tells which presses of one boot of the buzzer box are new, and which may be acknowledged. Pure."""

from companion.devices.buzzer_box.device_time import BoxClock
from companion.devices.buzzer_box.protocol import KEPT_AT_MOST


class Inbox:
    """The presses of one boot; outlives an unplugged cable."""

    def __init__(self, boot: str) -> None:
        self.boot = boot
        self.clock = BoxClock()
        self.acked = 0
        """Every press up to this one is on disk."""
        self.refused: int | None = None
        """How many presses found the box full, by the last heartbeat; None before the first."""
        self._heard: set[int] = set()
        self._kept: set[int] = set()

    def agree(self, acked: int) -> None:
        """Adopt the box's last acknowledged number, which may come from an earlier run of this program."""
        self.acked = max(self.acked, acked)
        self._settle()

    def hear(self, seq: int) -> bool:
        """Note that a press arrived; return False for a repeat, or for one that the box can't have sent."""
        if seq in self._heard or not self.acked < seq <= self.acked + KEPT_AT_MOST:
            return False
        self._heard.add(seq)
        return True

    def keep(self, seq: int) -> None:
        """Note that a press is on disk, or is of a button that no seat has."""
        self._kept.add(seq)
        self._settle()

    def complete(self, last: int) -> bool:
        """Whether every press up to this one has arrived, on disk or not."""
        missing = last - self.acked
        return missing <= KEPT_AT_MOST and all(seq in self._heard for seq in range(self.acked + 1, last + 1))

    def _settle(self) -> None:
        while self.acked + 1 in self._kept:
            self.acked += 1
        self._heard = {seq for seq in self._heard if seq > self.acked}
        self._kept = {seq for seq in self._kept if seq > self.acked}
