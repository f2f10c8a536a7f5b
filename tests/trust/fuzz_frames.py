"""Fuzz what PN532 readers answer: real dialogues of emulated chips with the real library and drivers, damaged.

A frame bears two sums of eight bits, no more; where more than one bit is damaged they may be right by chance. Such
frames are counted, and with them the cards they told that were not there. Any other card that is told wrongly is a
promise broken; so is a turn that goes on looking, and a reader that does not work again.
"""

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from companion.devices.drivers import pn532_i2c, pn532_spi, pn532_uart
from companion.devices.readers import buses, pn532
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
from companion.devices.sensing import Appeared, Crowded, Gone, Sensing, Working
from companion.events import PHONE
from tests.devices.readers import listening
from tests.emulators import pn532_i2c as emulated_i2c
from tests.emulators import pn532_spi as emulated_spi
from tests.emulators.pn532 import ACK, ERROR, NACK, Chip, Reply, UartPN532, frame, take_frame
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.trust.findings import Finding
from tests.trust.fuzzing import Growth, Tried, chance_of, damaged, new_seed, within
from tests.waiting import until

CARDS = ("04A1B2C3D4E5F6", "04FFFFFFFFFFFF", "04000000000001", "01020304", "04112233445566778899")
PHONES = (("08A1B2C3", b"\x78\x80\x70\x02"), ("04DEADBEEF0102", b"\x75\x77\x81\x02\x80"))
ALONE, ANEW = 5, 24
"""Frames of a poll, and of a new connection with the poll after it: one of so many is damaged."""
COMMANDS = 12
"""At most in one turn, a new connection included."""
TURN_S = 0.05
"""The clock goes on so much with every turn."""
HANGS = 20.0
_ODD = (
    ACK,
    NACK,
    ERROR,
    b"",
    b"\x00",
    b"\xff" * 80,
    b"\x00" * 80,
    b"\x00\xff" * 40,
    b"\x00\x00\xff\xff\xff\x01\x00\xff",
)
_OTHERS = tuple(
    frame(bytes.fromhex(payload)) for payload in ("D50332010607", "D515", "D533", "D54B00", "D54500", "D5", "7F")
)


def trial(quick: bool) -> Iterator[Finding]:
    """Damage frames on each bus; some over a pty, with the real pauses."""
    seed = new_seed(quick)
    yield _answered(4_000 if quick else 400_000, seed)
    yield _polled("UART", _Uart, 600 if quick else 40_000, seed)
    yield _polled("SPI", _Spi, 60 if quick else 5_000, seed)
    yield _polled("I2C", _I2c, 150 if quick else 10_000, seed)
    yield _over_a_pty(3 if quick else 100, seed)


class _Spoiler:
    """Between a chip and its bus: damages the frames, and knows which of them look right all the same."""

    def __init__(self, *, beyond: bytes = b"") -> None:
        """`beyond` is what the bus gives after the end of a frame: a wire gives nothing, a clocked bus goes on."""
        self._beyond = beyond
        self.chance: random.Random | None = None
        self.frames = self.spoilt = self.passing = 0
        self.due = -1
        """How many frames go by before the next that is damaged; below zero none is."""
        self.told = b""
        """The frame that was damaged last, as it was told."""
        self._storm = 0
        self._last = b""

    def spoil(self, replies: list[Reply]) -> list[Reply]:
        """Damage some of what the chip replies."""
        if self.chance is None:
            return replies
        if self.chance.random() < 0.02 and self._last:
            replies = [Reply(0.0, self._last), *replies]  # late, into the middle of the next command
        told = [Reply(0.0, self._on_the_way(reply.data, self.chance)) for reply in replies]
        if replies and len(replies[-1].data) > len(ACK):
            self._last = replies[-1].data
        return told

    def _on_the_way(self, data: bytes, chance: random.Random) -> bytes:
        self.frames += 1
        if self._storm:
            self._storm -= 1
            return NACK
        self.due -= 1
        if self.due != -1:
            return data
        self.spoilt += 1
        if len(data) > 9 and chance.random() < 0.2:
            self.told = _lying(data, chance)
            return self.told
        told = self.told = self._damaged(data, chance)
        honest, _ = take_frame(data)
        payload, _ = take_frame(told + self._beyond)
        self.passing += payload is not None and payload != honest and told not in (*_OTHERS, ACK, NACK, ERROR)
        return told

    def _damaged(self, data: bytes, chance: random.Random) -> bytes:
        match chance.randrange(11):
            case 10:
                return _without_zeros(data, chance)
            case 0:
                return chance.choice(_ODD)
            case 1:
                return chance.choice(_OTHERS)
            case 2:
                self._storm = chance.randint(1, 8)
                return NACK
            case 3:
                return data[: chance.randrange(len(data))]
            case 4:
                return data + chance.choice((data, ACK, chance.randbytes(5)))
            case 5:
                return chance.randbytes(chance.randint(1, 12)) + data
            case 6 if len(data) > 9:
                long = chance.choice((0, 1, 3, 100, 254, 255))
                return data[:3] + bytes((long, -long & 0xFF)) + data[5:]
            case 7 | 8:
                at = chance.randrange(len(data))
                return data[:at] + bytes((data[at] ^ 1 << chance.randrange(8),)) + data[at + 1 :]
        return damaged(data, chance)


