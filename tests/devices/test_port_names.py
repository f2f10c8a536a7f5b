"""Names of ports that may come to mean another device are told, and a device that has come to another's name is not
used.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.devices import serial_ports, serial_users
from companion.devices.check.port_names import of_port
from companion.devices.drivers.pn532_uart import Reader
from companion.devices.sensing import NotThere
from companion.devices.serial_ports import Adapter, is_another
from tests.emulators.pn532_pty import UartPN532

BY_ID = "/dev/serial/by-id/usb-"
BRIDGE = f"{BY_ID}Silicon_Labs_CP2102_USB_to_UART_Bridge_Controller"
BY_PATH = "/dev/serial/by-path/platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.3:1.0-port0"


@pytest.mark.parametrize("port", ["/dev/ttyUSB0", "/dev/ttyUSB12", "/dev/ttyACM1", "/tmp/dev/ttyUSB0"])
def test_a_name_that_is_handed_out_anew_is_told(port: str) -> None:
    assert [finding.code for finding in of_port(port, ())] == ["port-name-changes"]


@pytest.mark.parametrize(
    "port",
    [
        "",
        "/dev/ttyAMA0",
        "/dev/serial0",
        BY_PATH,
        f"{BRIDGE}_a1b2c3d4-if00-port0",
        f"{BY_ID}Raspberry_Pi_Pico_E66058388B4C2D30-if00",
        f"{BY_ID}FTDI_FT232R_USB_UART_A50285BI-if00-port0",
        f"{BRIDGE}_0001-if00-port0",
    ],
)
def test_a_lasting_name_is_well_where_it_can_mean_one_device_only(port: str) -> None:
    assert of_port(port, (port,)) == ()


@pytest.mark.parametrize(
    "port",
    [f"{BRIDGE}_0001-if00-port0", f"{BY_ID}1a86_USB_Serial-if00-port0", f"{BY_ID}1a86_USB2.0-Serial-if00-port0"],
)
def test_a_name_that_several_adapters_have_is_told_where_there_are_several(port: str) -> None:
    assert [finding.code for finding in of_port(port, (port, "/dev/ttyAMA0"))] == ["port-name-shared"]


FIRST = Adapter(0x10C4, 0xEA60, "", "1-1.2")


@pytest.mark.parametrize(
    ("adapter_before", "adapter_now", "is_other"),
    [
        (FIRST, FIRST, False),
        (None, FIRST, False),
        (FIRST, None, False),
        (FIRST, Adapter(0x10C4, 0xEA60, "", "1-1.3"), True),
        (FIRST, Adapter(0x1A86, 0x7523, "", "1-1.2"), True),
        (Adapter(1, 2, "A5", "1-1.2"), Adapter(1, 2, "A5", "1-1.3"), False),
        (Adapter(1, 2, "A5", "1-1.2"), Adapter(1, 2, "B7", "1-1.2"), True),
    ],
)
def test_an_adapter_is_known_by_its_number_or_else_by_its_socket(
    adapter_before: Adapter | None, adapter_now: Adapter | None, is_other: bool
) -> None:
    assert is_another(adapter_before, adapter_now) is is_other


class Hub:
    """Two readers on USB, whose names may be exchanged while their plugs stay where they are."""

    def __init__(self, folder: Path, first: UartPN532, second: UartPN532) -> None:
        self.names = [folder / "ttyUSB0", folder / "ttyUSB1"]
        self.readers = [first, second]
        self.name(first, second)

    def name(self, *readers: UartPN532) -> None:
        for name, reader in zip(self.names, readers, strict=True):
            name.unlink(missing_ok=True)
            name.symlink_to(reader.path)

    def ports(self) -> list[SimpleNamespace]:
        return [
            SimpleNamespace(
                device=os.path.realpath(reader.path), vid=0x10C4, pid=0xEA60, serial_number="0001", location=f"1-1.{at}"
            )
            for at, reader in enumerate(self.readers)
        ]


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with UartPN532() as first, UartPN532() as second:
        hub = Hub(tmp_path, first, second)
        monkeypatch.setattr(serial_ports, "ports", hub.ports)
        yield hub


def test_readers_that_came_back_exchanged_are_told_and_not_read(hub: Hub) -> None:
    first = Reader("seat-1", str(hub.names[0])).open(lambda: 0.0)
    first.start()
    for reader in hub.readers:
        reader.unplug()
    first._disconnect()
    for reader in hub.readers:
        reader.replug()
    hub.name(hub.readers[1], hub.readers[0])
    with pytest.raises(NotThere, match="exchanged their names"):
        first.start()
    hub.name(*hub.readers)
    first.start()
    first.close()


def test_another_program_that_has_a_port_open_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = tmp_path / "4711"
    (process / "fd").mkdir(parents=True)
    (process / "fd/5").symlink_to("/dev/ttyUSB7")
    (process / "comm").write_text("ModemManager\n")
    monkeypatch.setattr(serial_users, "PROCESSES", tmp_path)
    assert str(serial_users.users_of("/dev/ttyUSB7")) == (
        "Another program has /dev/ttyUSB7 open too: ModemManager (stop it: sudo systemctl disable --now ModemManager)."
    )


def test_one_that_takes_ports_is_named_though_only_root_sees_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "4712").mkdir()
    (tmp_path / "4712/comm").write_text("brltty\n")
    monkeypatch.setattr(serial_users, "PROCESSES", tmp_path)
    assert "brltty (stop it: sudo apt-get remove brltty)" in str(serial_users.users_of("/dev/ttyUSB7"))


def test_nobody_is_named_where_nobody_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_users, "PROCESSES", tmp_path)
    assert str(serial_users.users_of("/dev/ttyUSB7")) == ""
