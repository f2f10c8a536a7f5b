"""Fuzz serial lines: what a buzzer box says to the real driver over a pty, and what the box's firmware is told.

A damaged line is as good as none, unless its checksum agrees by chance: those are counted, and are the only ones that
may come through. Lines whose checksum is right and whose content lies may be believed; nothing may break by them.
"""

import __future__

import os
import random
import sys
import tempfile
import time
from binascii import crc_hqx
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType

import serial

from companion.devices.box import protocol
from companion.devices.sensing import Buzzed, Failed, Working
from companion.events import Player
from companion.storage.log import Log, LogFault
from tests.devices.hearing import Table, listening
from tests.emulators.box import EmulatedBox
from tests.firmware.pico import Pico
from tests.trust.findings import Finding
from tests.trust.fuzzing import Growth, Tried, chance_of, damaged, new_seed
from tests.waiting import until
from tests.web.table import living

FIRMWARE = Path(__file__).parents[2] / "firmware"
TOGETHER = 20
"""Lines poured at once, between two looks at what came of them."""
PRESSED_EVERY = 200
SETTLED = 40.0
"""Seconds within which all is well again after the last damaged line: the box repeats ten times a second."""
_NUMBERS = (0, 1, 2, 6, 7, 63, 64, 65, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 2**64, 10**19, 10**25)
_KINDS = "HPBTSCUXAL"


def trial(quick: bool) -> Iterator[Finding]:
    """Damage what the box says, have it lie, and damage what it is told."""
    seed = new_seed(quick)
    yield _damaged_lines(12_000 if quick else 1_000_000, seed)
    yield _lying_lines(3_000 if quick else 200_000, seed)
    yield _orders(20_000 if quick else 1_000_000, seed)
    yield _orders_in_micropython(600 if quick else 50_000, seed)


class _Box(EmulatedBox):
    """A box through whose cable other bytes come too."""

    def pour(self, data: bytes) -> None:
        """Send these bytes, as fast as they are read; what the box itself says falls in between."""
        due = time.monotonic() + SETTLED
        while data:
            with self._lock:
                try:
                    data = data[os.write(self._master, data) :]
                    due = time.monotonic() + SETTLED
                    continue
                except BlockingIOError:
                    pass
            if time.monotonic() > due:
                raise TimeoutError("nobody reads any more")
            time.sleep(0.0005)

    def says(self, chance: random.Random) -> bytes:
        """Give a line that this box may truly have said: an old one, or one that is on its way again."""
        with self._lock:
            boot, now = self.boot, self.now()
            at, seq = max(0, now - chance.randrange(10**6)), chance.randint(0, self.last)
            match chance.randrange(8):
                case 0 | 1 | 2 if self._unacked:
                    body = "P {} {} {} {}".format(boot, *chance.choice(self._unacked))
                case 3:
                    body = f"H 1 {boot} 1.0-emulated 6 {self.acked}"
                case 4:
                    body = f"T {boot} {chance.getrandbits(32)} {at} {now}"
                case 5:
                    body = f"S {boot} ++++++ power 141312 1.27.0"
                case 6:
                    body = f"C {boot} {chance.getrandbits(32)} {chance.randint(1, 6)} closed 6 1480"
                case _:
                    body = f"B {boot} {at} {seq} 0"
        return _line(body)


def _line(body: str) -> bytes:
    return f"{body} *{crc_hqx(body.encode(), 0xFFFF):04X}\n".encode()


def _intact(data: bytes) -> set[bytes]:
    """Give what the lines among these bytes say whose checksum agrees."""
    lines = (line.removesuffix(b"\r") for line in data.split(b"\n"))
    return {line.rpartition(b" *")[0] for line in lines if _agrees(line)}


def _agrees(line: bytes) -> bool:
    body, star, crc = line.rpartition(b" *")
    return bool(star) and crc == b"%04X" % crc_hqx(body, 0xFFFF)


