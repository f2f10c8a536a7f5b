"""Watches a Raspberry Pi's supply: if it is too weak, which the firmware knows, USB devices drop out first."""

import shutil
import subprocess
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from companion.threads import LastingThread, Rounds

LOOKS_EVERY_S = 20.0
"""Seconds between two looks."""
_HWMON = Path("/sys/class/hwmon")
_ASK_S = 5.0
_NOW = 0x1
"""Bit in the answer of `vcgencmd get_throttled`: under-voltage now."""
_BEFORE = 0x10000
"""Bit: under-voltage at some time since the start."""


class Supply(StrEnum):
    """The state of the supply."""

    UNKNOWN = "unknown"
    """It can't be told: this is no Raspberry Pi, or this user may not ask."""
    GOOD = "good"
    WEAK = "weak"
    """Its voltage is too low now."""
    WAS_WEAK = "was-weak"
    """Its voltage has been too low at some time since the machine was started."""


def finding_of(supply: Supply) -> str:
    """Return the code of the sentence on a supply that is or was too weak; "" for any other."""
    return f"supply-{supply}" if supply in (Supply.WEAK, Supply.WAS_WEAK) else ""


def look() -> Supply:
    """Ask the firmware, which may take a moment, or else the kernel. Raises nothing."""
    supply = _of_firmware()
    return _of_kernel() if supply is Supply.UNKNOWN else supply


def of_throttled(answer: str) -> Supply:
    """Read the answer of `vcgencmd get_throttled`: "throttled=0x50005"."""
    try:
        bits = int(answer.strip().removeprefix("throttled="), 16)
    except ValueError:
        return Supply.UNKNOWN
    if bits & _NOW:
        return Supply.WEAK
    return Supply.WAS_WEAK if bits & _BEFORE else Supply.GOOD


def _of_firmware() -> Supply:
    program = shutil.which("vcgencmd")
    if program is None:
        return Supply.UNKNOWN
    try:
        done = subprocess.run([program, "get_throttled"], capture_output=True, timeout=_ASK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return Supply.UNKNOWN
    return of_throttled(done.stdout.decode(errors="replace"))


def _of_kernel() -> Supply:
    """Ask the driver raspberrypi-hwmon, whose alarm stays on once it was raised."""
    for sensor in _HWMON.glob("hwmon*"):
        with suppress(OSError, ValueError):
            if (sensor / "name").read_text(encoding="ascii").strip() == "rpi_volt":
                alarm = (sensor / "in0_lcrit_alarm").read_text(encoding="ascii").strip()
                return Supply.WAS_WEAK if int(alarm) else Supply.GOOD
    return Supply.UNKNOWN


class SupplyWatch:
    """Looks every `LOOKS_EVERY_S`, in a thread of its own."""

    def __init__(self) -> None:
        self.supply = Supply.UNKNOWN
        """As of the last look."""
        self._thread = LastingThread("supply", self._keep_looking)

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Stop looking."""
        self._thread.stop()

    def _keep_looking(self, rounds: Rounds) -> None:
        while not rounds.is_set():
            self.supply = look()
            rounds.wait(LOOKS_EVERY_S)
