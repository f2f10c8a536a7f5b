"""What other people's PN532 really sent, each on every bus: `pn532.jsonl`, from public issues, captures and sources.

A line with "lies there" is an answer to a search; the others came, somewhere, where an ACK or such an answer was due.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.devices.drivers import pn532_i2c, pn532_spi, pn532_uart
from companion.devices.sensing import Appeared, Crowded, Gone, Working
from companion.events import PHONE
from tests.devices.readers import CARD, Table, alone, kinds, uids
from tests.emulators.pn532 import Chip, Reply
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.emulators.pn532_uart import EmulatedPorts

TRACES = [json.loads(line) for line in (Path(__file__).parent / "pn532.jsonl").read_text().splitlines()]
LISTINGS = [trace for trace in TRACES if "lies there" in trace]
STRAYS = [trace for trace in TRACES if "lies there" not in trace]


class Recorded(Chip):
    """Says at one search, or in the place of one ACK, what was recorded, and at others what lies there."""

    listing = listed = ack = b""

    def _listing(self, most: int) -> list[Reply]:
        self.listed = self.listing
        self.listing = b""
        return super()._listing(most)

    def _answer(self, payload: bytes, delay: float = 0.0) -> list[Reply]:
        listed = self.listed if payload.startswith(b"\xd5\x4b") else b""
        return [Reply(reply.after, listed or reply.data) for reply in super()._answer(payload, delay)]

    def _ack(self) -> Reply:
        recorded = self.ack
        self.ack = b""
        return Reply(0.0, recorded) if recorded else super()._ack()


class RecordedSpi(Recorded, SpiPN532):
    """On SPI."""


class RecordedI2c(Recorded, I2cPN532):
    """On I2C."""


def on_uart() -> Table:
    chip = Recorded()
    return alone(EmulatedPorts({"tty": chip}), chip, pn532_uart.Reader("pad", "tty"))


def on_spi() -> Table:
    chip = RecordedSpi()
    return alone(EmulatedSpi({"/dev/spidev0.0": chip}), chip, pn532_spi.Reader("pad"))


def on_i2c() -> Table:
    chip = RecordedI2c()
    return alone(EmulatedI2c(alone=chip), chip, pn532_i2c.Reader("pad"))


Begin = Callable[[], Table]
every_bus = pytest.mark.parametrize("begin", [on_uart, on_spi, on_i2c])


def named(trace: dict[str, Any]) -> str:
    return f"{trace['what']} ({trace['source']})"


@every_bus
@pytest.mark.parametrize("trace", LISTINGS, ids=named)
def test_what_lay_there_is_told_and_nothing_else(begin: Begin, trace: dict[str, Any]) -> None:
    with begin().set_up() as table:
        table.rounds(1)
        table.told.clear()
        table.chips["pad"].listing = bytes.fromhex(trace["bytes"])
        table.rounds(2)
        match trace["lies there"]:
            case ["crowd"]:
                assert kinds(table.told) == [Crowded]
            case ["phone"]:
                assert uids(table.told, Appeared) == [PHONE]
            case cards:
                assert uids(table.told, Appeared) == cards
                assert len(table.told) == len(cards)


@every_bus
@pytest.mark.parametrize("part", ["listing", "ack"])
@pytest.mark.parametrize("trace", STRAYS, ids=named)
def test_what_is_no_answer_becomes_no_card_and_moves_none(begin: Begin, part: str, trace: dict[str, Any]) -> None:
    with begin().set_up() as table:
        chip = table.chips["pad"]
        chip.put(CARD)
        for _ in range(3):
            table.rounds(3)
            setattr(chip, part, bytes.fromhex(trace["bytes"]))
        table.rounds(5)
        assert uids(table.told, Appeared) == [CARD]
        assert uids(table.told, Gone) == []
        assert kinds(table.told)[-1] in (Appeared, Working)
