"""A buzzer box with the firmware's obligations and faults on demand (`Box`), and its port on a pty (`EmulatedBox`).

It writes and reads its lines by itself, not through the companion's codec: a mistake there can't cancel out here.
"""

import contextlib
import fcntl
import os
import random
import select
import struct
import tempfile
import termios
import threading
import time
import tty
from binascii import crc_hqx
from collections import deque
from pathlib import Path
from typing import Any, Self

import msgspec

BEAT_S = 0.25
REPEAT_S = 0.1
SETTLED_US = 1000
KEPT = 64
CUES_BEFORE_1_3 = ("off", "waiting", "reading", "read", "error", "first")
CUES = (*CUES_BEFORE_1_3, "refused", "playing", "break", "over")


class Faults(msgspec.Struct, frozen=True):
    """What goes wrong on the line; chances from 0 to 1, for each line."""

    noise: float = 0.0
    """Random bytes before or inside a line."""
    drop: float = 0.0
    """A line is lost, in either direction."""
    double: float = 0.0
    reorder: float = 0.0
    """A line comes after the one that follows it."""
    corrupt: float = 0.0
    """One bit of a line flips."""
    mute_heartbeat: bool = False
    mute: bool = False
    """Nothing is sent at all."""


FINE = Faults()


class Box:
    """The box; what derives from it carries what it sends, and hands it what it receives."""

    def __init__(
        self,
        *,
        faults: Faults = FINE,
        drift_ppm: float = 0.0,
        counter_start: int = 0,
        buttons: int = 6,
        version: int = 1,
        firmware: str = "1.4-emulated",
        tells: bool = True,
        seed: int = 0,
    ) -> None:
        """`tells`: whether it says up to when it has told everything; older firmware does not."""
        self.faults = faults
        """May be replaced at any time."""
        self.boot = ""
        self.acked = self.last = self.refused = 0
        self.lamps: dict[int, str] = {}
        """The cue each lamp was told to show."""
        self.tested = f"{'+' * buttons} power 100000 1.27.0"
        """What it says of a self-test."""
        self.contacts: dict[int, str] = {}
        """How each button's contact bounces when it is pressed, as the line says it; "closed 0 0" of most."""
        self.gone = False
        """Whether it has given up its port."""
        self._rate = 1 + drift_ppm * 1e-6
        self._counter_start = counter_start
        self._buttons = buttons
        self._version = version
        self._firmware = firmware
        self._tells = tells
        self._cues = CUES_BEFORE_1_3 if firmware < "1.3" else CUES
        self._random = random.Random(seed)
        self._lock = threading.RLock()
        self._received = b""
        self._held: bytes | None = None
        self._power_up()

    @property
    def plugged(self) -> bool:
        """Whether its cable is in."""
        return True

    # What the button does.

    def press(self, button: int, at: int | None = None) -> int:
        """Press a button, at a device time if one is given; gives the device time."""
        with self._lock:
            at = self.now() if at is None else at
            if button == self.recording:
                self._recorded = self.contacts.get(button, "closed 0 0")
            if len(self._unacked) == KEPT:
                self.refused += 1
                return at
            self.last += 1
            self._unacked.append((self.last, button, at))
            self._send_press(self.last, button, at)
            self._tell_after = [at, at + SETTLED_US]
        self._wake()
        return at

    def now(self) -> int:
        """Device time in µs: 32 bits of hardware, extended as the firmware does it."""
        with self._lock:
            elapsed = (time.monotonic() - self._born) * self._rate
            low = (self._counter_start + int(elapsed * 1e6)) & 0xFFFFFFFF
            self._full += (low - self._full) & 0xFFFFFFFF
            return self._full

    def true_time(self, at: int) -> float:
        """When, on `time.monotonic`, this boot's device clock showed `at`."""
        return self._born + (at - self._counter_start) / 1e6 / self._rate

    @property
    def recording(self) -> int:
        """The button whose next press is to be recorded; 0 for none."""
        return self._recording[1] if self._recorded == "waits 0 0" else 0

    @property
    def unacked(self) -> int:
        """How many presses it still keeps."""
        with self._lock:
            return len(self._unacked)

    # What the firmware does.

    def _power_up(self) -> None:
        self.boot = f"{self._random.getrandbits(48):012X}"
        self.acked = self.last = self.refused = 0
        self.lamps = {}
        self.gone = False
        self._recording = ("", 0)
        self._recorded = ""
        self._unacked: deque[tuple[int, int, int]] = deque()
        self._born = time.monotonic()
        self._full = self._counter_start
        self._beat_at = self._repeat_at = 0.0
        self._tell_after: list[int] = []
        self._held = None

    def _send_what_is_due(self) -> None:
        at = time.monotonic()
        if at >= self._repeat_at:
            self._repeat_at = at + REPEAT_S
            for press in self._unacked:
                self._send_press(*press)
        if at >= self._beat_at:
            self._beat_at = at + BEAT_S
            if not self.faults.mute_heartbeat:
                self._beat()
                self._tell_up_to(self.now())
        up_to = self.now()
        if self._tell_after and up_to > self._tell_after[0]:
            del self._tell_after[0]
            self._tell_up_to(up_to)

    def _beat(self) -> None:
        self._send(f"B {self.boot} {self.now()} {self.last} {self.refused}")

    def _tell_up_to(self, at: int) -> None:
        if self._tells:
            self._send(f"W {self.boot} {at} {self.last}")

    def _send_press(self, seq: int, button: int, at: int) -> None:
        self._send(f"P {self.boot} {seq} {button} {at}")

    def _hello(self) -> None:
        words = f"{self.boot} {self._firmware} {self._buttons} {self.acked}"
        self._send(f"H {self._version} {words}")

    def _receive(self, data: bytes) -> None:
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            if not self._happens(self.faults.drop):
                self._answer(line)

    def _answer(self, line: bytes) -> None:
        body = line.rpartition(b" *")[0].decode("ascii", "replace")
        if _line(body) != line + b"\n":
            return
        match body.split(" "):
            case ["H", _]:
                self._hello()
            case ["T", nonce]:
                received = self.now()
                self._send(f"T {self.boot} {nonce} {received} {self.now()}")
            case ["A", self.boot, seq] if self.acked < int(seq) <= self.last:
                self.acked = int(seq)
                while self._unacked and self._unacked[0][0] <= self.acked:
                    self._unacked.popleft()
            case ["L", button, cue] if cue in self._cues and button in map(str, range(self._buttons + 1)):
                self.lamps[int(button)] = cue
            case ["N", button, cards] if self._firmware >= "1.4" and button in map(str, range(1, self._buttons + 1)):
                self.lamps[int(button)] = f"waiting {cards}"
            case ["C", nonce, button] if button in map(str, range(1, self._buttons + 1)):
                if self._recording != (nonce, int(button)):
                    self._recording = (nonce, int(button))
                    self._recorded = "waits 0 0"
                self._send(f"C {self.boot} {nonce} {button} {self._recorded}")
            case ["S"]:
                self._send(f"S {self.boot} {self.tested}")
            case ["U", self.boot]:
                self._send(f"U {self.boot}")
                self.gone = True

    # The line, and what can happen to it.

    def _send(self, body: str) -> None:
        if not self.plugged or self.gone or self.faults.mute or self._happens(self.faults.drop):
            return
        line = _line(body)
        faults = self.faults
        if self._happens(faults.corrupt):
            damaged = bytearray(line)
            damaged[self._random.randrange(len(line))] ^= 1 << self._random.randrange(8)
            line = bytes(damaged)
        if self._happens(faults.noise):
            at = self._random.choice((0, self._random.randrange(len(line))))
            line = line[:at] + self._random.randbytes(self._random.randint(1, 40)) + line[at:]
        if self._happens(faults.double):
            line += line
        if self._held is None and self._happens(faults.reorder):
            self._held = line
            return
        self._write(line + (self._held or b""))
        self._held = None

    def _write(self, data: bytes) -> None:
        """Put bytes on the cable."""
        raise NotImplementedError

    def _wake(self) -> None:
        """There is something to send."""

    def _happens(self, chance: float) -> bool:
        return chance > 0 and self._random.random() < chance


