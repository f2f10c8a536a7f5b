"""Driver `rpi-gpio`: buttons on the header of a Raspberry Pi through the module `RPi.GPIO`.

Two packages provide that module: the original, `RPi.GPIO`, and `rpi-lgpio` for where the original can't work, on a Pi 5
and kernels from 6.6 on. Neither tells the time of an edge: it is stamped here, in the module's callback, so the stamp
includes the delay of its thread. Nor do they report lost edges. `gpiod` is better wherever it works.
"""

import contextlib
import importlib
import os
import platform
import queue
import re
import tempfile
import time
from collections.abc import Iterator
from importlib import metadata
from typing import Any, ClassVar

from companion.devices import permissions
from companion.devices.buttons.debounce import Edge
from companion.devices.buttons.gpio_source import ButtonSource, Wiring
from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.sensing import Clock, NotThere, Source
from companion.errors import PIP

LATE_S = 0.01
"""Seconds from an edge to our stamp: two threads must wake up, and another may hold the interpreter for 5 ms (assumed,
not measured on a board)."""

_ORIGINAL = "RPi.GPIO"
_OTHER = "rpi-lgpio"
_INSTALL = f"{PIP} install 'table-companion[rpi-lgpio]'"
_TAKE_OTHER = f"Run: {PIP} uninstall RPi.GPIO, then {_INSTALL}"
_OTHER_INSTEAD = {"run": f"{PIP} uninstall RPi.GPIO && {_INSTALL}"}
_TRY_GPIOD = {"setting": "driver", "choices": "gpiod"}


class Buzzers(Wiring, frozen=True, forbid_unknown_fields=True):
    """The settings of buttons on GPIO lines; the module finds the header's chip by itself."""

    apart: ClassVar = 2 * LATE_S
    needs: ClassVar = (permissions.GPIO_MODULE,)

    def open(self, clock: Clock) -> Source:
        """Return the buttons as a source; the lines are set up by its `start` or `listen`."""
        return ButtonSource(f"buzzers {self.named}", self.seats, lambda: _Channels(self), clock)


class _Channels:
    """The lines, watched by the module's own thread."""

    late = LATE_S
    hears = "some"
    behind: float | None = None
    """Presses within `Buzzers.apart` are a dead heat: the table waits its window for those anyway."""

    def __init__(self, settings: Buzzers) -> None:
        self._settings = settings
        self._button = {line: button for button, line in enumerate(settings.lines)}
        self._heard: queue.SimpleQueue[Edge | Exception] = queue.SimpleQueue()
        self._gpio = gpio = _module()
        self.detail = f"{_provider()} {gpio.VERSION}"
        pulls = {"up": gpio.PUD_UP, "down": gpio.PUD_DOWN, "none": gpio.PUD_OFF}
        try:
            gpio.setwarnings(False)
            gpio.setmode(gpio.BCM)
            for line in settings.lines:
                gpio.setup(line, gpio.IN, pull_up_down=pulls[settings.pull])
                gpio.add_event_detect(line, gpio.BOTH, callback=self._hear)
        except Exception as error:  # each package has its own errors
            self.close()
            raise NotThere(_why_not(settings, error)) from error

    def closed(self) -> list[bool]:
        try:
            return [self._closed(line) for line in self._settings.lines]
        except Exception as error:
            raise NotThere(_why_not(self._settings, error)) from error

    def edges(self, wait: float) -> list[Edge]:
        heard: list[Edge] = []
        with contextlib.suppress(queue.Empty):
            heard.append(self._edge(self._heard.get(timeout=wait)))
            while True:
                heard.append(self._edge(self._heard.get_nowait()))
        if not heard:
            self.closed()  # raises if the chip is gone, which the module's thread does not report
        return heard

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._gpio.cleanup(list(self._settings.lines))

    def _hear(self, line: int) -> None:
        at = time.monotonic_ns()
        try:
            self._heard.put(Edge(self._button[line], at, self._closed(line)))
        except Exception as error:
            self._heard.put(error)

    def _closed(self, line: int) -> bool:
        return bool(self._gpio.input(line)) != self._settings.active_low

    def _edge(self, heard: Edge | Exception) -> Edge:
        if isinstance(heard, Exception):
            raise NotThere(_why_not(self._settings, heard)) from heard
        return heard


