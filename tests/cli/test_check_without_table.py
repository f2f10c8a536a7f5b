"""What the check says where no table is described yet."""

import pytest
from serial.tools.list_ports_common import ListPortInfo

from companion.cli.check.plugged import describe, guess
from companion.devices.drivers import pico
from companion.events import SEATS
from tests.cli.program import companion, refused


def test_without_a_table_it_lists_what_is_there() -> None:
    done = companion("check")
    assert done.exit_code == (0 if "No part of a table is plugged in" not in done.stdout else 1)
    assert done.stdout


def test_a_port_of_the_machine_itself_is_no_part_of_a_table() -> None:
    lines = list(describe([guess(port("/dev/ttyS0"))]))
    assert lines[0].startswith("/dev/ttyS0")
    assert "No part of a table is plugged in" in lines[1]


@pytest.mark.parametrize("option", ["--walk", "--fair 50", "--json", "--watch 1"])
def test_what_needs_a_table_says_so(option: str) -> None:
    assert "TABLE.toml" in refused(2, "check", *option.split())


def port(device: str, vid: int | None = None, product: str | None = None) -> ListPortInfo:
    info = ListPortInfo(device, skip_link_detection=True)
    info.vid = vid
    info.product = product
    return info


def test_a_pico_and_another_usb_port_are_told_apart_without_asking() -> None:
    assert guess(port("/dev/ttyX0", 0x2E8A, "Pico")).settings == pico.Buzzers(port="/dev/ttyX0", seats=tuple(SEATS))
    assert guess(port("/dev/ttyX1", 0x1A86, "USB Serial")).settings.port == "/dev/ttyX1"
    assert guess(port("/dev/ttyX2")).settings is None