def _without_zeros(data: bytes, chance: random.Random) -> bytes:
    """Lose zeros of what a frame says, which changes no sum."""
    zeros = [at for at in range(6, len(data) - 1) if not data[at]]
    lost = chance.sample(zeros, min(len(zeros), chance.randint(1, 3)))
    return bytes(byte for at, byte in enumerate(data) if at not in lost)


def _lying(data: bytes, chance: random.Random) -> bytes:
    """Give a frame whose sums are right, while its content does not hold together: a count or a length that lies."""
    payload = bytearray(take_frame(data)[0] or b"\xd5")
    if payload[:2] != b"\xd5\x4b" or len(payload) < 8:
        return frame(bytes(payload[:-1]) or b"\xd5")
    match chance.randrange(6):
        case 5:
            payload[3] = chance.choice((0, 2, 3, 255))
        case 0:
            payload[2] = chance.choice([n for n in (0, 1, 2, 3, 9, 255) if n != payload[2]])
        case 1:
            payload[7] = chance.choice([n for n in (0, 1, 3, 4, 5, 7, 8, 10, 11, 40, 255) if n != payload[7]])
        case 2:
            payload = payload[: chance.randrange(3, len(payload))]
        case 3:
            payload += chance.randbytes(chance.randint(1, 9))
        case _:
            payload[0 if chance.random() < 0.5 else 1] ^= 1 << chance.randrange(8)
    return frame(bytes(payload))


class _Uart:
    """A chip at the real `Line`, over a pipe in the place of a port: what has not come at once never comes."""

    def __init__(self, spoiler: _Spoiler) -> None:
        self.chip, self.looks = Chip(radio=0.0), 0
        self._spoiler = spoiler
        self.bus = Bus(where="pipe", connect=self._connect, advice="")

    def most_looks(self) -> int:
        return COMMANDS * 6

    @contextmanager
    def ready(self) -> Iterator[None]:
        with _set((pn532_uart, "ANSWER_WITHIN", 0.0)):
            yield

    def _connect(self) -> Connection:
        line = _Wire(self)
        try:
            return Connection(library("uart").PN532_UART(line), line.close)
        except BaseException:
            line.close()
            raise

    def hear(self, data: bytes) -> bytes:
        return b"".join(reply.data for reply in self._spoiler.spoil(self.chip.hear(data)))


class _Wire(pn532_uart.Line):
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


class _SpoiltSpi(SpiPN532):
    spoiler: _Spoiler

    def hear(self, data: bytes) -> list[Reply]:
        return self.spoiler.spoil(super().hear(data))


class _SpoiltI2c(I2cPN532):
    spoiler: _Spoiler

    def hear(self, data: bytes) -> list[Reply]:
        return self.spoiler.spoil(super().hear(data))


