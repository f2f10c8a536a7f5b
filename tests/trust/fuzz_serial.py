"""Fuzz serial lines: what a buzzer box says to the real driver, and what the box's firmware is told.

A damaged line is as good as none, unless its checksum agrees by chance: only such a line may tell a press that was
none. Lines whose checksum is right and whose content lies may be believed; nothing may break by them. Box, cable and
clock are this module's own, so that an hour of them takes seconds and nothing hangs on how busy the machine is.
"""

import __future__

import tempfile
import time
from binascii import crc_hqx
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from unittest.mock import patch

import serial
from hypothesis import strategies as st

from companion.devices.box import protocol
from companion.devices.drivers.pico import Buzzers
from companion.devices.sensing import Buzzed, Sensing, Working
from companion.events import Player
from companion.live.table import Live
from companion.storage.log import Log
from tests.firmware.pico import Pico
from tests.trust.findings import Finding
from tests.trust.fuzzing import Damage, damaged, damages, tried
from tests.waiting import PATIENCE
from tests.web.table import Clock, living

FIRMWARE = Path(__file__).parents[2] / "firmware"
BOOT = "7F3A21B09C4E"
BEAT_S, REPEAT_S = 0.2, 0.1
STEP_S = 0.05
"""The clock goes on so much where nothing is to be read."""
SETTLED_S = 40.0
"""Seconds within which all is well again after the last damaged line: the box repeats ten times a second."""
ASKED = 300
"""How often a box is asked for its free memory before some is held to be lost."""
_NUMBERS = (0, 1, 2, 6, 7, 63, 64, 65, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 2**64, 10**19, 10**25)
_ODD = ("", "0", "x", "+1", "007", "1_0", "²", "-1", "é" * 30, "\x00", "7F3A21B09C4D", *"HPBTSCUXAL")


def trial(quick: bool) -> Iterator[Finding]:
    """Damage what the box says, have it lie, and damage what it is told."""
    what = "lines of a buzzer box, damaged: each press told once, as it was, no other, and all is well again"
    yield tried(what, evenings, _each_press_once, 150 if quick else 20_000, quick=quick)
    with tempfile.TemporaryDirectory() as folder:
        what = "lines of a box that lies, checksum and all: the table keeps what it can judge again, and goes on"
        clock = Clock()
        with living(Path(folder), clock) as live:
            believed = _believed(live, clock, Path(folder))
            yield tried(what, lying_evenings, believed, 60 if quick else 8_000, quick=quick)
    what = "orders to the box, damaged: its firmware reads what the Pi reads, or nothing"
    yield tried(what, orders, _read_alike(), 300 if quick else 50_000, quick=quick)
    yield from _in_micropython(30 if quick else 2_500, quick)


def line(body: str) -> bytes:
    return f"{body} *{crc_hqx(body.encode(), 0xFFFF):04X}\n".encode()


def agrees(told: bytes) -> bool:
    body, star, crc = told.rpartition(b" *")
    return bool(star) and crc == b"%04X" % crc_hqx(body, 0xFFFF)


# What is made up.


class Moment(NamedTuple):
    """A little while: a button that is pressed, what befalls each line that is said, and lines of nobody's."""

    button: int
    done: list[Damage | None]
    lies: list["Lie"]


class Lie(NamedTuple):
    """A line that a box may have said, with words of it changed; its checksum is right."""

    kind: str
    number: int
    changes: list[tuple[int, str]]

    def told(self, box: "Box") -> bytes:
        now = box.now()
        words = {
            "P": f"P {box.boot} {box.last + 1 + self.number % 64} {1 + self.number % 6} {max(0, now - self.number)}",
            "H": f"H 1 {box.boot} 1.0 6 {box.acked}",
            "T": f"T {box.boot} {self.number} {now} {now}",
            "B": f"B {box.boot} {now} {self.number} 0",
            "S": f"S {box.boot} ++++++ power 141312 1.27.0",
            "C": f"C {box.boot} {self.number} {1 + self.number % 6} closed 6 1480",
        }[self.kind].split(" ")
        for at, word in self.changes:
            words[at % len(words)] = word
        return line(" ".join(words))


done = st.lists(st.one_of(st.none(), st.none(), damages), max_size=12)
words = st.one_of(st.sampled_from((*map(str, _NUMBERS), *_ODD)), st.integers(0, 10**7).map(str))
lies = st.builds(
    Lie, st.sampled_from("PPHTBSC"), st.integers(0, 10**6), st.lists(st.tuples(st.integers(0, 6), words), max_size=2)
)
buttons = st.sampled_from((0, 0, 0, 1, 2, 3, 4, 5, 6))
evenings = st.lists(st.builds(Moment, buttons, done, st.just([])), max_size=12)
lying_evenings = st.lists(st.builds(Moment, buttons, st.just([]), st.lists(lies, max_size=8)), max_size=12)


