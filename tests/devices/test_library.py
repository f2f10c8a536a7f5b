"""The readers' library on a Raspberry Pi, as far as one can be played: by what its files in /proc say."""

import os
import subprocess
import sys

import pytest

PI = """
import builtins, io, platform, sys

real = builtins.open

def open_(path, *args, **more):
    if path == "/proc/cpuinfo":
        return io.StringIO("Hardware : BCM2835\\nRevision : c03114\\nModel : Raspberry Pi 4 Model B Rev 1.4\\n")
    return real(path, *args, **more)

builtins.open = open_
platform.machine = lambda: "aarch64"
sys.modules["gpiod"] = None  # not installed
"""


def on_a_pi(program: str) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("BLINKA")}
    return subprocess.run([sys.executable, "-c", PI + program], env=plain, capture_output=True, text=True)


def test_blinka_by_itself_would_want_gpio_software_there() -> None:
    assert "'gpiod' was not found" in on_a_pi("import adafruit_pn532.uart").stderr


@pytest.mark.parametrize("bus", ["uart", "spi", "i2c"])
def test_no_reader_needs_it(bus: str) -> None:
    done = on_a_pi(f"from companion.devices.readers.pn532 import library; library({bus!r})")
    assert (done.stdout, done.stderr) == ("", "")