class EmulatedBox(Box):
    """Its port on a pty. Use as a context manager; `press` and the others may be called from any thread."""

    def __init__(self, **box: Any) -> None:
        """Takes what `Box` takes."""
        super().__init__(**box)
        self._dir = tempfile.TemporaryDirectory(prefix="box-")
        self.path = str(Path(self._dir.name) / "ttyBox")
        """The port, under a name that comes back after a replug."""
        self._master = self._slave = -1
        self._wake_out, self._wake_in = os.pipe()
        self._stop = False
        self._thread = threading.Thread(target=self._run, name="emulated box", daemon=True)

    def __enter__(self) -> Self:
        self.replug()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        self._wake()
        self._thread.join()
        self.unplug()
        os.close(self._wake_in)
        os.close(self._wake_out)
        self._dir.cleanup()

    @property
    def plugged(self) -> bool:
        return self._master >= 0

    def unplug(self, *, mid_line: bool = False) -> None:
        """Pull the cable; the box keeps its power. Nothing happens if it is out already."""
        with self._lock:
            if self._master < 0:
                return
            if mid_line:
                self._write(_line(f"P {self.boot} {self.last + 1} 1 {self.now()}")[:17])
                self._await_reader()
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path)
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1
            self._held = None

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
            self._received = b""
            self._write(b"\n")
            self._hello()
            self._repeat_at = 0.0
        self._wake()

    def reboot(self) -> None:
        """Lose the power and get it back: cable, memory and counters begin anew."""
        with self._lock:
            self.unplug()
            self._power_up()
            self.replug()

    def _run(self) -> None:
        while not self._stop:
            with self._lock:
                self._send_what_is_due()
                pause = min(self._beat_at, self._repeat_at) - time.monotonic()
                pause = max(0.0, min([pause, *((at - self._full + 1) / 1e6 for at in self._tell_after[:1])]))
                watched = [self._wake_out] + ([self._master] if self._master >= 0 else [])
            try:
                ready, _, _ = select.select(watched, [], [], min(pause, 0.05))
            except (OSError, ValueError):  # unplugged meanwhile
                continue
            if self._wake_out in ready:
                os.read(self._wake_out, 4096)
            with self._lock:
                if self._master >= 0 and self._master in ready:
                    with contextlib.suppress(OSError):
                        self._receive(os.read(self._master, 4096))

    def _write(self, data: bytes) -> None:
        # Nobody may be reading; the firmware does not wait for that either.
        with contextlib.suppress(BlockingIOError):
            os.write(self._master, data)

    def _await_reader(self) -> None:
        """Give a reader the time to fetch what was written, which the hang-up may take away."""
        due = time.monotonic() + 0.1
        while time.monotonic() < due:
            waiting = fcntl.ioctl(self._slave, termios.FIONREAD, b"\0" * 4)
            if struct.unpack("i", waiting) == (0,):
                return
            time.sleep(0.002)

    def _wake(self) -> None:
        os.write(self._wake_in, b"!")


def _line(body: str) -> bytes:
    return f"{body} *{crc_hqx(body.encode(), 0xFFFF):04X}\n".encode()
