"""A wall clock in a test's hand: a machine that may wake up in the past, be told the time, and be switched off."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from companion import wall_clock
from companion.wall_clock import Reading, Trust


def seconds(when: str) -> float:
    """Return a time of ISO 8601 (UTC, unless it says otherwise) in seconds since 1970."""
    read = datetime.fromisoformat(when)
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()


class MachineClock:
    """Stands still until time is let pass."""

    def __init__(self, when: str, trust: Trust = Trust.LIKELY) -> None:
        self.now = Reading("run-1", "boot-1", 20.0, seconds(when), 0, trust)
        self._starts = 1

    def passes(self, duration: float) -> None:
        self.now = replace(self.now, ticks=self.now.ticks + duration, wall=self.now.wall + duration)

    def is_set(self, when: str, trust: Trust = Trust.CERTAIN) -> None:
        self.now = replace(self.now, wall=seconds(when), trust=trust)

    def moves_to(self, zone: int) -> None:
        self.now = replace(self.now, zone=zone)

    def program_starts_again(self) -> None:
        self._starts += 1
        self.now = replace(self.now, run=f"run-{self._starts}")

    def starts_again(self, when: str, trust: Trust = Trust.LIKELY) -> None:
        self.program_starts_again()
        self.now = replace(self.now, boot=f"boot-{self._starts}", ticks=20.0, wall=seconds(when), trust=trust)


def in_hand(monkeypatch: pytest.MonkeyPatch, when: str, trust: Trust = Trust.LIKELY) -> MachineClock:
    """Put a test's clock in the place of the machine's."""
    clock = MachineClock(when, trust)
    monkeypatch.setattr(wall_clock, "read", lambda: clock.now)
    return clock