def _damaged_lines(many: int, seed: int) -> Finding:
    tried = Tried("lines of a buzzer box, damaged: each press told once, as it was, and no other", seed)
    growth, collisions, table = Growth(), 0, _Checks()
    with _Box() as box, listening(box.path, table):
        while tried.tried < many:
            chance = chance_of(seed, tried.tried)
            if tried.tried % PRESSED_EVERY == 0:
                button = chance.randint(1, 6)
                at = box.press(button)
                table.pressed[f"pico-{box.boot}-{box.last}"] = button, box.true_time(at)
                until(lambda: box.unacked < 32)
            honest = [box.says(chance) for _ in range(TOGETHER)]
            given = b"".join(damaged(line, chance, most=3) for line in honest)
            given += b"" if chance.random() < 0.1 else b"\n"
            collisions += len(_intact(given) - _intact(b"".join(honest)))
            tried.tried += TOGETHER
            if many // 2 <= tried.tried < many // 2 + TOGETHER:
                growth.halfway()
            try:
                box.pour(given)
            except TimeoutError as wrong:
                tried.broke(tried.tried, str(wrong), given)
                break
        grown = growth.seen(tried)
        settled = time.monotonic() + SETTLED
        while time.monotonic() < settled and (box.unacked or not isinstance(table.told[-1], Working)):
            time.sleep(0.01)
        last = box.last
    odd = table.odd()
    if lost := [origin for origin in table.pressed if not table.seen[_number(origin)]]:
        tried.broke(many, "presses are lost", lost)
    if table.twice:
        tried.broke(many, "presses are told twice", table.twice)
    if len(odd) > collisions:
        tried.broke(many, "a press that was none", odd)
    if not isinstance(table.told[-1], Working):
        tried.broke(many, "it does not work again", table.told[-1])
    passed = f"{collisions} damaged lines with a right checksum, which told {len(odd)} presses"
    return tried.finding(f"{last:,} presses meanwhile", passed, f"{table.faults} faults told", grown)


class _Checks(Table):
    """Compares each press it is told with what was pressed, and keeps no more of it than that it came."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.pressed: dict[str, tuple[int, float]] = {}
        """Button and true time of those that are not told yet, by what names them for ever."""
        self.seen = bytearray(1_000_000)
        self.twice = self.faults = 0
        self._unmatched: list[Buzzed] = []

    def __call__(self, *sensings: object) -> None:
        for one in sensings:
            if isinstance(one, Buzzed):
                self.twice += self.seen[_number(one.origin)]
                self.seen[_number(one.origin)] = 1
                self._match(one)
            else:
                self.faults += isinstance(one, Failed)
                self.told = [*self.told[-20:], one]

    def _match(self, press: Buzzed) -> None:
        button, at = self.pressed.get(press.origin, (0, 0.0))
        if button == press.seat and abs(press.at - at) <= press.uncertainty + 0.001:
            del self.pressed[press.origin]
        else:
            self._unmatched.append(press)

    def odd(self) -> list[Buzzed]:
        """Give what was told and never pressed so; what was told before it was noted here is looked at again."""
        again, self._unmatched = self._unmatched, []
        for press in again:
            self._match(press)
        return self._unmatched


def _number(origin: str) -> int:
    """Give a press's number; of one with an absurd number the last that there is room for."""
    return min(int(origin.rpartition("-")[2]), 999_999)


def _lie(box: _Box, chance: random.Random) -> bytes:
    """Give a line with a right checksum that no box would say: a press that was none, or odd words."""
    if chance.random() < 0.2:
        at = chance.choice((0, box.now(), box.now() + 10**7, 2**63, 2**64 - 1, max(0, box.now() - 10**6)))
        return _line(f"P {box.boot} {box.last + chance.randint(1, 64)} {chance.randint(1, 6)} {at}")
    body = box.says(chance).rpartition(b" *")[0].decode()
    words = body.split(" ")
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(words))
        match chance.randrange(6):
            case 0:
                words[at] = str(chance.choice(_NUMBERS))
            case 1:
                words[at] = f"{chance.getrandbits(48):012X}"
            case 2:
                words.insert(at, chance.choice(("", "0", "x", "+1", "007", "1_0", "²", "-1", "é" * 30, "\x00")))
            case 3 if len(words) > 1:
                del words[at]
            case 4:
                words[0] = chance.choice(_KINDS)
            case _ if words[at].isascii() and words[at].isdigit():
                words[at] = str(int(words[at]) + chance.choice((-1, 1, 60, 10**6, 10**9)))
    return _line(" ".join(words))


