"""What only the driver `rpi-gpio` says, on a real kernel's GPIO: with `rpi-lgpio`, and with each wrong package."""

import os
import re
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.drivers.rpi_gpio import Buzzers
from tests.kernel.table import BUILD, LINES, SEATS, refusal

pytestmark = pytest.mark.usefixtures("pi_4")


def test_a_chip_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RPI_LGPIO_CHIP", "99")
    assert "can not open gpiochip" in refusal(Buzzers(seats=SEATS, lines=LINES).open(time.monotonic))


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


def started(packages: str, setup: str = "") -> str:
    """Start the driver in a program of its own that has these packages; give what it says."""
    if not (BUILD / packages).exists():
        pytest.skip(f"the packages of {packages} could not be installed")
    environment = {**os.environ, "PYTHONPATH": f"{BUILD / packages}:{os.getcwd()}:{sysconfig.get_path('purelib')}"}
    # Without `site` (-S) it starts in half the time, which in this machine is seconds.
    done = subprocess.run([sys.executable, "-S", "-c", setup + START], env=environment, capture_output=True, text=True)
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
    message = started("original", "import os, RPi.GPIO; os.system('umount /proc/cpuinfo')")
    assert "knows no Pi 5 (Cannot determine SOC peripheral base address)" in message
    assert "pip install 'table-companion[rpi-lgpio]'" in message


@pytest.mark.usefixtures("told_it_is_a_pi")
def test_the_original_can_not_hear_edges_where_the_kernel_numbers_lines_otherwise() -> None:
    """As from kernel 6.6 on; this kernel does so too, for it knows that this is no Pi."""
    registers = Path("/dev/gpiomem")
    registers.write_bytes(bytes(4096))
    try:
        message = started("original", "import platform; platform.release = lambda: '6.6.20+rpt-rpi-v8'")
        assert "can't hear presses on kernel 6.6.20+rpt-rpi-v8 (Failed to add edge detection)" in message
        assert "pip install 'table-companion[rpi-lgpio]'" in message
    finally:
        registers.unlink()
