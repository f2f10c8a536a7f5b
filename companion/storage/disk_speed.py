"""Time the disk's synchronised writes, because every act at the table waits for one."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

TRIES = 20
PAGE = b"\0" * 4096
"""Bytes of a page in SQLite's write-ahead log."""
SLOW_S = 0.010
"""Limit for the median, in seconds: an act should be on every phone in 20 ms, so a disk may not take half of that."""
LATE_S = 0.050
"""Limit for the slowest, in seconds: 99 of 100 acts should be there in 60 ms."""


class Syncs(msgspec.Struct, frozen=True):
    """How long storing a page for good took, in seconds."""

    median: float
    worst: float

    @property
    def slow(self) -> bool:
        """Whether people would notice, mostly or now and then."""
        return self.median >= SLOW_S or self.worst >= LATE_S


def measure(log: Path, clock: Callable[[], float] = time.perf_counter) -> Syncs:
    """Write and sync a page several times, in a file beside the log, as the log does. Raises OSError."""
    import statistics  # only when needed: it takes longer than a start can spare

    path = log.with_name(f"{log.name}.disk-check")
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        took = [_synced(file, clock) for _ in range(TRIES)]
    finally:
        os.close(file)
        path.unlink()
    return Syncs(statistics.median(took), max(took))


def _synced(file: int, clock: Callable[[], float]) -> float:
    began = clock()
    os.write(file, PAGE)
    os.fdatasync(file)
    return clock() - began
