"""What PN532 readers answer: real dialogues of emulated chips with the real library and drivers, damaged.

A frame bears two sums of eight bits, no more; where more than one bit is damaged they may be right by chance. Such
frames may tell cards that are not there, and are the only ones that may.
"""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from companion.devices.drivers import pn532_i2c, pn532_spi, pn532_uart
from companion.devices.readers.pn532 import (
    REST_FOR_ACK,
    REST_FOR_ANSWER,
    ReaderFault,
    configure,
    read_tags,
    search,
)
from companion.devices.sensing import Appeared
from companion.events import PHONE
from tests.devices.readers import Table, alone, uids
from tests.emulators.pn532 import ACK, ERROR, NACK, Chip, frame, take_frame
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.emulators.pn532_uart import EmulatedPorts
from tests.trust.fuzz import damages, promised

CARDS = ("04A1B2C3D4E5F6", "04FFFFFFFFFFFF", "04000000000001", "01020304", "04112233445566778899")
PHONES = {"08A1B2C3": b"\x78\x80\x70\x02", "04DEADBEEF0102": b"\x75\x77\x81\x02\x80"}
A_TURN_S = 12 * (REST_FOR_ACK + REST_FOR_ANSWER)
"""At most twelve commands, a new connection included."""
RECOVERED = 40
"""Turns after which a reader whose wire is well works again."""
_ODD = (ACK, NACK, ERROR, b"", b"\x00", b"\xff" * 80, b"\x00" * 80, b"\x00\xff" * 40, b"\x00\x00\xff\xff\xff\x01\x00")
_OTHERS = tuple(frame(bytes.fromhex(said)) for said in ["D50332010607", "D515", "D533", "D54B00", "D54500", "D5", "7F"])


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
    """Return a frame whose sums are right, while its content does not hold together: a count or a length that lies."""
    how = draw(st.integers(0, 5))
    number = draw(st.sampled_from((0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 40, 255)))
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

    def __init__(self, chip: Chip, beyond: bytes) -> None:
        self.passing = 0
        self._beyond = beyond
        chip.to_host = self.carry
        self._due, self._spoils = 0, iter(list[Spoil]())
        self._before = b""

    def now(self, turn: Turn) -> None:
        self._due, self._spoils = turn.due, iter(turn.spoils)

    def carry(self, data: bytes) -> bytes:
        before = self._before
        self._before = data
        self._due -= 1
        spoil = next(self._spoils, None) if self._due < 0 else None
        if spoil is None:
            return data
        told = spoil(data, before)
        payload, _ = take_frame(told + self._beyond)
        is_known = told in (*_OTHERS, ACK, NACK, ERROR)
        self.passing += payload is not None and payload != take_frame(data)[0] and not is_known
        return told


# What must hold, on each bus.


def on_uart() -> Table:
    chip = Chip(radio=0.0)
    return alone(EmulatedPorts({"/dev/ttyUSB0": chip}), chip, pn532_uart.Reader("centre", "/dev/ttyUSB0"))


def on_spi() -> Table:
    chip = SpiPN532(radio=0.0)
    return alone(EmulatedSpi({"/dev/spidev0.0": chip}), chip, pn532_spi.Reader("centre"))


def on_i2c() -> Table:
    chip = I2cPN532(radio=0.0)
    return alone(EmulatedI2c(alone=chip), chip, pn532_i2c.Reader("centre"))


WIRED = {on_uart: b"", on_spi: bytes(80), on_i2c: bytes(80)}
"""And what the bus gives after the end of a frame: a wire gives nothing, a clocked bus goes on."""
every_bus = pytest.mark.parametrize("wired", WIRED, ids=lambda wired: wired.__name__)


def lay(chip: Chip, uids: tuple[str, ...]) -> set[str]:
    """Lay these and nothing else; give what they may be told as."""
    chip.clear()
    for uid in uids:
        chip.put(uid, ats=PHONES.get(uid, b""))
    return {PHONE if uid in PHONES else uid for uid in uids}


@every_bus
@promised(dialogues, 40)
def test_a_poll_finds_no_card_that_is_not_there(wired: Callable[[], Table], dialogue: list[Turn]) -> None:
    with wired().set_up() as table:
        chip = table.chips["centre"]
        wire = Wire(chip, WIRED[wired])
        connection = table.sources[0]._bus.connect(0)
        try:
            configure(connection.chip)
            for turn in dialogue:
                there = lay(chip, turn.lying)
                before = wire.passing
                chip._selected = set()  # as if the field had been off
                wire.now(turn)
                try:
                    search(connection.chip, 2)
                    told = {tag.uid for tag in read_tags(connection.chip)}
                except ReaderFault:
                    break  # nobody asks on over that connection
                assert told <= there or wire.passing > before, f"{told} are told where {there} lie"
        finally:
            connection.close()


@every_bus
@promised(dialogues, 20)
def test_no_card_is_told_that_was_not_there_and_a_reader_recovers(
    wired: Callable[[], Table], dialogue: list[Turn]
) -> None:
    """One that was seen once may be told when what lay there before it has not been seen since."""
    with wired().set_up() as table:
        chip, [source] = table.chips["centre"], table.sources
        lain: set[str] = set()
        wire = Wire(chip, WIRED[wired])
        rest = [Turn((), 0, [])] * RECOVERED
        for number, turn in enumerate([*dialogue, *rest, *[Turn(CARDS[:1], 0, [])] * 3]):
            lain |= lay(chip, turn.lying)
            wire.now(turn)
            if number <= len(dialogue) + RECOVERED:
                table.told.clear()
            table.time.sleep(0.05)
            began = table.time.now
            source.turn(table.tell)
            assert table.time.now - began <= A_TURN_S, "it goes on looking"
            cards = {*uids(table.told, Appeared)}
            assert cards <= lain or wire.passing, f"{cards} are told where {lain} lay"
        assert uids(table.told, Appeared) == [CARDS[0]], f"it told {table.told}"
