"""These tests need the machine that `make test-gpio` boots; anywhere else they say so and are skipped."""

import os
from collections.abc import Iterator

import pytest

from tests.kernel.pins import Pins
from tests.kernel.table import BUILD

IN_THE_MACHINE = "COMPANION_KERNEL" in os.environ


@pytest.fixture(autouse=True)
def _in_the_machine() -> None:
    if not IN_THE_MACHINE:
        pytest.skip("runs in the machine that `make test-gpio` boots")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures that tests have noted: they are to be read, and never asserted."""
    for report in terminalreporter.getreports("passed"):
        for name, figure in report.user_properties:
            terminalreporter.write_line(f"figure  {name}: {figure}")


@pytest.fixture
def pins() -> Iterator[Pins]:
    """The chip behind a Pi 4's header."""
    with Pins() as pins:
        yield pins


@pytest.fixture
def pi_4(pins: Pins, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a Pi 4 tells `rpi-lgpio` of itself. It keeps a chip open for ever, so every test gives all of it back."""
    if not (BUILD / "rpi-lgpio").exists():
        pytest.skip("rpi-lgpio could not be installed")
    monkeypatch.setenv("RPI_LGPIO_REVISION", "c03114")
    monkeypatch.setenv("RPI_LGPIO_CHIP", pins.path.removeprefix("/dev/gpiochip"))
    yield
    from RPi import GPIO

    GPIO.cleanup()
