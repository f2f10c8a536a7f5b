"""Pins that the table drives (`companion/devices/gpio.py`) on a real kernel's GPIO, with an emulated chip."""

import threading
import time
from pathlib import Path

import gpiod
import pytest

from companion.devices.gpio import Output, reset
from companion.devices.sensing import NotThere
from tests.kernel.pins import Pins


def level(line: int) -> str:
    """What the line is driven to, as the emulated chip sees it."""
    (value,) = Path("/sys/devices/platform").glob(f"gpio-sim*/gpiochip*/sim_gpio{line}/value")
    return value.read_text().strip()


def test_a_pulse_goes_low_then_high_and_the_pin_is_kept(pins: Pins) -> None:
    pin = Output(17)
    pulse = threading.Thread(target=reset(pin, time.sleep))
    levels = [level(17)]
    pulse.start()
    while pulse.is_alive():
        levels.append(level(17))
        time.sleep(0.005)
    pulse.join()
    assert "0" in levels[1:]
    assert level(17) == "1"
    with gpiod.Chip(pins.path) as chip:
        info = chip.get_line_info(17)
        assert (info.consumer, info.direction) == ("table-companion", gpiod.line.Direction.OUTPUT)
    pin.release()
    with gpiod.Chip(pins.path) as chip:
        assert not chip.get_line_info(17).used


def test_a_chip_select_goes_low_and_high_again(pins: Pins) -> None:
    pin = Output(5)
    pin.switch_to_output(value=True)
    assert level(5) == "1"
    for high in (False, True, False):
        pin.value = high
        assert level(5) == str(int(high))
    pin.release()


def test_a_pin_that_another_has_is_in_use(pins: Pins) -> None:
    first = Output(5)
    second = Output(5)
    first.value = True
    with pytest.raises(NotThere, match="GPIO 5 is in use"):
        second.value = True
    first.release()
    second.value = True
    second.release()


def test_without_a_chip_that_is_a_header_it_is_told_so() -> None:
    with Pins("some-other-chip"), pytest.raises(NotThere, match="no GPIO pins like a Raspberry Pi"):
        Output(5).value = True
