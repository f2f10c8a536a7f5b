"""What Linux has to grant before a device can be used, for the service unit and for messages.

Settings may have `needs`, an iterable of these; those without it use no device of the machine.
"""

import errno
import re
from collections.abc import Iterator

from msgspec import Struct

from companion.devices.faults import DeviceFault, FaultCode


class Access(Struct, frozen=True):
    """The way to a kind of device."""

    group: str
    """The group whose members may open the device's file, on Debian and Raspberry Pi OS."""
    devices: tuple[str, ...]
    """Files, or kinds of devices as /proc/devices names them ("char-ttyUSB"), which may come and go."""
    modules: tuple[str, ...] = ()
    """The kernel modules of these kinds that may not be loaded at boot."""
    tunes: bool = False
    """Whether it is set up through /sys, which then must be writable."""

    def refusal(self, device: str, error: Exception) -> DeviceFault:
        """Return why it may not be used, and the cure: by the file's group, or by the service's restrictions."""
        if getattr(error, "errno", None) == errno.EPERM:
            says = (
                f"{device} is not among the devices that this process may use. "
                "If it is the service: sudo companion service install"
            )
            return DeviceFault(says, FaultCode.CLOSED, {"where": device, "group": None})
        says = (
            f"No permission to open {device}: add this user to the group {self.group} "
            f"(sudo usermod -aG {self.group} $USER), then log in again."
        )
        return DeviceFault(says, FaultCode.CLOSED, {"where": device, "group": self.group})


SPI = Access("spi", ("char-spi",), ("spidev",))
I2C = Access("i2c", ("char-i2c",), ("i2c_dev",))
GPIO = Access("gpio", ("char-gpiochip",))
GPIO_MODULE = Access("gpio", ("char-gpiochip", "char-*gpiomem*"), tunes=True)
"""The original `RPi.GPIO` maps the chip's memory, and gets edges through /sys/class/gpio."""
_USB = Access("dialout", ("char-ttyUSB", "char-ttyACM"), ("usbserial", "cdc_acm"))
_USB_ADAPTER = Access("dialout", ("char-ttyUSB",), ("usbserial",))
_USB_BOX = Access("dialout", ("char-ttyACM",), ("cdc_acm",))
_HEADER = Access("dialout", ("char-ttyAMA", "char-ttyS"))


EVERYTHING = (SPI, I2C, GPIO, _USB, _HEADER)
"""What a table may need before its devices are known."""


def serial(port: str) -> Access:
    """Return what a serial port needs. A USB port is allowed by its kind, because it may be plugged in later."""
    for pattern, access in (
        (r"/dev/ttyUSB\d+", _USB_ADAPTER),
        (r"/dev/ttyACM\d+", _USB_BOX),
        (r"/dev/serial/.+", _USB),
        (r"/dev/(serial|ttyAMA|ttyS)\d+", _HEADER),
    ):
        if re.fullmatch(pattern, port):
            return access
    return Access("dialout", (port,))


def pins(*numbers: int | None) -> Iterator[Access]:
    """Return what GPIOs need, if any is named."""
    if any(number is not None for number in numbers):
        yield GPIO
