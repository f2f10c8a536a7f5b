"""GPIO pins that the table drives: a reader's reset, a chip select.

Pins are numbered as on pinout.xyz: 17 is GPIO 17, whatever board it is.
"""

import errno
import time
from collections.abc import Iterator
from glob import glob
from typing import Annotated, Any

from msgspec import Meta

from companion.table import access, chips
from companion.table.sensing import Claim, NotThere

Gpio = Annotated[int, Meta(ge=0, le=27)]
"""A pin on the Raspberry Pi's header."""

_HIGH, _LOW = 0.01, 0.05
"""Seconds after and of a reset pulse."""


class Output:
    """A pin driven by this program: claimed when it is first driven, kept until `release`.

    `switch_to_output` and `value` are what CircuitPython's libraries ask of a pin.
    """

    def __init__(self, number: int) -> None:
        """Takes the pin's number; touches nothing yet."""
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
        """The same as setting `value`: a pin of this class is an output."""
        self.value = value

    def release(self) -> None:
        """Gives the pin back, if it was claimed."""
        line, self._line = self._line, None
        if line is not None:
            line.release()


def output(number: int | None) -> Output | None:
    """Gives the pin, where one is wired."""
    return None if number is None else Output(number)


def pulse_low(pin: Output) -> None:
    """Resets what hangs on the pin: low for a moment, then high, and a moment for it to start. Raises `NotThere`."""
    pin.value = False
    time.sleep(_LOW)
    pin.value = True
    time.sleep(_HIGH)


def release(*outputs: Output | None) -> None:
    """Gives all of them back."""
    for pin in outputs:
        if pin is not None:
            pin.release()


def claims(**settings: int | None) -> Iterator[Claim]:
    """Gives the claims of these settings, each a pin's number or None."""
    return ((name, (f"GPIO {number}",)) for name, number in settings.items() if number is not None)


def _claim(number: int, high: bool) -> Any:
    gpiod = chips.library()
    settings = gpiod.LineSettings(direction=gpiod.line.Direction.OUTPUT, output_value=_level(high))
    try:
        return gpiod.request_lines(_header(), consumer="table-companion", config={number: settings})
    except OSError as error:
        match error.errno:
            case errno.EBUSY:
                why = "is in use: by another program, another setting of this table, or the kernel (as a pin of SPI?)."
            case errno.EACCES | errno.EPERM:
                raise NotThere(access.GPIO.refusal(f"GPIO {number}", error)) from error
            case _:
                why = f"can't be driven ({error.strerror or error})."
        raise NotThere(f"GPIO {number} {why}") from error


def _level(high: bool) -> Any:
    value = chips.library().line.Value
    return value.ACTIVE if high else value.INACTIVE


def _header() -> str:
    """Gives the path of the chip behind the header. Raises `NotThere` and OSError."""
    for path in sorted(glob("/dev/gpiochip*")):
        with chips.library().Chip(path) as chip:
            if chip.get_info().label in chips.HEADERS:
                return path
    raise NotThere("This computer has no GPIO pins as a Raspberry Pi has them: take the pins out of the settings.")
