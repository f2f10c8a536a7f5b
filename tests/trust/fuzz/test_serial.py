"""Serial lines: what a buzzer box says to the real driver, and what the box's firmware is told.

A damaged line is as good as none, unless its checksum agrees by chance: only such a line may tell a press that was
none. Lines whose checksum is right and whose content lies may be believed; nothing may break by them.
"""

import __future__

import tempfile
from binascii import crc_hqx
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st

from companion.devices.buzzer_box import protocol
from companion.devices.buzzer_box.inquiry import Asking
from companion.devices.buzzer_box.protocol import KEPT_AT_MOST
from companion.devices.sensing import Sensing
from companion.events import Player
from companion.storage.log import Log
from tests.devices.hearing import cabled, companion_at, listening
from tests.devices.test_box_protocol import with_crc
from tests.emulators.box_cable import CabledBox
from tests.firmware.pico import Pico
from tests.trust.fuzz import Damage, damaged, damages, promised
from tests.waiting import PATIENCE, until
from tests.web.table import living

FIRMWARE = Path(__file__).parents[3] / "firmware"
BOOT = "7F3A21B09C4E"
SETTLED_S = 40.0
"""Seconds within which all is well again after the last damaged line: the box repeats ten times a second."""
ASKED = 300
"""How often a box is asked for its free memory before some is held to be lost."""
_NUMBERS = (0, 1, 2, 6, 7, 63, 64, 65, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 2**64, 10**19, 10**25)
_ODD = ("", "0", "x", "+1", "007", "1_0", "²", "-1", "é" * 30, "\x00", "7F3A21B09C4D", *"HPBTSCUXAL")


def agrees(told: bytes) -> bool:
    body, star, crc = told.rpartition(b" *")
    return bool(star) and crc == b"%04X" % crc_hqx(body, 0xFFFF)


# What is made up.


class Lie(NamedTuple):
    """A line that a box may have said, with words of it changed; its checksum is right."""

    kind: str
    number: int
    changes: list[tuple[int, str]]


class Moment(NamedTuple):
    """A little while: a button that is pressed, what befalls each line that is said, and lies."""

    button: int
    done: list[Damage | None]
    lies: list[Lie]


words = st.sampled_from((*map(str, _NUMBERS), *_ODD)) | st.integers(0, 10**7).map(str)
lies = st.builds(
    Lie, st.sampled_from("PPHTBSC"), st.integers(0, 10**6), st.lists(st.tuples(st.integers(0, 6), words), max_size=2)
)
buttons = st.sampled_from((0, 0, 0, 1, 2, 3, 4, 5, 6))
done = st.lists(st.none() | st.none() | damages, max_size=12)
evenings = st.lists(st.builds(Moment, buttons, done, st.just([])), max_size=12)
lying_evenings = st.lists(st.builds(Moment, buttons, st.just([]), st.lists(lies, max_size=8)), max_size=12)


def orders(boot: str, size: int) -> st.SearchStrategy[bytes]:
    nonce = 2**31 + 5
    asked = f"T {nonce}|A {boot} {nonce % 9}|A 7F3A21B09C4D 3|H 1|H 2|L {nonce % 7} first|L 2 off|C {nonce} 3|S"
    lines = [with_crc(body.encode()) + b"\n" for body in (*asked.split("|"), "U 7F3A21B09C4D")]
    return st.lists(damaged(lines, most=3), min_size=1, max_size=size).map(b"".join)


class SpoiltBox(CabledBox):
    """A box whose cable damages what it says, and which may lie."""

    def __init__(self, *args: Any, evening: list[Moment]) -> None:
        self.pressed: dict[str, tuple[int, int]] = {}
        """Seat and time of each press, by its origin."""
        self.by_chance: set[bytes] = set()
        """What damaged lines say whose checksum is right."""
        self.over = False
        self._done: Iterator[Damage | None] = iter(())
        super().__init__(*args)
        self.time.go(self._live_through(evening))

    def _live_through(self, evening: list[Moment]) -> Iterator[float]:
        for moment in evening:
            self._done = iter(moment.done)
            if moment.button and self.unacked < KEPT_AT_MOST:
                device = self.press(moment.button)
                self.pressed[f"pico-{self.boot}-{self.last}"] = moment.button, device
            for lie in moment.lies:
                self._write(self._told(lie))
            yield 0.1
        self._done = iter(())
        self.over = True

    def _told(self, lie: Lie) -> bytes:
        now = self.now()
        number = lie.number
        words = {
            "P": f"P {self.boot} {self.last + 1 + number % 64} {1 + number % 6} {max(0, now - number)}",
            "H": f"H 1 {self.boot} 1.0 6 {self.acked}",
            "T": f"T {self.boot} {number} {now} {now}",
            "B": f"B {self.boot} {now} {number} 0",
            "S": f"S {self.boot} ++++++ power 141312 1.27.0",
            "C": f"C {self.boot} {number} {1 + number % 6} closed 6 1480",
        }[lie.kind].split(" ")
        for at, word in lie.changes:
            words[at % len(words)] = word
        return with_crc(" ".join(words).encode()) + b"\n"

    def _write(self, data: bytes) -> None:
        damage = next(self._done, None)
        given = damage(data) if damage else data
        said = {one.removesuffix(b"\r") for one in given.split(b"\n")} - {data.rstrip(b"\n")}
        self.by_chance |= {*filter(agrees, said)}
        super()._write(given)


