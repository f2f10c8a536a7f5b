"""Readers on wires and chips as bad as others have found them, drawn at random."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.drivers import pn532_i2c, pn532_spi, pn532_uart
from companion.devices.sensing import Appeared, Crowded, Gone, Working
from tests.devices.readers import CARD, OTHER, Table, count, kinds, uids
from tests.emulators.pn532 import Chip
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532, Multiplexer
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.emulators.pn532_uart import EmulatedPorts
from tests.emulators.quirks import LATENCY, OPENING, SPACE, Quirks

PLACES = ("seat-1", "seat-2", "seat-3")


QUIRKS = st.builds(Quirks, **{name: st.sampled_from(values) for name, values in SPACE.items()})


def on_uart(quirks: Sequence[Quirks], opening: float, latency: float) -> Table:
    chips: dict[str, Chip] = {place: Chip(quirks=quirk) for place, quirk in zip(PLACES, quirks, strict=True)}
    ports = EmulatedPorts(chips)
    ports.deaf = opening
    ports.latency = latency
    return Table(ports, chips, [pn532_uart.Reader(place, place) for place in PLACES])


def on_spi(quirks: Sequence[Quirks], *_: float) -> Table:
    chips = {place: SpiPN532(quirks=quirk) for place, quirk in zip(PLACES, quirks, strict=True)}
    readers = [pn532_spi.Reader(place, chip_select=n) for n, place in enumerate(PLACES)]
    return Table(EmulatedSpi(dict(enumerate(chips.values()))), {**chips}, readers)


def on_i2c(quirks: Sequence[Quirks], *_: float) -> Table:
    chips = {place: I2cPN532(quirks=quirk) for place, quirk in zip(PLACES, quirks, strict=True)}
    readers = [pn532_i2c.Reader(place, multiplexer=0x70, channel=n) for n, place in enumerate(PLACES)]
    return Table(EmulatedI2c({0x70: Multiplexer(dict(enumerate(chips.values())))}), {**chips}, readers)


every_bus = pytest.mark.parametrize("begin", [on_uart, on_spi, on_i2c])
Begin = Callable[..., Table]


@every_bus
@settings(max_examples=10)  # the trial of cables draws them at length
@given(quirks=st.tuples(QUIRKS, QUIRKS, QUIRKS), opening=st.sampled_from(OPENING), latency=st.sampled_from(LATENCY))
def test_every_card_is_told_once_when_it_comes_and_when_it_goes_and_no_other(
    begin: Begin, quirks: Any, opening: float, latency: float
) -> None:
    with begin(quirks, opening, latency).set_up() as table:
        table.until(lambda: count(table.told, Working) >= len(PLACES), within=30.0)
        table.lay_cards()
        for chip in table.chips.values():
            chip.clear()
        table.until(lambda: count(table.told, Gone) == len(PLACES))
        gone = [uids([news], Gone)[0] for news in table.told if isinstance(news, Gone)]
        assert sorted(gone) == sorted(table.uids.values())
        assert count(table.told, Appeared) == 0


TOLD = {"both": [Crowded], "in turn": [Appeared, Crowded], "first": [Appeared], "none": []}


@every_bus
@pytest.mark.parametrize("two", TOLD)
def test_two_tags_are_a_crowd_or_one_of_them_and_never_a_storm(begin: Begin, two: str) -> None:
    with begin([Quirks(two=two)] * 3, 0.0, 0.0).set_up() as table:
        table.rounds(5)
        table.told.clear()
        table.chips["seat-1"].put(CARD)
        table.chips["seat-1"].put(OTHER)
        table.rounds(80)
        assert kinds(table.told) == TOLD[two]
