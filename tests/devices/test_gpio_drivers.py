"""Why GPIO buttons can't be had: each cause is told at the start with its cure. Needs no GPIO.

What the drivers hear is tested on a real kernel: `make test-gpio`.
"""

import platform
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.devices.drivers import gpiod, rpi_gpio
from companion.devices.sensing import NotThere, Source
from companion.errors import PIP


def refusal(source: Source) -> str:
    with pytest.raises(NotThere) as refused:
        source.start()
    source.close()
    return str(refused.value)


# gpiod


def buzzers(chip: str = "/dev/gpiochip99") -> Source:
    return gpiod.Buzzers(seats=(1, 2), lines=(17, 27), chip=chip).open(time.monotonic)


def test_a_table_without_the_bindings_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    assert f"{PIP} install 'table-companion[gpiod]'" in refusal(buzzers())


def test_the_bindings_of_libgpiod_1_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian 12 has them as python3-libgpiod, under the same name."""
    older = types.ModuleType("gpiod")
    older.__file__ = "/usr/lib/python3/dist-packages/gpiod.so"
    monkeypatch.setitem(sys.modules, "gpiod", older)
    assert "dist-packages/gpiod.so is not version 2" in refusal(buzzers())


def test_a_source_is_named_by_its_lines() -> None:
    assert gpiod.Buzzers(seats=(1, 2), lines=(17, 27)).open(time.monotonic).name == "buzzers GPIO 17, 27"
    assert buzzers("/dev/gpiochip4").name == "buzzers /dev/gpiochip4 GPIO 17, 27"


# rpi-gpio


class Module(types.ModuleType):
    """The module `RPi.GPIO` as either package offers it."""

    VERSION = "0.7.1"
    IN, BCM, BOTH, PUD_UP, PUD_DOWN, PUD_OFF = range(6)

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__("RPi.GPIO")
        self.error = error
        self.levels = {17: 1, 27: 1}
        self.heard: dict[int, Callable[[int], None]] = {}
        self.cleaned: list[int] = []

    def setwarnings(self, _: bool) -> None: ...

    def setmode(self, _: int) -> None: ...

    def setup(self, line: int, _: int, pull_up_down: int) -> None: ...

    def add_event_detect(self, line: int, _: int, callback: Callable[[int], None]) -> None:
        if self.error:
            raise self.error
        self.heard[line] = callback

    def input(self, line: int) -> int:
        if self.error:
            raise self.error
        return self.levels[line]

    def cleanup(self, lines: list[int]) -> None:
        self.cleaned += lines


Offer = Callable[..., Any]


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Offer:
    """Have a module, or none, and packages that are installed, and no others."""

    def offer(module: Module | None, *packages: str) -> Module | None:
        monkeypatch.setattr(sys, "path", [str(tmp_path)])
        monkeypatch.setitem(sys.modules, "RPi", types.ModuleType("RPi"))
        monkeypatch.setitem(sys.modules, "RPi.GPIO", module)
        for package in packages:
            folder = tmp_path / f"{package.replace('-', '_')}-1.0.dist-info"
            folder.mkdir()
            (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        return module

    return offer


def wired(active_low: bool) -> rpi_gpio.Buzzers:
    pull = "up" if active_low else "down"
    return rpi_gpio.Buzzers(seats=(1, 2), lines=(17, 27), pull=pull, active_low=active_low)


def channels(active_low: bool = True) -> Source:
    return wired(active_low).open(time.monotonic)


def test_both_packages_side_by_side_are_refused(offer: Offer) -> None:
    offer(Module(), "RPi.GPIO", "rpi-lgpio")
    message = refusal(channels())
    assert message.startswith("Both RPi.GPIO and rpi-lgpio are installed")
    assert f"{PIP} uninstall RPi.GPIO rpi-lgpio" in message


@pytest.mark.parametrize(
    ("error", "kernel", "words"),
    [
        (RuntimeError("Cannot determine SOC peripheral base address"), "6.1.0-rpi7", "knows no Pi 5"),
        (RuntimeError("Failed to add edge detection"), "6.6.20+rpt-rpi-v8", "can't hear presses on kernel 6.6.20"),
        (RuntimeError("Failed to add edge detection"), "6.12.1-v8", "can't hear presses on kernel 6.12.1"),
    ],
)
def test_the_original_where_it_can_not_work_is_told_with_the_other(
    offer: Offer, monkeypatch: pytest.MonkeyPatch, error: Exception, kernel: str, words: str
) -> None:
    module = offer(Module(error), "RPi.GPIO")
    monkeypatch.setattr(platform, "release", lambda: kernel)
    why = refusal(channels())
    assert words in why
    assert f"{PIP} uninstall RPi.GPIO, then {PIP} install 'table-companion[rpi-lgpio]'" in why
    assert module.cleaned == [17, 27]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError("Failed to add edge detection"), "can't be used with RPi.GPIO (Failed to add edge detection)"),
        (RuntimeError("No access to /dev/mem.  Try running as root!"), "add this user to the group gpio"),
        (RuntimeError("'can not open gpiochip'"), "add this user to the group gpio"),
        (RuntimeError("'GPIO busy'"), "GPIO 17, 27 is already in use (GPIO busy)"),
        (ValueError("The channel sent is invalid on a Raspberry Pi"), "correct `lines`"),
    ],
)
def test_other_faults_are_told_with_their_cure(
    offer: Offer, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    offer(Module(error), "RPi.GPIO")
    monkeypatch.setattr(platform, "release", lambda: "6.1.21-v8+")
    assert words in refusal(channels())


@pytest.mark.parametrize("active_low", [True, False])
def test_calls_of_the_module_become_edges(offer: Offer, active_low: bool) -> None:
    module = offer(Module(), "rpi-lgpio")
    lines = rpi_gpio._Channels(wired(active_low))
    assert lines.detail == "rpi-lgpio 0.7.1"
    assert lines.closed() == [not active_low] * 2
    began = time.monotonic_ns()
    module.levels[27] = 0
    module.heard[27](27)
    (edge,) = lines.edges(0.05)
    assert (edge.button, edge.closed) == (1, active_low)
    assert began <= edge.at <= time.monotonic_ns()
    module.error = OSError("gone")
    module.heard[17](17)
    with pytest.raises(NotThere, match="gone"):
        lines.edges(0.05)
    with pytest.raises(NotThere, match="gone"):
        lines.edges(0.05)  # and with nothing heard at all
    lines.close()
    assert module.cleaned == [17, 27]