class _Spi:
    """A chip on SPI, through the driver's own `Line`."""

    def __init__(self, spoiler: _Spoiler) -> None:
        self.chip, self.looks = _SpoiltSpi(radio=0.0), 0
        self.chip.spoiler = spoiler
        self._spi = EmulatedSpi({"/dev/spidev0.0": self.chip})
        self.bus = pn532_spi.bus(pn532_spi.Reader("centre"))

    def most_looks(self) -> int:
        return COMMANDS * (LOOKS_FOR_ACK + LOOKS_FOR_ANSWER + 6)

    @contextmanager
    def ready(self) -> Iterator[None]:
        exchange = self._spi.exchange

        def counted(data: bytes, speed: int) -> bytes:
            self.looks += 1
            return exchange(data, speed)

        self._spi.exchange = counted  # type: ignore[method-assign]
        with _set((buses, "Spidev", self._spi.spidev), (emulated_spi, "time", _NoTime), (pn532, "LOOK_EVERY", 0.0)):
            yield


class _I2c:
    """A chip on I2C, through the driver's own `Channel`."""

    def __init__(self, spoiler: _Spoiler) -> None:
        self.chip, self.looks = _SpoiltI2c(radio=0.0), 0
        self.chip.spoiler = spoiler
        self._i2c = EmulatedI2c(alone=self.chip)
        self.bus = pn532_i2c.bus(pn532_i2c.Reader("centre"))

    def most_looks(self) -> int:
        return COMMANDS * (LOOKS_FOR_ACK + LOOKS_FOR_ANSWER + 9)

    @contextmanager
    def ready(self) -> Iterator[None]:
        carry = self._i2c._carry

        def counted(count: int) -> None:
            self.looks += 1
            carry(count)

        self._i2c._carry = counted  # type: ignore[method-assign]
        with _set(
            *((buses, "I2cdev", self._i2c.i2cdev), (emulated_i2c, "time", _NoTime)),
            *((pn532, "LOOK_EVERY", 0.0), (pn532_i2c, "_WAKING", 0.0)),
        ):
            yield


class _NoTime:
    """Stands in for `time` in an emulated bus: bytes travel at once."""

    sleep = staticmethod(lambda seconds: None)


@contextmanager
def _set(*values: tuple[Any, str, Any]) -> Iterator[None]:
    before = [(where, name, getattr(where, name)) for where, name, _ in values]
    for where, name, value in values:
        setattr(where, name, value)
    try:
        yield
    finally:
        for where, name, value in before:
            setattr(where, name, value)


Kind = Callable[[_Spoiler], _Uart | _Spi | _I2c]


def _answered(many: int, seed: int) -> Finding:
    """One poll after the other, faults or not: what comes of a single damaged frame."""
    tried, growth, spoiler = (
        Tried("frames of a PN532, damaged, poll by poll: no card in them that is not there", seed),
        Growth(),
        _Spoiler(),
    )
    face, false, faults = _Uart(spoiler), 0, 0
    with face.ready():
        connection = face.bus.connect()
        configure(connection.chip)
        for number in range(many):
            if number == many // 2:
                growth.halfway()
            spoiler.chance = chance = chance_of(seed, number)
            _lay(face.chip, chance)
            face.chip._selected = set()  # as if the field had been off
            spoiler.due, passing = chance.choice((0, 1, 1, 1)), spoiler.passing
            tried.tried += 1
            try:
                with within(HANGS):
                    found = poll(connection.chip)
            except ReaderFault:
                faults += 1
                continue
            except Exception as wrong:
                tried.broke(number, f"{type(wrong).__name__}: {wrong}", spoiler.told)
                continue
            if not {tag.uid for tag in found} <= _lying_there(face.chip):
                false += 1
                if spoiler.passing == passing:
                    tried.broke(number, f"a card that is not there, {found[0].uid}", spoiler.told)
        grown = growth.seen(tried)
        connection.close()
    passed = f"{spoiler.passing:,} with right sums, which told {false:,} cards wrongly"
    return tried.finding(passed, f"{faults:,} faults", grown)


