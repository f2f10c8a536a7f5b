"""A main.py for the emulated Pico: the firmware says the protocol's own examples, with everything around it made up."""

import sys

import port as real
import talk
from lamps import CUES
from lines import Cutter


class Clock:
    doubt = 5

    def __init__(self, *times):
        self._times = list(times)

    def now(self):
        return self._times.pop(0) if len(self._times) > 1 else self._times[0]


class Buttons:
    pins = (2, 3, 4, 5, 6, 7)

    def __init__(self):
        self.clock = Clock(0)
        self.pressed = []
        self.told_up_to = 0

    def fetch(self):
        self.told_up_to = self.clock.now() - self.clock.doubt - 3
        pressed = self.pressed
        self.pressed = []
        return pressed

    def lost(self):
        return 0


class BounceRecorder:
    def __init__(self):
        self.found = [("waits", 0, 0), ("closed", 6, 1480)]

    def ask(self, nonce, button):
        return self.found.pop(0)

    def step(self, now, presses):
        pass


class Lamps:
    def __init__(self):
        self.shown = []

    def show(self, button, cue):
        self.shown.append((button, cue))

    def count(self, button, cards):
        self.shown.append((button, cards))

    def step(self, now, alone):
        pass


class Port:
    def __init__(self):
        self.heard = []
        self.said = []

    def renew(self):
        pass

    def read(self):
        return self.heard.pop(0) if self.heard else None

    def write(self, line):
        self.said.append(line)


class Implementation:
    version = (1, 29, 0, "")


talk.mem_free = lambda: 141312
talk.implementation = Implementation
talk.try_buttons = lambda buttons: ("++c+++", [])

port = Port()
buttons = Buttons()
lamps = Lamps()
box = talk.Talk(port, "7F3A21B09C4D", "power", buttons, BounceRecorder(), lamps)
box.presses.last = box.presses.acked = 12


def tell(line, *times):
    """Let the box hear a line, and give what it says to it."""
    buttons.clock._times = list(times or (0,))
    box._beat_at = box._repeat_at = 1 << 60
    port.heard = list(line + b"\n")
    port.said = []
    box.step()
    return port.said


lines = tell(b"H 1 *5804")
buttons.pressed = [(84512345, 2), (84512346, 5)]
lines += tell(b"")
lines += tell(b"", 84512360)
tell(b"", 84514000)  # the same again, a millisecond after the press
again = tell(b"H 1 *5804")[1:] == lines[-3:-1]
presses_kept = len(box.presses.lines())
lines += tell(b"A 7F3A21B09C4D 14 *3B4A")
port.said = []
box.beat(84600000)
lines += port.said
lines += tell(b"T 40961 *94E3", 84700100, 84700110, 84700114, 84700195)
lines += tell(b"L 2 first *2E38")
lines += tell(b"N 2 7 *1315")
lines += tell(b"S *8B66")
lines += tell(b"C 52011 2 *21B0")
lines += tell(b"C 52011 2 *21B0")
lines += tell(b"U 7F3A21B09C4D *3CE0")


def cut(line):
    """Return how long a line is that these bytes make, none if it is none, and how much is held until it ends."""
    cutter = Cutter()
    for byte in line:
        cutter.feed(byte)
    held = len(cutter._rest)
    sent = cutter.feed(10)
    return sent and len(sent), held


cuts = [cut(b"x" * 80 + end) for end in (b"", b"\r", b"\r!", b"\r\r", b"x", b"x" * 900)]

while real.Port().read() is None:
    pass  # nobody has the port open yet
for line in lines:
    sys.stdout.buffer.write(line)
sys.stdout.buffer.write(
    f"{again} {presses_kept} {len(box.presses.lines())} {lamps.shown} {sorted(CUES)} {cuts}\n".encode()
)
sys.stdout.buffer.write(b"end\n")
