"""Pins that the table drives, with a stand-in for the kernel's chips; `tests/kernel` has the real ones."""

import errno
import os
import time
from types import SimpleNamespace, TracebackType
from typing import Any, Self

import gpiod
import pytest

from companion.devices import gpio
from companion.devices.drivers import pn532_uart
from companion.devices.sensing import NotThere

HIGH = gpiod.line.Value.ACTIVE
LOW = gpiod.line.Value.INACTIVE


class Kernel:
    """What of libgpiod is used, with two chips, of which the second is the header's."""

    LineSettings = gpiod.LineSettings
    line = gpiod.line

    def __init__(self) -> None:
        self.driven: list[tuple[str, int, Any]] = []
        self.labels = {"/dev/gpiochip0": "raspberrypi-exp-gpio", "/dev/gpiochip1": "pinctrl-rp1"}
        self.refuse = 0
        self.requested = 0

    def Chip(self, path: str) -> "Chip":  # noqa: N802 - the library's name
        return Chip(self.labels[path])

    def request_lines(self, path: str, *, consumer: str, config: dict[int, gpiod.LineSettings]) -> "Line":
        if self.refuse:
            raise OSError(self.refuse, os.strerror(self.refuse))
        self.requested += 1
        for number, settings in config.items():
            assert settings.direction is gpiod.line.Direction.OUTPUT
            self.driven.append((path, number, settings.output_value))
        return Line(self, path)


class Chip:
    def __init__(self, label: str) -> None:
        self.label = label

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass

    def get_info(self) -> Self:
        return self

    def get_line_info(self, number: int) -> SimpleNamespace:
        return SimpleNamespace(used=number == 18)


class Line:
    def __init__(self, kernel: Kernel, path: str) -> None:
        self.kernel = kernel
        self.path = path

    def set_value(self, number: int, value: Any) -> None:
        self.kernel.driven.append((self.path, number, value))

    def release(self) -> None:
        self.kernel.requested -= 1


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()
    monkeypatch.setattr(gpio, "library", lambda: kernel)
    monkeypatch.setattr(gpio, "_devices", lambda: [*kernel.labels])
    return kernel


def test_a_pulse_drives_the_headers_pin_low_then_high_and_keeps_it(kernel: Kernel) -> None:
    pin = gpio.Output(17)
    waited: list[float] = []
    reset = gpio.reset(pin, waited.append)
    assert kernel.driven == []
    assert reset
    reset()
    assert kernel.driven == [("/dev/gpiochip1", 17, LOW), ("/dev/gpiochip1", 17, HIGH)]
    assert len(waited) == 2
    assert pin.value
    assert kernel.requested == 1
    gpio.release(pin, None)
    gpio.release(pin)
    assert kernel.requested == 0


def test_a_pin_is_claimed_with_the_value_it_shall_have(kernel: Kernel) -> None:
    pin = gpio.Output(5)
    pin.switch_to_output(value=True)
    assert kernel.driven == [("/dev/gpiochip1", 5, HIGH)]


def test_of_the_guides_reset_pins_those_are_proposed_that_nothing_uses(kernel: Kernel) -> None:
    assert pn532_uart.resets_here() == {"centre": 17, "seat-2": 22, "seat-3": 23, "seat-4": 24}
    kernel.labels = {"/dev/gpiochip0": "INT34C6:00"}
    assert pn532_uart.resets_here() == {}
    assert kernel.driven == []


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (errno.EBUSY, "GPIO 5 is in use"),
        (errno.EACCES, "No permission to open GPIO 5: add this user to the group gpio"),
        (errno.EIO, "GPIO 5 can't be driven"),
    ],
)
def test_a_pin_that_can_not_be_had_is_told_with_the_cure(kernel: Kernel, number: int, why: str) -> None:
    kernel.refuse = number
    with pytest.raises(NotThere, match=why):
        gpio.Output(5).value = True


def test_a_pin_that_spi_keeps_is_told_with_the_line_that_frees_it(kernel: Kernel) -> None:
    kernel.refuse = errno.EBUSY
    with pytest.raises(NotThere, match=r"GPIO 7 is in use: .*dtoverlay=spi0-0cs"):
        gpio.Output(7).value = True


def test_a_computer_without_a_header_is_told_so(kernel: Kernel) -> None:
    kernel.labels = {"/dev/gpiochip0": "INT34C6:00"}
    with pytest.raises(NotThere, match="no GPIO pins like a Raspberry Pi"):
        gpio.Output(5).value = True


def test_no_pin_is_no_pin() -> None:
    assert gpio.output(None) is None
    assert gpio.reset(None, time.sleep) is None
    assert [*gpio.claims(reset=None, chip_select=5)] == [("chip_select", ("GPIO 5",))]


def test_where_there_is_no_chip_at_all_nobody_is_sent_to_choose_one(kernel: Kernel) -> None:
    kernel.labels = {}
    with pytest.raises(NotThere, match="this computer has no pins like a Raspberry Pi's") as refused:
        gpio.open_chip("")
    assert "set `chip`" not in str(refused.value)
