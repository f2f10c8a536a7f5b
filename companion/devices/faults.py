"""Faults of devices, as values that drivers tell and pages put into each language."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

Fact = str | int | None
WHERE = "where"
"""The fact that says where the device is: "/dev/ttyUSB2", "GPIO 17"."""
BUS = "bus"
"""The fact that says what leads to it: "uart", "spi", "i2c", "box" or "gpio"."""
PROGRAMS = "programs"
"""The fact that names other programs which use its port, or may: "ModemManager (sudo systemctl …)"; "" for none."""


class FaultCode(StrEnum):
    """What is wrong. `web/locale/words.pot` has `fault-CODE` for players, and `check-CODE` for the maker."""

    SILENT = "silent"
    """The bus or port opens, but nothing answers there."""
    GARBLED = "garbled"
    """It answers, but not as such a device would."""
    CUT_OFF = "cut-off"
    """The multiplexer in front of it fails."""
    GONE = "gone"
    """There is no such port, or an open one broke."""
    OFF = "off"
    """The bus is switched off in this computer."""
    CLOSED = "closed"
    """This user, or this service, may not use it. `group`: who may; None: the service must be installed again."""
    BUSY = "busy"
    """Another program, another device of the table or the kernel uses it."""
    UNUSABLE = "unusable"
    """A setting names something that does not exist here. `choices`: what does; None for nothing."""
    EXCHANGED = "exchanged"
    """The port leads to another device than when the table was started."""
    SOFTWARE = "software"
    """A package is missing, or the wrong one is there. `run`: the command that mends it."""
    NO_BOX = "no-box"
    """No buzzer box answers at that port, and none ever did."""
    GAPS = "gaps"
    """Presses that the box has counted do not arrive."""
    VERSION = "version"
    """Box and companion speak different versions. `older`: "box" or "companion"."""
    BUTTONS = "buttons"
    """The settings name more seats (`named`) than the box has buttons (`number`)."""
    FULL = "full"
    """The box could keep no more presses, and refused some (`number`)."""
    MISSED = "missed"
    """Presses may be lost: the machine was too busy, or could not store them."""
    PROGRAM = "program"
    """A fault of the program, not of the device."""
    OTHER = "other"
    """A fault without a code, told by a package's driver in its own words."""


class DeviceFault(Struct, frozen=True):
    """Why a device does not work."""

    says: str
    """In plain English, for the maker of the table: what, where, and what to do now."""
    code: FaultCode = FaultCode.OTHER
    facts: Mapping[str, Fact] = {}

    def __str__(self) -> str:
        """Return what it says."""
        return self.says


def as_fault(why: str | DeviceFault) -> DeviceFault:
    """Return a fault as a value, even one that a package's driver tells as text."""
    return why if isinstance(why, DeviceFault) else DeviceFault(why)


def placed(fault: DeviceFault, where: str, bus: str) -> DeviceFault:
    """Return the fault with its device's place and bus added; a place that it has is kept."""
    return replace(fault, facts={WHERE: where, **fault.facts, BUS: bus})