# What must hold.


@promised(evenings, 75)
def test_of_damaged_lines_each_press_is_told_once_as_it_was_and_no_other(evening: list[Moment]) -> None:
    with cabled(SpoiltBox, evening=evening) as box, companion_at(box, working=False) as table:
        table.until(lambda: box.over and table.works() and not box.unacked, within=SETTLED_S)
    times = Counter(press.origin for press in table.presses)
    for origin in box.pressed:
        assert times[origin] or box.by_chance, f"{origin} is lost"
        assert times[origin] <= 1, f"{origin} is told {times[origin]} times"
    for press in table.presses:
        seat, device = box.pressed.get(press.origin, (0, 0))
        is_so = press.seat == seat and abs(press.at - box.true_time(device)) <= press.uncertainty
        assert is_so or box.by_chance, f"a press that was none: {press}"


@promised(lying_evenings, 30)
def test_whatever_a_box_says_the_table_keeps_what_it_can_judge_again_and_goes_on(evening: list[Moment]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        cabled(SpoiltBox, evening=evening) as box,
        living(Path(folder), box.time.monotonic) as live,
        companion_at(box, working=False) as table,
    ):

        def tell(*sensings: Sensing) -> None:
            table(*sensings)
            live.tell(*sensings)

        table.tell = tell
        live.begin("stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
        table.until(lambda: box.over, within=SETTLED_S)
        box.reboot()
        box.press(2)
        table.until(lambda: table.works() and box.acked == 1, within=SETTLED_S)
        assert live.ask(lambda match: getattr(match.events[-1], "seat", 0)) == 2, "a press is not recorded"
        with closing(Log(Path(folder) / "log.sqlite", writes=False)) as log:
            late = [event for event in log.events(1) if event.at > box.time.now]
        assert not late, f"recorded, and yet to come: {late}"


# What the firmware is told.


def firmware(name: str) -> ModuleType:
    """Return a module of the firmware that needs no Pico. Its types are for MicroPython's stubs, not this Python."""
    module = ModuleType(name)
    path = FIRMWARE / f"{name}.py"
    exec(compile(path.read_text(), path, "exec", __future__.annotations.compiler_flag), module.__dict__)
    return module


LINES = firmware("lines")


@promised(orders(BOOT, 20), 150)
def test_of_damaged_orders_the_firmware_reads_what_the_pi_would_or_nothing(given: bytes) -> None:
    cutter = LINES.Cutter()
    heard = [told for byte in given + b"\n" if (told := cutter.feed(byte)) is not None]
    assert heard == protocol.LineCutter().feed(given + b"\n"), "the Pi would cut it into other lines"
    for told in heard:
        said = LINES.words(told)
        assert bool(said) == agrees(told) or not told.isascii(), f"it reads {said}"
        for word in said:
            try:
                number = LINES.number(word, 2**32 - 1)
            except ValueError:
                continue
            assert str(number) == word, "a number of several texts"


@pytest.mark.trial
def test_of_damaged_orders_the_whole_firmware_forgets_no_press_and_loses_no_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.devices.buzzer_box.inquiry.ANSWER_S", PATIENCE)
    with Pico() as pico:
        with Asking(pico.path) as asking:
            boot = asking.hello().boot
            free = max(asking.test().free for _ in range(3))
            pico.press(1, 2, 3)

            @promised(orders(boot, 20), 15)
            def heard(given: bytes) -> None:
                if not any(agrees(told) and told.startswith(b"A " + boot.encode()) for told in given.split(b"\n")):
                    asking._port.write(given + b"\n")  # the others would be obeyed, and rightly
                    asking._port.read()

            heard()
            assert asking.hello().boot == boot, "it has started again"
            # What was heard last is given back when MicroPython next clears up, which asking makes it do.
            assert any(asking.test().free > free - 4096 for _ in range(ASKED)), "memory is lost"
        with listening(pico.path) as table:
            until(lambda: [press.seat for press in table.presses] == [1, 2, 3])
        assert pico.boots == ["power"]
