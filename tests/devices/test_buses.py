"""The buses of Linux: what the kernel is asked for, and what is said when it refuses."""

import ctypes
import errno
import fcntl
import os
import re
import struct
from pathlib import Path

import pytest
from Adafruit_PureIO import spi as pure_spi

from companion.devices.drivers import pn532_i2c, pn532_spi
from companion.devices.readers import buses
from companion.devices.readers.buses import I2cdev, Shared, Spidev
from companion.devices.sensing import Appeared, NotThere, Sensing, Working
from tests.devices.readers import CARD, RADIO, kinds
from tests.emulators.pn532 import Chip
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.emulators.time import Time, passing

I2C_TIMEOUT = 0x0702
I2C_SLAVE = 0x0703

BOTH = pytest.mark.parametrize("kind", [Spidev, I2cdev])
Kind = type[Spidev] | type[I2cdev]


# Through the kernel's own interface, here played by the emulators


def told_by(reader: pn532_spi.Reader | pn532_i2c.Reader, chip: Chip) -> list[type[Sensing]]:
    time = Time()
    chip.put(CARD)
    sensings: list[Sensing] = []
    source = reader.open(time.monotonic, time.sleep)
    with passing(time):
        source.turn(lambda *news: sensings.extend(news))
        source.turn(lambda *news: sensings.extend(news))
    source.close()
    return kinds(sensings)


def test_a_card_is_read_through_spidevs_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = tmp_path / "spidev0.0"
    node.touch()
    chip = SpiPN532(radio=RADIO)
    device = EmulatedSpi({str(node): chip}).spidev(str(node))
    modes = []

    def ioctl(handle: int, request: int, argument: bytes) -> int:
        assert os.readlink(f"/proc/self/fd/{handle}") == str(node)
        if request == pure_spi.SPI._IOC_WR_MODE[1]:
            modes.append(argument)
            return 0
        assert request == pure_spi.SPI._IOC_MESSAGE
        out, into, length, speed = struct.unpack_from("QQII", argument)
        device.try_lock()
        device.configure(baudrate=speed)
        answer = bytearray(length)
        device.write_readinto(ctypes.string_at(out, length), answer)
        device.unlock()
        if into:
            ctypes.memmove(into, bytes(answer), length)
        return 0

    monkeypatch.setattr(pure_spi, "ioctl", ioctl)
    assert told_by(pn532_spi.Reader(place="pad", bus=str(node), speed=2_000_000), chip) == [Working, Appeared]
    assert modes == [b"\x00"]


def test_a_card_is_read_through_i2c_devs_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = tmp_path / "i2c-1"
    node.touch()
    chip = I2cPN532(radio=RADIO)
    i2c = EmulatedI2c(alone=chip)
    i2c.try_lock()
    addresses = []
    read = os.read
    write = os.write

    def ours(file: int) -> bool:
        return os.readlink(f"/proc/self/fd/{file}") == str(node)

    def ioctl(file: int, request: int, argument: int) -> int:
        assert ours(file)
        assert request in (I2C_TIMEOUT, I2C_SLAVE)
        if request == I2C_SLAVE:
            addresses.append(argument)
        return 0

    def read_node(file: int, count: int) -> bytes:
        if not ours(file):
            return read(file, count)
        got = bytearray(count)
        i2c.readfrom_into(addresses[-1], got)
        return bytes(got)

    def write_node(file: int, data: bytes) -> int:
        if not ours(file):
            return write(file, data)
        i2c.writeto(addresses[-1], data)
        return len(data)

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    monkeypatch.setattr(os, "read", read_node)
    monkeypatch.setattr(os, "write", write_node)
    assert told_by(pn532_i2c.Reader(place="pad", bus=str(node)), chip) == [Working, Appeared]
    assert set(addresses) == {0x24}


# What is said


def why_not(kind: Kind, path: Path) -> str:
    with pytest.raises(NotThere) as caught:
        kind(str(path))
    return str(caught.value)


@pytest.mark.parametrize(
    ("kind", "path", "switch"), [(Spidev, "/dev/spidev9.9", "do_spi 0"), (I2cdev, "/dev/i2c-99", "do_i2c 0")]
)
def test_a_bus_that_is_not_there_is_told_with_its_switch_or_with_the_others(
    kind: Kind, path: str, switch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buses, "glob", lambda nodes: [])
    assert re.search(f"does not exist: switch .* on .*{switch}", why_not(kind, Path(path)))
    monkeypatch.setattr(buses, "glob", lambda nodes: ["/dev/another"])
    assert re.search("does not exist: correct `bus`.*/dev/another", why_not(kind, Path(path)))


def test_a_pi_that_can_not_wait_on_its_own_i2c_is_told_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buses, "glob", lambda nodes: [])
    cure = why_not(I2cdev, Path("/dev/i2c-99"))
    assert "dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=2,i2c_gpio_scl=3" in cure
    assert f'bus = "{pn532_i2c._BUSES[1]}"' in cure


@pytest.mark.parametrize(("kind", "group"), [(Spidev, "spi"), (I2cdev, "i2c")])
def test_without_permission_the_group_is_named(
    kind: Kind, group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert f"usermod -aG {group} $USER" in why_not(kind, tmp_path / "bus")


@BOTH
def test_a_bus_that_another_program_has_open_is_called_busy(kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "bus"
    with path.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert "is busy: another program has it open" in why_not(kind, path)


@BOTH
def test_a_file_that_is_no_such_bus_is_called_so(kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "bus"
    path.touch()
    files = len(os.listdir("/proc/self/fd"))
    assert "can't be used as an" in why_not(kind, path)
    assert len(os.listdir("/proc/self/fd")) == files


# Shared


class Opened:
    def __init__(self) -> None:
        self.open = True

    def close(self) -> None:
        self.open = False


def test_a_shared_bus_is_open_while_somebody_uses_it() -> None:
    shared = Shared(Opened)
    first = shared.take()
    assert shared.take() is first
    shared.give_back()
    assert first.open
    shared.give_back()
    assert not first.open
    assert shared.take() is not first


def test_a_bus_that_can_not_be_opened_is_used_by_nobody() -> None:
    tries = iter([False, True])

    def opened() -> Opened:
        if not next(tries):
            raise NotThere("not yet")
        return Opened()

    shared = Shared(opened)
    with pytest.raises(NotThere):
        shared.take()
    bus = shared.take()
    shared.give_back()
    assert not bus.open