def _orders(boot: str, nonce: int) -> list[bytes]:
    asked = f"T {nonce}|A {boot} {nonce % 9}|A 7F3A21B09C4D 3|H 1|H 2|L {nonce % 7} first|L 2 off|C {nonce} 3|S"
    return [line(body) for body in (*asked.split("|"), "U 7F3A21B09C4D")]


orders = st.lists(damaged(_orders(BOOT, 2**31 + 5), most=3), min_size=1, max_size=20).map(b"".join)


# A box, a cable and a clock.


class Box:
    """A box that says its lines by itself, and hears its orders, at the end of a cable that damages what it says."""

    def __init__(self, clock: Clock, evening: list[Moment], boot: str = BOOT) -> None:
        self.clock, self.boot = clock, boot
        self.acked = self.last = 0
        self.pressed: dict[str, Buzzed] = {}
        self.by_chance: set[bytes] = set()
        """What damaged lines say whose checksum is right."""
        self.evening = iter([*evening])
        self._unacked: dict[int, bytes] = {}
        self._said = b""
        self._beat_at = self._repeat_at = 0.0
        self._done: Iterator[Damage | None] = iter(())
        self.over = False

    def now(self) -> int:
        return int(self.clock.now * 1e6)

    @property
    def unacked(self) -> bool:
        return bool(self._unacked)

    def press(self, button: int) -> None:
        self.last += 1
        at = self.now()
        self.pressed[f"pico-{self.boot}-{self.last}"] = Buzzed(button, at / 1e6, 0.0, "")
        self._unacked[self.last] = line(f"P {self.boot} {self.last} {button} {at}")

    def say(self, told: bytes) -> None:
        damage = next(self._done, None)
        given = damage(told) if damage else told
        self.by_chance |= {one.removesuffix(b"\r") for one in given.split(b"\n") if agrees(one.removesuffix(b"\r"))}
        self.by_chance -= {told.rstrip(b"\n")}
        self._said += given

    def read(self) -> bytes:
        """Give what has been said meanwhile; time goes on."""
        self.clock.now += STEP_S
        if self.clock.now >= self._repeat_at:
            self._repeat_at = self.clock.now + REPEAT_S
            self._go_on()
            for press in self._unacked.values():
                self.say(press)
        if self.clock.now >= self._beat_at:
            self._beat_at = self.clock.now + BEAT_S
            self.say(line(f"B {self.boot} {self.now()} {self.last} 0"))
        said, self._said = self._said, b""
        return said

    def _go_on(self) -> None:
        moment = next(self.evening, None)
        self.over = moment is None
        if moment is not None:
            self._done = iter(moment.done)
            if moment.button and len(self._unacked) < protocol.KEPT_AT_MOST:
                self.press(moment.button)
            for lie in moment.lies:
                self.say(lie.told(self))
        else:
            self._done = iter(())

    def write(self, told: bytes) -> None:
        """Hear an order."""
        match told.rpartition(b" *")[0].decode().split(" "):
            case ["H", _]:
                self.say(line(f"H 1 {self.boot} 1.0 6 {self.acked}"))
            case ["T", nonce]:
                self.say(line(f"T {self.boot} {nonce} {self.now()} {self.now()}"))
            case ["A", self.boot, seq] if self.acked < int(seq) <= self.last:
                self.acked = int(seq)
                self._unacked = {number: press for number, press in self._unacked.items() if number > self.acked}

    def close(self) -> None: ...


class Until:
    """A `threading.Event` that is set when the evening is over and all is well, or will never be."""

    def __init__(self, box: Box, well: Callable[[], bool]) -> None:
        self._box, self._well = box, well
        self._late = 0.0

    def is_set(self) -> bool:
        if not self._box.over:
            self._late = self._box.clock.now + SETTLED_S
            return False
        return self._box.clock.now > self._late or (not self._box.unacked and self._well())

    def wait(self, seconds: float) -> bool:
        self._box.clock.now += seconds
        return self.is_set()


def _listen(box: Box, tell: Callable[..., None]) -> Sensing | None:
    """Have the real driver listen until the evening is over; give what it told last of how it works."""
    state: list[Sensing] = []

    def told(*sensings: Sensing) -> None:
        state.extend(one for one in sensings if not isinstance(one, Buzzed))
        tell(*sensings)

    source = Buzzers(port="/dev/nowhere", seats=(1, 2, 3, 4, 5, 6)).open(box.clock)
    with patch("companion.devices.drivers.pico.BoxPort", lambda path: box):
        source.listen(told, Until(box, lambda: bool(state) and isinstance(state[-1], Working)))  # type: ignore[arg-type]
    source.close()
    return state[-1] if state else None


# What must hold.


