"""GPIO through libgpiod 2: the kernel's chips, the one behind the Pi's header among them, and the pins that the table
drives: a reader's reset, a chip select.

Pins are numbered as on pinout.xyz: 17 is GPIO 17, whatever board it is.
"""

import errno
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from companion.devices import permissions
from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.sensing import Claim, NotThere, Share, Sleep
from companion.errors import PIP

if TYPE_CHECKING:
    import gpiod

_NO_CHIP = "no GPIO chip at all"
HEADERS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The kernel's labels of the chip behind the header: Pi 5, Pi 4, and older ones. Its number varies."""


_INSTALL = f"{PIP} install 'table-companion[gpiod]'"


def library() -> Any:
    """Import the bindings. Raises `NotThere`: a table without GPIO needs no such package."""
    try:
        import gpiod
    except ImportError as error:
        says = f"The software for GPIO is not installed ({error}). Install it with: {_INSTALL}"
        raise NotThere(DeviceFault(says, FaultCode.SOFTWARE, {"run": _INSTALL})) from error
    if not hasattr(gpiod, "LineSettings"):
        says = f"The module gpiod at {gpiod.__file__} is not version 2 of libgpiod's bindings. "
        says += f"Install that with: {_INSTALL}"
        raise NotThere(DeviceFault(says, FaultCode.SOFTWARE, {"run": _INSTALL}))
    return gpiod


def open_chip(name: str) -> "gpiod.Chip":
    """Open a chip by its device ("/dev/gpiochip0") or by its label; "" opens the header's.

    Raises `NotThere`.
    """
    if name.startswith("/"):
        return _open_path(name)
    names = (name,) if name else HEADERS
    labels = _labels()
    if path := _find_chip(names, labels):
        return _open_path(path)
    chips = ", ".join(f"{path} ({label})" for path, label in labels.items())
    called = " or ".join(names)
    if chips:
        says = f"There is no GPIO chip called {called}: set `chip` to the one that is meant. Here: {chips}."
    else:
        says = f"There is no GPIO chip called {called}, and no other: this computer has no pins like a Raspberry Pi's."
    raise NotThere(
        DeviceFault(says, FaultCode.UNUSABLE, {"where": ", ".join(names), "setting": "chip", "choices": chips or None})
    )


def unused(numbers: Iterable[int]) -> tuple[int, ...]:
    """Return those of the header's pins that neither a program nor the kernel uses; () unless on a Pi."""
    try:
        chip = open_chip("")
    except NotThere:
        return ()
    with chip:
        return tuple(number for number in numbers if not chip.get_line_info(number).used)


def _devices() -> list[str]:
    return sorted(str(path) for path in Path("/dev").glob("gpiochip*") if not path.is_symlink())


def _labels() -> dict[str, str]:
    """Return the kernel's label of each chip, by its device. Raises `NotThere`."""
    labels = {}
    for path in _devices():
        with _open_path(path) as chip:
            labels[path] = chip.get_info().label
    return labels


def _find_chip(names: Sequence[str], labels: Mapping[str, str]) -> str:
    """Return the device of the first chip with this name, or ""."""
    return next((path for path, label in labels.items() if label in names), "")


def _open_path(path: str) -> "gpiod.Chip":
    try:
        chip: gpiod.Chip = library().Chip(path)
    except OSError as error:
        raise NotThere(_why_not(path, error)) from error
    return chip


def _why_not(path: str, error: OSError) -> DeviceFault:
    chips = ", ".join(_devices()) or None
    wrong_name = FaultCode.UNUSABLE, {"where": path, "setting": "chip", "choices": chips}
    match error.errno:
        case errno.ENOENT | errno.ENXIO:
            return DeviceFault(f"There is no {path}: correct `chip`. Here: {chips or _NO_CHIP}.", *wrong_name)
        case errno.EACCES | errno.EPERM:
            return permissions.GPIO.refusal(path, error)
        case _:
            return DeviceFault(f"{path} is not a GPIO chip ({error.strerror}): correct `chip`.", *wrong_name)


Gpio = Annotated[int, Meta(ge=0, le=27)]
"""A pin on the Raspberry Pi's header."""

