"""The real firmware at the end of a cable: `pico.mjs` runs it, and a pty is the port the Pi opens.

What goes through the cable goes through here, so that it can be pulled, and damaged.
"""

import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from companion.devices.buzzer_box import programs
from companion.devices.buzzer_box.programs import Program
from tests.needs import needs
from tests.waiting import until

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PYTHON = ROOT / "build/micropython/node_modules/@micropython/micropython-webassembly-pyscript"
REASONS = {"power": 0, "watchdog": 1, "reset": 2}
MHZ = 125

Damage = Callable[[bytes], bytes]


def untouched(data: bytes) -> bytes:
    return data


def virtual_machine() -> None:
    """Skip the test where there is none."""
    needs("MicroPython's virtual machine", (PYTHON / "micropython.mjs").exists() and shutil.which("node"))


def on_board() -> list[Path]:
    """Return the files of the firmware."""
    return programs.files()


class Pico:
    """Use as a context manager. Its methods may be called from any thread."""

    def __init__(
        self,
        *,
        blank: bool = False,
        program: Program = Program.BOX,
        main: Path | None = None,
        ticks: int = 0,
        held: Sequence[int] = (),
        late: int = 0,
        typed: str = "",
        board: str = "Raspberry Pi Pico with RP2040",
    ) -> None:
        """Give it power.

        It is what `program` makes of it. A `blank` one has MicroPython on it and nothing else, another `main` stands
        in for the firmware's; its microseconds begin at `ticks`, with the contacts at the pins `held` closed.
        MicroPython names the `board` so. What was `typed` has come before it starts. Its stamps begin so many
        microseconds `late`, after it has looked at its clock.
        """
        virtual_machine()
        self.to_pi: Damage = untouched
        self.to_box: Damage = untouched
        """What the cable does to the bytes that come through."""
        self.lamps: list[str] = []
        """The colours shown, as hexadecimal digits."""
        self.pad = ""
        """The colour at the centre pad."""
        self.boots: list[str] = []
        """Why it has started each time."""
        self.started: dict[str, Any] = {}
        """What the state machines were told."""
        self.recordings: list[dict[str, int]] = []
        """What the spare state machine was told each time it was switched on."""
        self.recorded = 0
        """How often it was switched off."""
        self.feeds = 0
        self.prompt = False
        """Whether it has left the firmware and shows MicroPython's prompt."""
        self.touched: Callable[[int, int], object] = lambda between, pins: None
        """What a finger does when it presses: the first and the third of its program's words."""
        self._main = main
        self._settings = {
            "ticks": ticks,
            "held": list(held),
            "late": late,
            "typed": typed,
            "board": board,
            "parent": os.getpid(),
        }
        self._pressed: list[list[int]] | None = None
        self._obeyed = 0
        self._lock = threading.RLock()
        self._dir = Path(tempfile.mkdtemp(prefix="pico-"))
        self.path = str(self._dir / "ttyPico")
        """The port, under a name that comes back after a replug."""
        self.flash = self._dir / "flash"
        """What is on its flash; changes count from the next start."""
        self.flash.mkdir()
        for file in () if blank else programs.files(program):
            shutil.copy(file, self.flash)
        if main:
            shutil.copy(main, self.flash / "main.py")
        self._master = self._slave = -1
        self._under_way = b""
        self._patience = 0.0
        self._stop = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="cable", daemon=True)

    def __enter__(self) -> Self:
        self._power_up("power")
        self.replug()
        self._thread.start()
        until(lambda: self.started or self.prompt or self._main)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        self._thread.join()
        self._power_down()
        self.unplug()
        shutil.rmtree(self._dir)

    # The buttons.

    def press(
        self, *presses: tuple[int, int] | int, now: int | None = None, bounced_us: int = 0
    ) -> list[tuple[int, int]]:
        """Let stamps be made, the last of them now: buttons, or (button, turns after the first of them).

        `now` is the device time to which its clock jumps for it. A contact that `bounced_us` closed so long ago. Gives
        (button, device time) of each, as the firmware should tell it.
        """
        self._pressed = None
        self.order(
            "press", [[press_, 0] if isinstance(press_, int) else list(press_) for press_ in presses], now, bounced_us
        )
        return [(button, at) for button, at in self._pressed or ()]

    def order(self, *order: object) -> None:
        """Say anything else to what stands around the firmware, and wait until it is done: `orders` in pico.mjs."""
        with self._lock:
            due = self._obeyed + 1
            os.write(self._pipes[2], json.dumps(order).encode() + b"\n")
        until(lambda: self._obeyed >= due)

    # The cable and the power.

    def unplug(self) -> None:
        """Pull the cable; the box keeps its power. Nothing happens if it is out already."""
        with self._lock:
            if self._master < 0:
                return
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path)
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1

    def replug(self) -> None:
        """Put the cable in. Nothing happens if it is in already."""
        with self._lock:
            if self._master >= 0:
                return
            # The slave stays open here, so that the port does not hang up when its user closes it.
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            os.symlink(os.ttyname(self._slave), self.path)

    def power_cycle(self) -> None:
        """Take the power away, and the port with it, and give it back."""
        with self._lock:
            self.unplug()
            self._power_down()
            self._power_up("power")
            self.replug()
        until(lambda: self.started or self.prompt)

    # How it is done.

    def _power_up(self, why: str) -> None:
        self.started = {}
        self.prompt = False
        self.lamps = []
        theirs = []
        self._pipes = []
        for inwards in (True, False, True, False):
            near_end, other = os.pipe()[:: -1 if inwards else 1]
            if inwards:
                os.set_blocking(other, False)
            self._pipes.append(near_end)
            theirs.append(other)
        settings = {**self._settings, "begun": REASONS[why], "fds": theirs}
        # Compiled as quickly as can be: a test runs for a second.
        self._process = subprocess.Popen(
            ["node", "--liftoff-only", HERE / "pico.mjs", PYTHON, HERE / "board", self.flash, json.dumps(settings)],
            stdin=subprocess.DEVNULL,
            pass_fds=theirs,
        )
        self._reported = b""
        for fd in theirs:
            os.close(fd)
        self.boots.append(why)  # last: who sees it finds nothing of the boot before

    def _power_down(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            for fd in self._pipes:
                os.close(fd)
        self._process = None

    def _run(self) -> None:
        while not self._stop:
            with self._lock:
                to_box = self._pipes[1]
                reports = self._pipes[3]
                master = self._master
                waiting = [master] if self._under_way and master >= 0 else []
                reading = [reports] + ([] if waiting else [to_box]) + ([master] if master >= 0 else [])
            try:
                ready, writable, _ = select.select(reading, waiting, [], 0.02)
            except (OSError, ValueError):  # unplugged meanwhile
                continue
            with self._lock, contextlib.suppress(OSError):
                if (self._pipes[1], self._master) != (to_box, master):
                    continue
                if to_box in ready:
                    self._under_way = self.to_pi(os.read(to_box, 65536))
                    self._patience = time.monotonic() + 0.5
                if master in ready:
                    os.write(self._pipes[0], self.to_box(os.read(master, 65536)))
                if reports in ready:
                    self._hear(os.read(reports, 65536))
                if master >= 0 and (writable or to_box in ready):
                    self._under_way = self._under_way[os.write(master, self._under_way) :]
            # Where nobody reads, USB does not wait for ever.
            if self._master < 0 or time.monotonic() > self._patience:
                self._under_way = b""

    def _hear(self, data: bytes) -> None:
        *lines, self._reported = (self._reported + data).split(b"\n")
        for line in lines:
            match json.loads(line):
                case {"started": _} as started:
                    self.started = started
                case {"recording": _} as recording:
                    self.recordings.append(recording)
                case {"touch": [between, _, pins]}:
                    self.touched(between, pins)
                case {"recorded": _}:
                    self.recorded += 1
                case {"pressed": pressed}:
                    self._pressed = pressed
                case {"obeyed": _}:
                    self._obeyed += 1
                case {"lamps": [pad], "pin": _}:
                    self.pad = pad
                case {"lamps": lamps}:
                    self.lamps = lamps
                case {"feeds": feeds}:
                    self.feeds = feeds
                case {"prompt": _}:
                    self.prompt = True
                case {"reset": why}:
                    assert self._process
                    self._process.wait()
                    self._power_down()
                    self._power_up(why)
                    return
