"""What the machine's wall clock says, and whether that can be believed.

A Raspberry Pi has no clock that runs while it is off: it wakes up in 1970, or at the last time that it saved, until a
network or a person tells it better. So each reading comes with the time since the machine started, which nobody sets:
what was played before the time was known can be dated once it is.
"""

import ctypes
import secrets
import time
from enum import IntEnum
from functools import cache
from pathlib import Path

import msgspec

from companion import RELEASED

_SYNCHRONISED = Path("/run/systemd/timesync/synchronized")
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_RTC = Path("/sys/class/rtc/rtc0")
_SAVED = Path("/etc/fake-hwclock.data"), Path("/var/lib/systemd/timesync/clock")
"""The files in which a machine saves the time for its next start."""
_STA_UNSYNC = 0x40
_RUN = secrets.token_hex(8)


class Trust(IntEnum):
    """Whether what a wall clock says can be believed."""

    UNKNOWN = 0
    """It is older than this program, or was only saved from an earlier evening: nobody has set it."""
    LIKELY = 1
    """Nothing speaks against it."""
    CERTAIN = 2
    """A network has set it since the machine started, or the host has said what day it is."""


class Reading(msgspec.Struct, frozen=True):
    """What the wall clock said at a moment."""

    run: str
    """Identifies this run of the program."""
    boot: str
    """Identifies this run of the machine."""
    ticks: float
    """Seconds since the machine started, which nobody sets."""
    wall: float
    """Seconds since 1970, as the wall clock said."""
    zone: int
    """Seconds by which local time was ahead of UTC."""
    trust: Trust

    @property
    def started(self) -> float:
        """When the machine started, by this reading, in seconds since 1970: it changes only if the clock is set."""
        return self.wall - self.ticks


def read() -> Reading:
    """Read the clocks."""
    wall = time.time()
    zone = time.localtime(wall).tm_gmtoff
    return Reading(_RUN, _boot(), _ticking(), wall, zone, _trust(wall))


def is_synchronised() -> bool:
    """Return whether a network has told this machine the time since it started."""
    return _SYNCHRONISED.exists() or not _kernel_status() & _STA_UNSYNC


def _trust(wall: float) -> Trust:
    if wall < RELEASED.timestamp():
        return Trust.UNKNOWN
    if is_synchronised():
        return Trust.CERTAIN
    is_saved = not _RTC.exists() and any(file.exists() for file in _SAVED)
    return Trust.UNKNOWN if is_saved else Trust.LIKELY


def _ticking() -> float:
    """Count seconds since the machine started, those included for which it slept."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@cache
def _boot() -> str:
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return _RUN


class _Timex(ctypes.Structure):
    """The beginning of `struct timex` (adjtimex(2)), with room for the rest."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("more", ctypes.c_byte * 256),
    )


def _kernel_status() -> int:
    """Return the kernel's clock status: it knows of every time service, not only systemd's."""
    query = _Timex(modes=0)
    try:
        answer: int = ctypes.CDLL(None).adjtimex(ctypes.byref(query))
    except (OSError, AttributeError):
        return _STA_UNSYNC
    return query.status if answer >= 0 else _STA_UNSYNC
