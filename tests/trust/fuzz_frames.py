"""Fuzz what PN532 readers answer: real dialogues of emulated chips with the real library and drivers, damaged.

A frame bears two sums of eight bits, no more; where more than one bit is damaged they may be right by chance. Such
frames may tell cards that are not there, and are the only ones that may. A turn that goes on looking is a promise
broken too; so is a reader that does not work again when its wire is well.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple, Protocol
from unittest.mock import patch

from hypothesis import strategies as st

from companion.devices.drivers import pn532_i2c, pn532_spi, pn532_uart
from companion.devices.readers.pn532 import (
    LOOKS_FOR_ACK,
    LOOKS_FOR_ANSWER,
    Bus,
    Connection,
    ReaderFault,
    configure,
    library,
    poll,
)
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import Appeared, Sensing
from companion.events import PHONE
from tests.emulators.pn532 import ACK, ERROR, NACK, Chip, frame, take_frame
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.trust.findings import Finding
from tests.trust.fuzzing import damages, tried

CARDS = ("04A1B2C3D4E5F6", "04FFFFFFFFFFFF", "04000000000001", "01020304", "04112233445566778899")
PHONES = {"08A1B2C3": b"\x78\x80\x70\x02", "04DEADBEEF0102": b"\x75\x77\x81\x02\x80"}
COMMANDS = 12
"""At most in one turn, a new connection included."""
TURN_S = 0.05
"""The clock goes on so much with every turn."""
RECOVERED = 40
"""Turns after which a reader whose wire is well works again."""
_ODD = (ACK, NACK, ERROR, b"", b"\x00", b"\xff" * 80, b"\x00" * 80, b"\x00\xff" * 40, b"\x00\x00\xff\xff\xff\x01\x00")
_OTHERS = tuple(frame(bytes.fromhex(said)) for said in ["D50332010607", "D515", "D533", "D54B00", "D54500", "D5", "7F"])


def trial(quick: bool) -> Iterator[Finding]:
    """Damage frames on each bus."""
    for name, faced, polls, turns in (("UART", _Uart, 150, 80), ("SPI", _Spi, 30, 16), ("I2C", _I2c, 40, 24)):
        many = polls if quick else 400 * polls
        what = f"frames of a PN532 on {name}, damaged: a poll finds no card that is not there, or tells a fault"
        passing = [0]
        yield tried(what, dialogues, _polls(faced, passing), many, quick=quick, besides=_passed(passing))
        many, passing = turns if quick else 200 * turns, [0]
        what = f"frames of a PN532 on {name}, damaged: no card told that is not there, no endless look, and it recovers"
        yield tried(what, dialogues, _turns(faced, passing), many, quick=quick, besides=_passed(passing))


# What is made up.


class Turn(NamedTuple):
    """What lies there, from which of the next frames on there is damage, and what damages one after the other."""

    lying: tuple[str, ...]
    due: int
    spoils: list["Spoil"]


Spoil = Callable[[bytes, bytes], bytes]
"""Makes of a frame, and of the one that was said before it, what arrives."""


@st.composite
def lies(draw: st.DrawFn) -> Spoil:
    """Give a frame whose sums are right, while its content does not hold together: a count or a length that lies."""
    how, number = draw(st.integers(0, 5)), draw(st.sampled_from((0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 40, 255)))
    more = draw(st.binary(min_size=1, max_size=9))

    def lie(data: bytes, before: bytes) -> bytes:
        payload = bytearray(take_frame(data)[0] or b"\xd5")
        if payload[:2] != b"\xd5\x4b" or len(payload) < 8:
            return frame(bytes(payload[:-1]) or b"\xd5")
        match how:
            case 0 | 1 | 2:
                at = (2, 3, 7)[how]  # how many, which, how long a uid
                payload[at] = number if payload[at] != number else number ^ 1
            case 3:
                payload = payload[: max(3, len(payload) - 1 - number)]
            case 4:
                payload += more
            case _:
                payload[number % 2] ^= 1 << number % 8
        return frame(bytes(payload))

    return lie


def _length(said: int) -> Spoil:
    return lambda data, before: data[:3] + bytes((said, -said & 0xFF)) + data[5:] if len(data) > 9 else data


def _without_zeros(many: int) -> Spoil:
    """Lose zeros of what a frame says, which changes no sum."""

    def lose(data: bytes, before: bytes) -> bytes:
        lost = [at for at in range(6, len(data) - 1) if not data[at]][:many]
        return bytes(byte for at, byte in enumerate(data) if at not in lost)

    return lose


spoils = st.one_of(
    damages.map(lambda damage: lambda data, before: damage(data)),
    damages.map(lambda damage: lambda data, before: damage(data)),
    st.sampled_from((*_ODD, *_OTHERS, NACK, NACK)).map(lambda said: lambda data, before: said),
    st.sampled_from((ACK, b"\x00", b"\x01\x02\x03\x04\x05")).map(lambda more: lambda data, before: data + more),
    st.just(lambda data, before: data + data),
    st.just(lambda data, before: before + data),  # late, into the middle of the next command
    st.sampled_from((0, 1, 3, 100, 254, 255)).map(_length),
    st.integers(1, 3).map(_without_zeros),
    lies(),
)
lying = st.sampled_from(((), *((card,) for card in CARDS), *((phone,) for phone in PHONES), CARDS[:2], CARDS[2:4]))
dialogues = st.lists(
    st.builds(Turn, lying, st.sampled_from((0, 0, 1, 1, 2, 3, 5, 8, 13)), st.lists(spoils, max_size=8)), max_size=8
)


class Wire:
    """Between a chip and its bus: damages frames, and knows which of them look right all the same."""

    def __init__(self, beyond: bytes) -> None:
        """`beyond` is what the bus gives after the end of a frame: a wire gives nothing, a clocked bus goes on."""
        self.passing = 0
        self._beyond = beyond
        self._due, self._spoils = 0, iter(list[Spoil]())
        self._before = b""

    def now(self, turn: Turn) -> None:
        self._due, self._spoils = turn.due, iter(turn.spoils)

    def carry(self, data: bytes) -> bytes:
        before, self._before = self._before, data
        self._due -= 1
        spoil = next(self._spoils, None) if self._due < 0 else None
        if spoil is None:
            return data
        told = spoil(data, before)
        payload, _ = take_frame(told + self._beyond)
        is_known = told in (*_OTHERS, ACK, NACK, ERROR)
        self.passing += payload is not None and payload != take_frame(data)[0] and not is_known
        return told


# Where it is said.


class Face(Protocol):
    """A chip on a bus that does not exist; `looks` counts what is asked of the bus."""

    chip: Chip
    wire: Wire
    looks: int
    most_looks: int
    bus: Bus

    def ready(self) -> Any: ...


class _Uart:
    """A chip at the real `Line`, over a pipe in the place of a port: what has not come at once never comes."""

    most_looks = COMMANDS * 6

    def __init__(self) -> None:
        self.wire, self.chip, self.looks = Wire(b""), Chip(radio=0.0), 0
        self.bus = Bus(where="pipe", connect=self._connect, advice="")
        self.chip.to_host = self.wire.carry

    def ready(self) -> Any:
        return patch.object(pn532_uart, "ANSWER_WITHIN", 0.0)

    def _connect(self) -> Connection:
        line = _Pipe(self)
        try:
            return Connection(library("uart").PN532_UART(line), line.close)
        except BaseException:
            line.close()
            raise

    def hear(self, data: bytes) -> bytes:
        return b"".join(reply.data for reply in self.chip.hear(data))


class _Pipe(pn532_uart.Line):
    def __init__(self, uart: _Uart) -> None:
        super().__init__(None, timeout=0)
        self._uart = uart
        self.fd, self._other = os.pipe()
        os.set_blocking(self.fd, False)
        self.pipe_abort_read_r, self._abort = os.pipe()
        self.is_open = True

    @property
    def in_waiting(self) -> int:
        self._uart.looks += 1
        return super().in_waiting

    def read(self, size: int = 1) -> bytes:
        self._uart.looks += 1
        return super().read(size)

    def write(self, data: bytes) -> int:
        os.write(self._other, self._uart.hear(bytes(data)))
        return len(data)

    def reset_input_buffer(self) -> None:
        try:
            while os.read(self.fd, 65536):
                pass
        except BlockingIOError:
            pass

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            for fd in (self.fd, self._other, self.pipe_abort_read_r, self._abort):
                os.close(fd)


class _Asked:
    """A chip on a clocked bus, through the driver's own way to it."""

    def __init__(self, chip: SpiPN532 | I2cPN532, bus: Bus, a_command: int) -> None:
        self.wire, self.chip, self.bus, self.looks = Wire(bytes(80)), chip, bus, 0
        self.most_looks = COMMANDS * (LOOKS_FOR_ACK + LOOKS_FOR_ANSWER + a_command)
        chip.to_host = self.wire.carry

    def counted(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*args: Any) -> Any:
            self.looks += 1
            return ask(*args)

        return counting

    @contextmanager
    def without_pauses(self, *patches: Any) -> Iterator[None]:
        with ExitStack() as stack:
            for one in (patch("companion.devices.readers.pn532.LOOK_EVERY", 0.0), *patches):
                stack.enter_context(one)
            yield