def _lying_lines(many: int, seed: int) -> Finding:
    tried = Tried(
        "lines of a box that lies, checksum and all: the table keeps what it can judge again, and goes on", seed
    )
    growth = Growth()
    with tempfile.TemporaryDirectory() as folder, living(Path(folder), time.monotonic) as live:
        live.begin("stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
        table = _Into(live.tell)
        with _Box() as box, listening(box.path, table):
            while tried.tried < many:
                chance = chance_of(seed, tried.tried)
                lies = [_lie(box, chance) for _ in range(TOGETHER)]
                if chance.random() < 0.02:
                    box.press(chance.randint(1, 6))
                if tried.tried % 20_000 == 0:
                    live.begin("stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
                tried.tried += TOGETHER
                if many // 2 <= tried.tried < many // 2 + TOGETHER:
                    growth.halfway()
                try:
                    box.pour(b"".join(lies))
                except TimeoutError as wrong:
                    tried.broke(tried.tried, str(wrong), lies)
                    break
            grown = growth.seen(tried)
            box.reboot()
            box.press(2)
            until(lambda: not box.unacked)
            if [press.seat for press in table.presses if box.boot in press.origin] != [2]:
                tried.broke(many, "after all of them a press is not told, once", table.presses[-3:])
            if live.ask(lambda match: getattr(match.events[-1], "seat", 0)) != 2:
                tried.broke(many, "after all of them a press is not recorded", table.presses[-3:])
        with closing(Log(Path(folder) / "log.sqlite", writes=False)) as log:
            for match in log.matches():
                try:
                    late = [event for event in log.events(match.id) if event.at > live.clock()]
                except LogFault as wrong:
                    tried.broke(many, str(wrong), log.lines(match.id))
                    continue
                if late:
                    tried.broke(many, "a press was recorded that is yet to come", late[0])
    return tried.finding(f"{len(table.presses):,} presses believed", grown)


class _Into(Table):
    """Hands what it is told to a real table, and remembers presses."""

    def __init__(self, tell: object) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._tell = tell

    def __call__(self, *sensings: object) -> None:
        self._tell(*sensings)  # type: ignore[operator]
        self.told += [one for one in sensings if not isinstance(one, Buzzed)][-1:]
        self.calls = self.calls[-1:]
        self.told = [*self.state[-5:], *([*self.presses, *(one for one in sensings if isinstance(one, Buzzed))])]


# What the firmware is told.


def _firmware(name: str) -> ModuleType:
    """Give a module of the firmware that needs no Pico. Its types are for MicroPython's stubs, not for this Python."""
    module, path = ModuleType(name), FIRMWARE / f"{name}.py"
    exec(compile(path.read_text(), path, "exec", __future__.annotations.compiler_flag), module.__dict__)
    return module


@contextmanager
def _named(name: str) -> Iterator[ModuleType]:
    """Give such a module while others of the firmware may import it by its name."""
    before, module = sys.modules.get(name), _firmware(name)
    sys.modules[name] = module
    try:
        yield module
    finally:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before


def _order(boot: str, chance: random.Random) -> bytes:
    nonce = chance.getrandbits(32)
    return _line(
        chance.choice(
            (
                *(
                    f"T {nonce}",
                    f"A {boot} {chance.randint(0, 9)}",
                    f"A 7F3A21B09C4D {chance.randint(0, 9)}",
                    "H 1",
                    "H 2",
                ),
                *(f"L {chance.randint(1, 6)} first", "L 2 off", f"C {nonce} {chance.randint(1, 6)}", "U 7F3A21B09C4D"),
            )
        )
    )


def _orders(many: int, seed: int) -> Finding:
    """The firmware's own reading of lines, run by this Python: the same files as on the Pico."""
    tried, growth, collisions = (
        Tried("orders to the box, damaged: its firmware reads what the Pi reads, or nothing", seed),
        Growth(),
        0,
    )
    with _named("lines") as lines:
        presses = _firmware("presses").Presses("7F3A21B09C4E")
    for at in range(70):
        presses.add(at, 1)
    cutter, ours = lines.Cutter(), protocol.LineCutter()
    while tried.tried < many:
        chance = chance_of(seed, tried.tried)
        honest = [_order("7F3A21B09C4E", chance) for _ in range(TOGETHER)]
        given = b"".join(damaged(line, chance, most=3) for line in honest) + b"\n"
        collisions += len(_intact(given) - _intact(b"".join(honest)))
        tried.tried += TOGETHER
        if many // 2 <= tried.tried < many // 2 + TOGETHER:
            growth.halfway()
        try:
            heard = [line for byte in given if (line := cutter.feed(byte)) is not None]
            for line in heard:
                said = lines.words(line)
                if bool(said) != _agrees(line) and line.isascii():
                    tried.broke(tried.tried, f"it reads {said}", line)
                for word in said:
                    try:
                        if str(lines.number(word, 2**32 - 1)) != word:
                            tried.broke(tried.tried, "a number of several texts", word)
                    except ValueError:
                        continue
            if heard != ours.feed(given):
                tried.broke(tried.tried, "the Pi would cut it into other lines", given)
        except Exception as wrong:
            tried.broke(tried.tried, repr(wrong), given)
    if len(presses.lines()) != 64:
        tried.broke(many, "presses were forgotten", len(presses.lines()))
    return tried.finding(f"{collisions} damaged lines with a right checksum", growth.seen(tried))


def _orders_in_micropython(many: int, seed: int) -> Finding:
    """The whole firmware in MicroPython's own virtual machine, at the end of a pty."""
    tried = Tried("orders to the whole firmware in MicroPython: no restart, no press forgotten, no memory lost", seed)
    with Pico() as pico, serial.Serial(pico.path, timeout=0.2, write_timeout=60) as port:
        boot = _answer(port, "H 1", b"H 1 ").split()[2].decode()
        free = max(_free(port, boot) for _ in range(3))
        pico.press(1, 2, 3)
        while tried.tried < many:
            chance = chance_of(seed, tried.tried)
            honest = [_order(boot, chance) for _ in range(TOGETHER)]
            given = b"".join(damaged(line, chance, most=3) for line in honest) + b"\n"
            tried.tried += TOGETHER
            if any(body.startswith(b"A " + boot.encode()) for body in _intact(given)):
                continue  # that would be obeyed, and rightly
            port.write(given)
            port.reset_input_buffer()
        try:
            again = _answer(port, "H 1", b"H 1 ").split()[2].decode()
            if (again, len(pico.boots)) != (boot, 1):
                tried.broke(many, "it has started again", pico.boots)
            for seq in (1, 2, 3):
                _answer(port, "H 1", f"P {boot} {seq} ".encode())
            if (left := max(_free(port, boot) for _ in range(3))) < free - 4096:
                tried.broke(many, "memory is lost", free - left)
        except TimeoutError as wrong:
            tried.broke(many, str(wrong), pico.boots)
            left = 0
    return tried.finding(f"free memory {free:,} bytes before, {left:,} after")


def _free(port: serial.Serial, boot: str) -> int:
    return int(_answer(port, "S", f"S {boot} ".encode()).split()[4])


def _answer(port: serial.Serial, question: str, begins: bytes) -> bytes:
    """Ask until a line comes that begins so."""
    due = time.monotonic() + 60
    while time.monotonic() < due:
        port.write(b"\n" + _line(question))
        again = time.monotonic() + 1
        while time.monotonic() < again:
            line: bytes = port.readline()
            if line.startswith(begins):
                return line
    raise TimeoutError(f"no answer {begins.decode()} to {question}")