def _polled(name: str, kind: Kind, many: int, seed: int) -> Finding:
    tried, growth, spoiler = (
        Tried(f"frames of a PN532 on {name}, damaged: no card told that is not there", seed),
        Growth(),
        _Spoiler(beyond=b"" if kind is _Uart else bytes(80)),
    )
    face, now, told = kind(spoiler), 0.0, list[Sensing]()
    source = ReaderSource("centre", face.bus, lambda: now)
    false, most, faults, halved, number = 0, 0, 0, False, 0
    with face.ready():
        while spoiler.spoilt < many:
            number += 1
            spoiler.chance = chance = chance_of(seed, number)
            spoiler.due = chance.randrange(ALONE if source._working else ANEW) if chance.random() < 0.8 else -1
            _lay(face.chip, chance)
            if not halved and spoiler.spoilt >= many // 2:
                halved = True
                growth.halfway()
            now += TURN_S
            face.looks, passing = 0, spoiler.passing
            told.clear()
            try:
                with within(HANGS):
                    source.turn(lambda *news: told.extend(news))
            except Exception as wrong:
                tried.broke(number, f"{type(wrong).__name__}: {wrong}", spoiler.told)
            most = max(most, face.looks)
            faults += not source._working
            if face.looks > face.most_looks():
                tried.broke(number, "it goes on looking", face.looks)
            for news in told:
                if _was_not(news, face.chip):
                    if spoiler.passing == passing and isinstance(news, Appeared):
                        tried.broke(number, f"told what is not there, {news.uid}", spoiler.told)
                    false += 1
        grown = growth.seen(tried)
        spoiler.chance = None
        face.chip.clear()
        for _ in range(40):
            now += TURN_S
            source.turn(lambda *news: None)
        face.chip.put(CARDS[0])
        told.clear()
        for _ in range(3):
            now += TURN_S
            source.turn(lambda *news: told.extend(news))
        if [news.uid for news in told if isinstance(news, Appeared)] != [CARDS[0]]:
            tried.broke(number, "after all of them a card is not told", told)
        source.close()
    tried.tried = spoiler.spoilt
    return tried.finding(
        f"{spoiler.passing:,} of them with right sums, which told {false:,} cards wrongly",
        f"{faults:,} of {number:,} turns a fault",
        f"at most {most} looks a turn",
        grown,
    )


def _lay(chip: Chip, chance: random.Random) -> None:
    """Lay a card, or two, or a phone, or take all away, now and then."""
    match chance.randrange(60):
        case 0 | 1:
            chip.swap(chance.choice(CARDS))
        case 2 | 3:
            chip.clear()
        case 4:
            chip.put(chance.choice(CARDS))
        case 5:
            chip.clear()
            uid, ats = chance.choice(PHONES)
            chip.put(uid, ats=ats)


def _was_not(news: Sensing, chip: Chip) -> bool:
    """Whether this is told of what does not lie there; of what has gone, whether it still lies."""
    lying = _lying_there(chip)
    match news:
        case Appeared(uid=uid):
            return uid not in lying
        case Gone(uid=uid):
            return lying == {uid}
        case Crowded():
            return len(chip._tags) < 2
    return False


def _lying_there(chip: Chip) -> set[str]:
    return {PHONE if ats else uid for uid, ats in chip._tags.items()}


class _SpoiltUart(UartPN532):
    spoiler: _Spoiler

    def hear(self, data: bytes) -> list[Reply]:
        return self.spoiler.spoil(super().hear(data))


def _over_a_pty(many: int, seed: int) -> Finding:
    tried = Tried("turns of a PN532 behind a pty, with real pauses, while frames are damaged: it works again", seed)
    with _SpoiltUart() as chip:
        chip.spoiler = spoiler = _Spoiler()
        source = pn532_uart.Reader("centre", chip.path).open(time.monotonic)
        with listening(source) as told:
            until(lambda: any(isinstance(news, Working) for news in told))
            for number in range(many):
                chip.swap(CARDS[number % 2])
                goal = spoiler.frames + 6
                spoiler.chance, spoiler.due = chance_of(seed, number), number % ALONE
                until(lambda goal=goal: spoiler.frames >= goal)
                spoiler.chance = None
                tried.tried += 1
                try:
                    until(lambda: source._working and {source._presence.uid} == _lying_there(chip))
                except AssertionError:
                    tried.broke(number, "it does not work again", told[-3:])
                    break
    return tried.finding(f"{spoiler.spoilt} frames damaged")