class _Spi(_Asked):
    def __init__(self) -> None:
        super().__init__(SpiPN532(radio=0.0), pn532_spi.bus(pn532_spi.Reader("centre")), 6)

    def ready(self) -> Any:
        spi = EmulatedSpi({"/dev/spidev0.0": self.chip})  # type: ignore[dict-item]
        spi.exchange = self.counted(spi.exchange)  # type: ignore[method-assign]
        device = patch("companion.devices.readers.buses.Spidev", spi.spidev)
        return self.without_pauses(device, patch("tests.emulators.pn532_spi.time"))


class _I2c(_Asked):
    def __init__(self) -> None:
        super().__init__(I2cPN532(radio=0.0), pn532_i2c.bus(pn532_i2c.Reader("centre")), 9)

    def ready(self) -> Any:
        i2c = EmulatedI2c(alone=self.chip)  # type: ignore[arg-type]
        i2c._carry = self.counted(i2c._carry)  # type: ignore[method-assign]
        device = patch("companion.devices.readers.buses.I2cdev", i2c.i2cdev)
        waking = patch.object(pn532_i2c, "_WAKING", 0.0)
        return self.without_pauses(device, waking, patch("tests.emulators.pn532_i2c.time"))


def _lay(chip: Chip, uids: tuple[str, ...]) -> set[str]:
    """Lay these and nothing else; give what they may be told as."""
    chip.clear()
    for uid in uids:
        chip.put(uid, ats=PHONES.get(uid, b""))
    return {PHONE if uid in PHONES else uid for uid in uids}