_SELECTS = "its SPI keeps 7 and 8, unless /boot/firmware/config.txt has the line dtoverlay=spi0-0cs; then restart"

_HIGH = 0.01
"""Seconds that a reset pulse lasts."""
_LOW = 0.05
"""Seconds that follow it."""


class Output:
    """A pin driven by this program: claimed when it is first driven, kept until `release`.

    `switch_to_output` and `value` are what CircuitPython's libraries use of a pin.
    """

    def __init__(self, number: int) -> None:
        """Take the pin's number; touches nothing yet."""
        self._number = number
        self._line: Any = None
        self._value = False

    @property
    def value(self) -> bool:
        """Whether the pin is high. Setting it raises `NotThere` if the pin can't be had."""
        return self._value

    @value.setter
    def value(self, high: bool) -> None:
        if self._line is None:
            self._line = _claim(self._number, high)
        else:
            self._line.set_value(self._number, _level(high))
        self._value = high

    def switch_to_output(self, value: bool = False) -> None:
        """Set `value`: a pin of this class is an output."""
        self.value = value

    def release(self) -> None:
        """Give the pin back, if it was claimed."""
        line = self._line
        self._line = None
        if line is not None:
            line.release()


def output(number: int | None) -> Output | None:
    """Return the pin if one is wired."""
    return None if number is None else Output(number)


def reset(pin: Output | None, sleep: Sleep) -> Callable[[], None] | None:
    """Return a function that resets the chip at the pin, if one is wired; it raises `NotThere`.

    Low for a moment, then high, and a moment for the chip to start.
    """
    return None if pin is None else partial(_pulse_low, pin, sleep)


def _pulse_low(pin: Output, sleep: Sleep) -> None:
    pin.value = False
    sleep(_LOW)
    pin.value = True
    sleep(_HIGH)


def release(*outputs: Output | None) -> None:
    """Give these pins back, if they are claimed."""
    for pin in outputs:
        if pin is not None:
            pin.release()


def claims(**settings: int | None) -> Iterator[Claim]:
    """Return the claims of these settings, each a pin's number or None."""
    return ((name, (f"GPIO {number}",)) for name, number in settings.items() if number is not None)


def wires(of: str, *numbers: int) -> Iterator[Share]:
    """Return the shares of the setting `bus` in the wires of a bus, by their pins' numbers."""
    return (("bus", (f"GPIO {number}",), f"a wire of {of}") for number in numbers)


def _claim(number: int, high: bool) -> Any:
    gpiod = library()
    settings = gpiod.LineSettings(direction=gpiod.line.Direction.OUTPUT, output_value=_level(high))
    try:
        return gpiod.request_lines(_header(), consumer="table-companion", config={number: settings})
    except OSError as error:
        raise NotThere(_why_not_driven(number, error)) from error


def _why_not_driven(number: int, error: OSError) -> DeviceFault:
    pin = f"GPIO {number}"
    match error.errno:
        case errno.EBUSY:
            kernel = _SELECTS if number in (7, 8) else "a line of /boot/firmware/config.txt"
            says = (
                f"{pin} is in use: by another program, another setting of this table, or the kernel ({kernel}). "
                "Free it there, or take another pin."
            )
            return DeviceFault(says, FaultCode.BUSY, {"where": pin})
        case errno.EACCES | errno.EPERM:
            return permissions.GPIO.refusal(pin, error)
        case _:
            says = f"{pin} can't be driven ({error.strerror or error}): take another pin, and wire it so."
            return DeviceFault(says, FaultCode.UNUSABLE, {"where": pin, "setting": "reset", "choices": None})


def _level(high: bool) -> Any:
    value = library().line.Value
    return value.ACTIVE if high else value.INACTIVE


def _header() -> str:
    """Return the device of the chip behind the header. Raises `NotThere`."""
    if path := _find_chip(HEADERS, _labels()):
        return path
    says = "This computer has no GPIO pins like a Raspberry Pi's: take the pins out of the settings."
    raise NotThere(DeviceFault(says, FaultCode.UNUSABLE, {"where": "GPIO", "setting": "reset", "choices": None}))