def _each_press_once(evening: list[Moment]) -> None:
    told: list[Buzzed] = []
    box = Box(Clock(), evening)
    last = _listen(box, lambda *sensings: told.extend(one for one in sensings if isinstance(one, Buzzed)))
    assert isinstance(last, Working), f"it does not work again: {last}"
    assert not box.unacked, "presses are not acknowledged"
    times = Counter(press.origin for press in told)
    for origin in box.pressed:
        assert times[origin] or box.by_chance, f"{origin} is lost"
        assert times[origin] <= 1, f"{origin} is told {times[origin]} times"
    for press in told:
        real = box.pressed.get(press.origin)
        is_so = real and real.seat == press.seat and abs(real.at - press.at) <= press.uncertainty + 0.001
        assert is_so or box.by_chance, f"a press that was none: {press}, it was {real}"


def _believed(live: Live, clock: Clock, folder: Path) -> Callable[[list[Moment]], None]:
    def believed(evening: list[Moment]) -> None:
        number = live.begin("stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
        _listen(Box(clock, evening), live.tell)
        box = Box(clock, [Moment(2, [], [])], boot=f"{number:012X}")  # another one is plugged in
        assert isinstance(_listen(box, live.tell), Working), "after all of them it does not work"
        assert live.ask(lambda match: getattr(match.events[-1], "seat", 0)) == 2, "a press is not recorded"
        with closing(Log(folder / "log.sqlite", writes=False)) as log:
            late = [event for event in log.events(number) if event.at > clock.now]
        assert not late, f"recorded, and yet to come: {late}"

    return believed


# What the firmware is told.


def _firmware(name: str) -> ModuleType:
    """Give a module of the firmware that needs no Pico. Its types are for MicroPython's stubs, not for this Python."""
    module, path = ModuleType(name), FIRMWARE / f"{name}.py"
    exec(compile(path.read_text(), path, "exec", __future__.annotations.compiler_flag), module.__dict__)
    return module


def _read_alike() -> Callable[[bytes], None]:
    """The firmware's own reading of lines, run by this Python: the same files as on the Pico."""
    lines = _firmware("lines")

    def read_alike(given: bytes) -> None:
        cutter = lines.Cutter()
        heard = [told for byte in given + b"\n" if (told := cutter.feed(byte)) is not None]
        assert heard == protocol.LineCutter().feed(given + b"\n"), "the Pi would cut it into other lines"
        for told in heard:
            said = lines.words(told)
            assert bool(said) == agrees(told) or not told.isascii(), f"it reads {said}"
            for word in said:
                try:
                    number = lines.number(word, 2**32 - 1)
                except ValueError:
                    continue
                assert str(number) == word, "a number of several texts"

    return read_alike


def _in_micropython(many: int, quick: bool) -> Iterator[Finding]:
    """The whole firmware in MicroPython's own virtual machine, at the end of a pty."""
    with Pico() as pico, serial.Serial(pico.path, timeout=0.2, write_timeout=PATIENCE) as port:
        boot = _answer(port, "H 1", b"H 1 ").split()[2].decode()
        free = max(_free(port, boot) for _ in range(3))
        pico.press(1, 2, 3)

        def heard(given: bytes) -> None:
            if any(agrees(told) and told.startswith(b"A " + boot.encode()) for told in given.split(b"\n")):
                return  # that would be obeyed, and rightly
            port.write(given + b"\n")
            port.reset_input_buffer()

        damaged_orders = st.lists(damaged(_orders(boot, 2**31 + 5), most=3), min_size=20, max_size=20).map(b"".join)
        yield tried(
            "orders to the whole firmware in MicroPython: it hears all", damaged_orders, heard, many, quick=quick
        )
        again = _answer(port, "H 1", b"H 1 ").split()[2].decode()
        for seq in (1, 2, 3):
            _answer(port, "H 1", f"P {boot} {seq} ".encode())
        # What was heard last is given back when MicroPython next clears up, which asking makes it do.
        left = next((left for _ in range(ASKED) if (left := _free(port, boot)) > free - 4096), 0)
        broken = (again, len(pico.boots)) != (boot, 1) or not left
        besides = f"free memory {free:,} bytes before, {left:,} after; started {len(pico.boots)} times"
        yield Finding("after all of them: no restart, no press forgotten, no memory lost", 3, int(broken), besides)


def _free(port: serial.Serial, boot: str) -> int:
    return int(_answer(port, "S", f"S {boot} ".encode()).split()[4])


def _answer(port: serial.Serial, question: str, begins: bytes) -> bytes:
    """Ask until a line comes that begins so."""
    due = time.monotonic() + PATIENCE
    while time.monotonic() < due:
        port.write(b"\n" + line(question))
        again = time.monotonic() + 1
        while time.monotonic() < again:
            told: bytes = port.readline()
            if told.startswith(begins):
                return told
    raise TimeoutError(f"no answer {begins.decode()} to {question}")
