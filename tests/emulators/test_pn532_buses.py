"""The emulated buses carry what NXP's manual shows for SPI (§6.2.5) and I2C (§6.2.4), and what a TCA9548A does."""

import errno
import time

import pytest

from tests.emulators.pn532 import ACK, frame
from tests.emulators.pn532_i2c import CHIP, EmulatedI2c, I2cPN532, Multiplexer
from tests.emulators.pn532_spi import TURNED, EmulatedSpi, EmulatedSpidev, SpiPN532

FIRMWARE = b"\x00\x00\xff\x06\xfa\xd5\x03\x32\x01\x06\x07\xe8\x00"
GET_FIRMWARE = frame(b"\xd4\x02")
CARD = "04A1B2C3D4E5F6"


def spidev(chip: SpiPN532, speed: int = 1_000_000) -> EmulatedSpidev:
    device = EmulatedSpi({"0.0": chip}).spidev("0.0")
    device.try_lock()
    device.configure(baudrate=speed)
    return device


def swap(device: EmulatedSpidev, *sent: int, more: int = 0) -> bytes:
    """What comes while this is sent, both with the lowest bit first."""
    into = bytearray(len(sent) + more)
    device.write_readinto((bytes(sent) + bytes(more)).translate(TURNED), into)
    return into.translate(TURNED)


def test_on_spi_the_lowest_bit_goes_first() -> None:
    assert TURNED[0b0000_0010] == 0b0100_0000
    chip = SpiPN532()
    chip.wake()
    device = spidev(chip)
    device.write((b"\x01" + GET_FIRMWARE).translate(TURNED))
    into = bytearray(2)
    device.write_readinto(b"\x40\x00", into)
    assert into[1] == 0x80


def test_on_spi_the_ack_is_fetched_first_and_then_the_answer() -> None:
    chip = SpiPN532()
    chip.wake()
    device = spidev(chip)
    device.write((b"\x01" + GET_FIRMWARE).translate(TURNED))
    assert swap(device, 2, more=1)[1] == 1
    assert swap(device, 3, more=6)[1:] == ACK
    assert swap(device, 3, more=13)[1:] == FIRMWARE
    assert swap(device, 2, more=1)[1] == 0


def test_on_spi_a_chip_wakes_up_only_if_it_is_selected_for_long() -> None:
    chip = SpiPN532()
    device = spidev(chip)
    for waking, awake in ((1, 0), (300, 1)):  # 8 µs, 2.4 ms
        device.write(bytes(waking))
        device.write((b"\x01" + GET_FIRMWARE).translate(TURNED))
        assert swap(device, 2, more=1)[1] == awake


def test_on_spi_two_that_are_selected_collide() -> None:
    first = SpiPN532()
    second = SpiPN532()
    spi = EmulatedSpi({5: first, 6: second})  # neither pin is driven yet
    spi.exchange(b"\x40\x00", 1_000_000)
    assert spi.collisions == 1
    pin = spi.output(5)
    assert pin
    pin.value = True
    spi.exchange(b"\x40\x00", 1_000_000)
    assert spi.collisions == 1


def test_a_chip_is_busy_while_it_looks_for_tags() -> None:
    chip = SpiPN532(radio=0.02)
    chip.wake()
    device = spidev(chip)
    device.write((b"\x01" + frame(b"\xd4\x4a\x02\x00")).translate(TURNED))
    assert swap(device, 3, more=6)[1:] == ACK
    # Retries are endless until set otherwise: without a tag there is no answer at all.
    time.sleep(0.03)
    assert swap(device, 2, more=1)[1] == 0
    chip.put(CARD)
    assert swap(device, 2, more=1)[1] == 0
    time.sleep(0.03)
    assert swap(device, 2, more=1)[1] == 1


def test_neighbours_whose_fields_are_on_together_are_noticed() -> None:
    first = SpiPN532()
    second = SpiPN532()
    EmulatedSpi({5: first, 6: second})
    for chip in (first, second):
        chip.wake()
        chip.obey(frame(b"\xd4\x4a\x01\x00"))
    assert (first.disturbed, second.disturbed) == (0, 1)
    first.obey(frame(b"\xd4\x32\x01\x00"))
    second.obey(frame(b"\xd4\x4a\x01\x00"))
    assert second.disturbed == 1


def i2c_read(i2c: EmulatedI2c, address: int, count: int) -> bytes:
    into = bytearray(count)
    i2c.readfrom_into(address, into)
    return bytes(into)


def test_on_i2c_every_reading_begins_with_the_ready_byte() -> None:
    chip = I2cPN532()
    chip.wake()
    i2c = EmulatedI2c(alone=chip)
    i2c.try_lock()
    assert i2c_read(i2c, CHIP, 1) == b"\x00"
    i2c.writeto(CHIP, GET_FIRMWARE)
    assert i2c_read(i2c, CHIP, 1) == b"\x01"
    assert i2c_read(i2c, CHIP, 7) == b"\x01" + ACK
    assert i2c_read(i2c, CHIP, 16) == b"\x01" + FIRMWARE + b"\x00\x00"


def test_on_i2c_a_sleeping_chip_wakes_up_when_it_is_spoken_to() -> None:
    i2c = EmulatedI2c(alone=I2cPN532())
    i2c.try_lock()
    with pytest.raises(OSError, match="Remote") as caught:
        i2c.writeto(CHIP, GET_FIRMWARE)
    assert caught.value.errno == errno.EREMOTEIO
    i2c.writeto(CHIP, GET_FIRMWARE)
    assert i2c_read(i2c, CHIP, 1) == b"\x01"


def test_a_multiplexer_lets_through_what_its_register_says() -> None:
    chips = [I2cPN532(), I2cPN532()]
    for chip in chips:
        chip.wake()
    multiplexer = Multiplexer(dict(enumerate(chips)))
    i2c = EmulatedI2c({0x70: multiplexer})
    i2c.try_lock()
    with pytest.raises(OSError, match="Remote"):
        i2c.writeto(CHIP, GET_FIRMWARE)
    register = bytearray(1)
    i2c.writeto_then_readfrom(0x70, b"\x02", register)
    assert register == b"\x02"
    i2c.writeto(CHIP, GET_FIRMWARE)
    assert [chip.ready() for chip in chips] == [False, True]
    assert i2c.collisions == 0
    i2c.writeto(0x70, b"\x03")
    i2c.writeto(CHIP, GET_FIRMWARE)
    assert i2c.collisions == 1


def test_a_hung_multiplexer_holds_the_whole_bus_until_it_is_reset() -> None:
    multiplexer = Multiplexer({})
    other = Multiplexer({})
    i2c = EmulatedI2c({0x70: multiplexer, 0x71: other})
    i2c.try_lock()
    i2c.writeto(0x70, b"\x01")
    multiplexer.hung = True
    with pytest.raises(TimeoutError):
        i2c.writeto(0x71, b"\x01")
    multiplexer.reset()
    i2c.writeto(0x71, b"\x01")
    assert (multiplexer.register, other.register) == (0, 1)