def _module() -> Any:
    """Import the module from whichever package has it, and check that only one does."""
    by_folder = {str(package.locate_file("RPi")): package for package in _packages()}
    if len(by_folder) < len(_packages()):
        says = (
            f"Both {_ORIGINAL} and {_OTHER} are installed, and each has overwritten files of the other. "
            f"Run: {PIP} uninstall {_ORIGINAL} {_OTHER}, then install one: "
            f"{PIP} install 'table-companion[rpi-lgpio]' (Pi 5, kernel 6.6 or newer) or 'table-companion[rpi-gpio]'"
        )
        run = f"{PIP} uninstall {_ORIGINAL} {_OTHER} && {_INSTALL}"
        raise NotThere(DeviceFault(says, FaultCode.SOFTWARE, {"run": run}))
    try:
        with _private_folder():
            return importlib.import_module("RPi.GPIO")
    except ImportError as error:
        says = f"The module RPi.GPIO is not installed ({error}). Install it with: {_INSTALL}"
        raise NotThere(DeviceFault(says, FaultCode.SOFTWARE, {"run": _INSTALL})) from error
    except (RuntimeError, OSError) as error:
        says = (
            f"The module RPi.GPIO can't be used here ({error}): it needs a Raspberry Pi. "
            "On another machine use the driver gpiod."
        )
        raise NotThere(DeviceFault(says, FaultCode.UNUSABLE, _TRY_GPIOD)) from error


def _packages() -> list[metadata.Distribution]:
    packages = []
    for name in (_ORIGINAL, _OTHER):
        with contextlib.suppress(metadata.PackageNotFoundError):
            packages.append(metadata.distribution(name))
    return packages


def _provider() -> str:
    return ", ".join(package.metadata["Name"] for package in _packages()) or "RPi.GPIO"


@contextlib.contextmanager
def _private_folder() -> Iterator[None]:
    """Import in a folder of its own: `rpi-lgpio` makes a pipe of a fixed name in LG_WD, where another table may run.

    It also changes the working directory to it, which is undone here.
    """
    working_folder = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="companion-gpio-") as folder:
        os.environ["LG_WD"] = folder
        try:
            yield
        finally:
            del os.environ["LG_WD"]
            os.chdir(working_folder)


def _why_not(settings: Buzzers, error: Exception) -> DeviceFault:
    reason = str(error).strip("'")
    if "SOC peripheral" in reason:
        says = f"{_ORIGINAL} does not know this board, because it knows no Pi 5 ({reason}). {_TAKE_OTHER}"
        return DeviceFault(says, FaultCode.SOFTWARE, _OTHER_INSTEAD)
    if "edge detection" in reason and _kernel() >= (6, 6):
        says = f"{_ORIGINAL} can't hear presses on kernel {platform.release()} ({reason}). {_TAKE_OTHER}"
        return DeviceFault(says, FaultCode.SOFTWARE, _OTHER_INSTEAD)
    if "/dev/mem" in reason or "permission" in reason.lower() or "open gpiochip" in reason:
        return permissions.GPIO.refusal(f"the GPIO chip ({reason})", error)
    if "busy" in reason.lower():
        says = (
            f"One of {settings.named} is already in use ({reason}). Stop that program, "
            "switch that function off in /boot/firmware/config.txt, or wire the button to another line."
        )
        return DeviceFault(says, FaultCode.BUSY)
    if "invalid on a Raspberry Pi" in reason:
        says = f"One of {settings.named} is not on a Pi's header ({reason}): correct `lines`."
        return DeviceFault(says, FaultCode.UNUSABLE, {"setting": "lines", "choices": "0–27"})
    says = f"{settings.named} can't be used with {_provider()} ({reason}): correct `lines`, or use the driver gpiod."
    return DeviceFault(says, FaultCode.UNUSABLE, {"setting": "lines", "choices": None})


def _kernel() -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", platform.release())[:2]))
