"""What only PN532 on an SPI bus have: its speed, its chip selects, and wires that float."""

import pytest

from companion.devices.drivers.pn532_spi import Reader
from companion.devices.sensing import Appeared, Failed, NotThere, Working
from tests.devices.readers import CARD, RADIO, alone, count, kinds, on_spi, uids
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532

PATH = "/dev/spidev0.0"


@pytest.mark.parametrize("speed", [100_000, 1_000_000, 5_000_000])
def test_the_bus_runs_at_the_readers_speed_and_wakes_the_chip(speed: int) -> None:
    chip = SpiPN532(radio=RADIO)
    chip.put(CARD)
    with alone(EmulatedSpi({PATH: chip}), chip, Reader("pad", speed=speed)).set_up() as table:
        table.until(lambda: uids(table.told, Appeared) == [CARD])
        assert kinds(table.told) == [Working, Appeared]
        assert table.bus.speeds == {speed}


def test_without_its_pin_a_chip_that_locked_up_stays_so() -> None:
    chip = SpiPN532(radio=RADIO)
    with alone(EmulatedSpi({PATH: chip}), chip, Reader("pad")).set_up() as table:
        table.rounds(1)
        chip.lock_up(hard=True)
        ended = table.time.now + 10
        table.until(lambda: table.time.now > ended)
        assert kinds(table.told) == [Working, Failed]


def test_a_bus_that_fails_recovers_and_no_card_seems_to_move() -> None:
    with on_spi().set_up() as table:
        table.lay_cards()
        table.bus.fail(20)
        table.until(lambda: count(table.told, Failed))
        table.until(lambda: count(table.told, Working) == count(table.told, Failed), within=5.0)
        table.rounds(5)
        assert all(kinds(table.told, place) in ([], [Failed, Working]) for place in table.chips)


def test_a_bus_that_hangs_for_a_while_moves_no_card() -> None:
    with on_spi().set_up() as table:
        table.lay_cards()
        table.bus.hang(0.5)
        table.rounds(5)
        assert table.told == []


@pytest.mark.parametrize("later", [0.0, 0.2, 0.4])
def test_a_reader_that_dies_where_each_transfer_takes_long_is_told_soon(later: float) -> None:
    with on_spi().set_up() as table:
        table.lay_cards()
        table.bus.hang(0.01, 10**9)
        table.rounds(1)
        died = table.time.now + later
        table.time.after(later, table.chips["seat-4"].cut_power)
        table.until(lambda: Failed in kinds(table.told, "seat-4"))
        assert table.time.now < died + 3.0  # it holds up all others on the bus until then


@pytest.mark.parametrize("floats", [0x00, 0xFF])
def test_wires_that_float_are_no_answer(floats: int) -> None:
    chip = SpiPN532(floats=floats)
    chip.cut_power()
    with alone(EmulatedSpi({PATH: chip}), chip, Reader("pad")).set_up() as table:
        with pytest.raises(NotThere, match="nothing answers there as a PN532") as caught:
            table.sources[0].start()
        assert "SPI" in str(caught.value)


def test_a_reader_is_named_by_its_bus_and_its_pin() -> None:
    with on_spi().set_up() as table:
        table.chips["seat-3"].cut_power()
        with pytest.raises(NotThere, match=f"^{PATH}, chip select GPIO 8 opens"):
            table.sources[3].start()
