"""What each driver finds by itself, of what the machine says is plugged in."""

from types import SimpleNamespace

import pytest

from companion.devices.drivers import gpiod, pico, pn532_i2c, pn532_spi, pn532_uart

PORTS = [
    SimpleNamespace(device="/dev/ttyUSB0", vid=0x10C4),
    SimpleNamespace(device="/dev/ttyACM0", vid=0x2E8A),
    SimpleNamespace(device="/dev/ttyAMA0", vid=None),
]


def test_a_pico_is_a_box_and_another_usb_port_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: PORTS)
    assert [reader.port for reader in pn532_uart.here()] == ["/dev/ttyUSB0"]
    assert [box.port for box in pico.here()] == ["/dev/ttyACM0"]


def test_where_a_bus_is_on_it_is_wired_as_the_guide_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.exists", lambda path: path == "/dev/spidev0.0")
    readers = [*pn532_spi.here()]
    assert {reader.chip_select: reader.reset for reader in readers} == pn532_spi.GUIDE
    monkeypatch.setattr("os.path.exists", lambda path: path == "/dev/i2c-1")
    monkeypatch.setattr(pn532_i2c, "_answers", lambda path, address: address == 0x71)
    assert [reader.channel for reader in pn532_i2c.here()] == [*range(8)]
    monkeypatch.setattr(pn532_i2c, "_answers", lambda path, address: False)
    assert [reader.multiplexer for reader in pn532_i2c.here()] == [None]


def test_on_no_pi_no_bus_and_no_pin_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.exists", lambda path: False)
    monkeypatch.setattr("companion.devices.gpio._devices", list)
    assert [*pn532_spi.here(), *pn532_i2c.here(), *gpiod.here()] == []