# What must hold.


def _polls(faced: Callable[[], Face], passing: list[int]) -> Callable[[list[Turn]], None]:
    def polls(dialogue: list[Turn]) -> None:
        face = faced()
        with face.ready():
            connection = face.bus.connect()
            try:
                configure(connection.chip)
                for turn in dialogue:
                    there, before = _lay(face.chip, turn.lying), face.wire.passing
                    face.chip._selected = set()  # as if the field had been off
                    face.wire.now(turn)
                    try:
                        found = {tag.uid for tag in poll(connection.chip)}
                    except ReaderFault:
                        continue
                    assert found <= there or face.wire.passing > before, f"{found} are told where {there} lie"
            finally:
                connection.close()
        passing[0] += face.wire.passing

    return polls


def _turns(faced: Callable[[], Face], passing: list[int]) -> Callable[[list[Turn]], None]:
    def turns(dialogue: list[Turn]) -> None:
        face, now, told = faced(), 0.0, list[Sensing]()
        source = ReaderSource("centre", face.bus, lambda: now)
        quiet = Turn((), 0, [])
        with face.ready():
            for number, turn in enumerate([*dialogue, *[quiet] * RECOVERED, *[Turn(CARDS[:1], 0, [])] * 3]):
                there, before = _lay(face.chip, turn.lying), face.wire.passing
                face.wire.now(turn)
                face.looks = 0
                told.clear() if number <= len(dialogue) + RECOVERED else None
                now += TURN_S
                source.turn(lambda *news: told.extend(news))
                assert face.looks <= face.most_looks, f"it goes on looking, {face.looks} times"
                cards = {news.uid for news in told if isinstance(news, Appeared)}
                assert cards <= there or face.wire.passing > before, f"{cards} are told where {there} lie"
            assert [news.uid for news in told if isinstance(news, Appeared)] == [CARDS[0]], f"it told {told}"
            source.close()
        passing[0] += face.wire.passing

    return turns


def _passed(passing: list[int]) -> Callable[[], str]:
    return lambda: f"{passing[0]:,} frames with right sums by chance"
