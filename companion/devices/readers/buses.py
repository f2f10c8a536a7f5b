"""The SPI and I2C buses of Linux, with the few methods that the Adafruit library uses of CircuitPython's.

Blinka's own classes suit a single reader only: they take neither a chip's speed nor a choice of chip select, find their
bus by the board's name, and say little about what is wrong.
"""

import errno
import fcntl
import os
from collections.abc import Callable
from fnmatch import fnmatch
from glob import glob
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.permissions import I2C, SPI, Access
from companion.devices.sensing import NotThere

_I2C_TIMEOUT = 0x0702
_I2C_SLAVE = 0x0703  # linux/i2c-dev.h
_HUNDREDTHS = 10
"""How long the kernel waits for a stuck I2C bus, in hundredths of a second. Its default of a second would hold up all
readers on the bus."""


UNACKNOWLEDGED = (errno.EREMOTEIO, errno.ENXIO)
"""The OSError numbers of an I2C bus on which no chip acknowledges its address."""


class _Kind(Struct, frozen=True):
    name: str
    nodes: str
    example: str
    switch: str
    access: Access


_SPI = _Kind("SPI", "/dev/spidev*", "/dev/spidev0.0", "sudo raspi-config nonint do_spi 0", SPI)
_I2C = _Kind(
    "I2C",
    "/dev/i2c-*",
    "/dev/i2c-1",
    "a Pi 5: sudo raspi-config nonint do_i2c 0; a Pi before it: the module i2c-dev, in /boot/firmware/config.txt "
    'dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=2,i2c_gpio_scl=3 and no i2c_arm=on, here bus = "/dev/i2c-3"',
    I2C,
)


class _Node:
    """A bus's device file, locked against other programs."""

    def __init__(self, path: str, kind: _Kind) -> None:
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise NotThere(_why_not(path, kind, error)) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._begin(path)
        except OSError as error:
            os.close(self._file)
            raise NotThere(_why_not(path, kind, error)) from error

    def _begin(self, path: str) -> None:
        """Make it ready. Raises OSError if it is not such a bus."""
        raise NotImplementedError

    def try_lock(self) -> bool:
        """Do nothing: readers of a bus take turns in one thread, and other programs are locked out."""
        return True

    def unlock(self) -> None:
        """Do nothing, as `try_lock`."""

    def close(self) -> None:
        """Give the bus back."""
        os.close(self._file)


class Spidev(_Node):
    """An SPI bus with the kernel's own chip select: "/dev/spidev0.0"."""

    def __init__(self, path: str) -> None:
        """Open it. Raises `NotThere`."""
        super().__init__(path, _SPI)

    def _begin(self, path: str) -> None:
        from Adafruit_PureIO.spi import SPI  # comes with the readers' library, which alone uses this bus

        self._spi: Any = SPI(path)
        self._speed = 0
        try:
            self._spi.mode = 0  # the only one that the chip knows
        except OSError:
            os.close(self._spi.handle)
            raise

    def configure(self, *, baudrate: int) -> None:
        """Set the bits a second."""
        self._speed = baudrate

    def write(self, data: bytes) -> None:
        """Send. Raises OSError."""
        self._spi.writebytes(data, max_speed_hz=self._speed)

    def write_readinto(self, out: bytes | bytearray, into: bytearray) -> None:
        """Send and receive at once, the same number of bytes. Raises OSError."""
        into[:] = bytes(self._spi.transfer(bytes(out), max_speed_hz=self._speed))

    def close(self) -> None:
        """Give the bus back."""
        os.close(self._spi.handle)
        super().close()


class I2cdev(_Node):
    """An I2C bus: "/dev/i2c-1". Its speed is the kernel's setting."""

    def __init__(self, path: str) -> None:
        """Open it. Raises `NotThere`."""
        super().__init__(path, _I2C)

    def _begin(self, path: str) -> None:
        fcntl.ioctl(self._file, _I2C_TIMEOUT, _HUNDREDTHS)

    def writeto(self, address: int, buffer: bytes | bytearray, *, start: int = 0, end: int | None = None) -> None:
        """Send to a chip. Raises OSError, also if no chip answers."""
        fcntl.ioctl(self._file, _I2C_SLAVE, address)
        os.write(self._file, bytes(buffer[start:end]))

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        """Receive from a chip what fills the buffer from `start` to `end`. Raises OSError, as `writeto`."""
        fcntl.ioctl(self._file, _I2C_SLAVE, address)
        buffer[start:end] = os.read(self._file, len(buffer[start:end]))


class _Closes(Protocol):
    def close(self) -> None: ...


B = TypeVar("B", bound=_Closes)


class Shared(Generic[B]):
    """A bus for several readers: opened for the first, closed after the last."""

    def __init__(self, opened: Callable[[], B]) -> None:
        """Take the function that opens it."""
        self._opened = opened
        self._bus: B | None = None
        self._users = 0

    def take(self) -> B:
        """Return the open bus; each that takes it gives it back. Raises `NotThere`."""
        bus = self._bus or self._opened()
        self._bus = bus
        self._users += 1
        return bus

    def give_back(self) -> None:
        """Note that one fewer uses it, and close it after the last."""
        self._users -= 1
        if not self._users and self._bus is not None:
            bus = self._bus
            self._bus = None
            bus.close()


def _why_not(path: str, kind: _Kind, error: OSError) -> DeviceFault:
    buses = ", ".join(sorted(glob(kind.nodes))) or None
    wrong_name = FaultCode.UNUSABLE, {"where": path, "setting": "bus", "choices": buses}
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            if not fnmatch(path, kind.nodes):
                return DeviceFault(
                    f"{path} is no name of an {kind.name} bus: correct `bus`, as in {kind.example}.", *wrong_name
                )
            if buses:
                return DeviceFault(
                    f"The bus {path} does not exist: correct `bus`. {kind.name} buses here: {buses}.", *wrong_name
                )
            says = f"The bus {path} does not exist: switch {kind.name} on ({kind.switch}) and restart the Pi."
            return DeviceFault(says, FaultCode.OFF, {"where": path})
        case errno.EACCES | errno.EPERM:
            return kind.access.refusal(path, error)
        case errno.EBUSY | errno.EAGAIN:
            says = f"{path} is busy: another program has it open; is the companion already running?"
            return DeviceFault(says, FaultCode.BUSY, {"where": path})
        case _:
            says = f"{path} can't be used as an {kind.name} bus ({error.strerror or error}): correct `bus`."
            return DeviceFault(says, *wrong_name)
