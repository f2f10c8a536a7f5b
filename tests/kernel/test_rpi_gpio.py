"""The driver `rpi-gpio` on a real kernel's GPIO: with `rpi-lgpio`, and what each wrong package says."""

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import gpiod
import pytest

from companion.devices.drivers.rpi_gpio import Buzzers
from companion.devices.sensing import Source
from tests.kernel.pins import Pins
from tests.kernel.table import listening
from tests.kernel.test_gpiod import LINE, LINES, SEATS, bounce, refusal
from tests.waiting import until

LATE_REST_S = 0.4
"""Longer than the driver needs: it stamps late where the emulator is slow, and must see 30 ms of rest all the same."""
BUILD = Path(os.environ.get("COMPANION_KERNEL", ""))


@pytest.fixture(autouse=True)
def pi_4(pins: Pins, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a Pi 4 tells `rpi-lgpio` of itself. It keeps a chip open for ever, so every test gives all of it back."""
    if not (BUILD / "rpi-lgpio").exists():
        pytest.skip("rpi-lgpio could not be installed")
    monkeypatch.setenv("RPI_LGPIO_REVISION", "c03114")
    monkeypatch.setenv("RPI_LGPIO_CHIP", pins.path.removeprefix("/dev/gpiochip"))
    yield
    from RPi import GPIO

    GPIO.cleanup()


def buzzers() -> Source:
    return Buzzers(seats=SEATS, lines=LINES).open(time.monotonic)


def test_presses_are_told_in_their_order(pins: Pins, record_property: Callable[[str, object], None]) -> None:
    chosen, pressed, began = random.Random(2), [], []
    with listening(buzzers()) as table:
        for _ in range(8):
            for seat in chosen.sample(SEATS, 6):
                began.append(time.monotonic())
                pins.press(LINE[seat])
                pressed.append(seat)
                time.sleep(0.02)
            until(lambda: len(table.presses) >= len(pressed))
            for line in LINES:
                pins.release(line)
            time.sleep(LATE_REST_S)
        presses = sorted(table.presses, key=lambda press: press.at)
    assert [press.seat for press in presses] == pressed
    assert all(press.uncertainty >= 0.01 for press in presses)
    late = sorted(round((press.at - at) * 1e6) for press, at in zip(presses, began, strict=True))
    record_property("rpi-gpio, from the write to the pin to the stamp, µs (median, most)", (late[24], late[-1]))


def test_a_bouncing_button_is_one_press(pins: Pins) -> None:
    bounced = 0
    with listening(buzzers()) as table:
        for seat in SEATS * 2:
            before = len(table.presses)
            began = time.monotonic()
            steady = bounce(pins, LINE[seat], 10)
            time.sleep(LATE_REST_S)
            steady &= bounce(pins, LINE[seat], 5)
            pins.release(LINE[seat])
            time.sleep(LATE_REST_S)
            until(lambda before=before: len(table.presses) > before)
            if steady:
                (press,) = table.presses[before:]
                assert press.seat == seat
                assert press.at >= began
                bounced += 1
    assert bounced > 6


def test_a_held_button_is_one_press_and_must_be_released_for_the_next(pins: Pins) -> None:
    with listening(buzzers()) as table:
        pins.press(LINE[4])
        time.sleep(0.3)
        assert [press.seat for press in table.presses] == [4]
        pins.release(LINE[4])
        time.sleep(LATE_REST_S)
        pins.press(LINE[4])
        until(lambda: len(table.presses) == 2)


def test_a_line_in_use_is_told(pins: Pins) -> None:
    with gpiod.request_lines(pins.path, {27: None}, consumer="another program"):
        assert "is already in use (GPIO busy)" in refusal(buzzers())
    with listening(buzzers()) as table:
        pins.press(LINE[2])
        until(lambda: table.presses)


def test_a_chip_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RPI_LGPIO_CHIP", "99")
    assert "can not open gpiochip" in refusal(buzzers())


START = """
import os, time
from companion.devices.drivers.rpi_gpio import Buzzers
here = os.getcwd()
try:
    Buzzers(seats=(1,), lines=(17,)).open(time.monotonic).start()
except Exception as told:
    print(told)
assert os.getcwd() == here
"""


def started(packages: str, before: str = "") -> str:
    """Start the driver in a program of its own that has these packages; give what it says."""
    if not (BUILD / packages).exists():
        pytest.skip(f"the packages of {packages} could not be installed")
    environment = {**os.environ, "PYTHONPATH": f"{BUILD / packages}:{os.getcwd()}"}
    done = subprocess.run([sys.executable, "-c", before + START], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_it_starts_where_nobody_may_write() -> None:
    """`rpi-lgpio` makes a pipe where it is started, a service in / for one: ours gives it another place."""
    assert started("rpi-lgpio", "import os; os.chdir('/sys')") == ""


def test_both_packages_side_by_side_are_told() -> None:
    assert re.match("Both RPi.GPIO and rpi-lgpio are installed.*pip uninstall RPi.GPIO rpi-lgpio", started("both"))


def test_the_original_says_that_this_is_no_pi() -> None:
    assert "can only be run on a Raspberry Pi" in started("original")


@pytest.fixture
def told_it_is_a_pi(tmp_path: Path) -> Iterator[None]:
    """/proc says that this is a Pi 4: enough for the original to be imported."""
    words = tmp_path / "cpuinfo"
    words.write_text("Hardware\t: BCM2711\nRevision\t: c03114\n")
    subprocess.run(["mount", "--bind", words, "/proc/cpuinfo"], check=True)
    yield
    subprocess.run(["umount", "-q", "/proc/cpuinfo"], check=False)


@pytest.mark.usefixtures("told_it_is_a_pi")
def test_the_original_does_not_know_where_a_pi_5_has_its_registers() -> None:
    told = started("original", "import os, RPi.GPIO; os.system('umount /proc/cpuinfo')")
    assert "knows no Pi 5 (Cannot determine SOC peripheral base address)" in told
    assert "pip install 'table-companion[rpi-lgpio]'" in told


@pytest.mark.usefixtures("told_it_is_a_pi")
def test_the_original_can_not_hear_edges_where_the_kernel_numbers_lines_otherwise() -> None:
    """As from kernel 6.6 on; this kernel does so too, for it knows that this is no Pi."""
    registers = Path("/dev/gpiomem")
    registers.write_bytes(bytes(4096))
    try:
        told = started("original", "import platform; platform.release = lambda: '6.6.20+rpt-rpi-v8'")
        assert "can't hear presses on kernel 6.6.20+rpt-rpi-v8 (Failed to add edge detection)" in told
        assert "pip install 'table-companion[rpi-lgpio]'" in told
    finally:
        registers.unlink()
