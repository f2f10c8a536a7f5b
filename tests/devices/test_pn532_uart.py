"""What only a PN532 on a serial port has: its frames on the wire, and ports that the kernel knows."""

import sys
import time
from collections.abc import Iterator
from typing import Literal

import pytest

from companion.devices.drivers.pn532_uart import Reader
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import Appeared, Failed, Gone, NotThere, Working
from companion.errors import PIP
from tests.devices.readers import CARD, RADIO, alone, count, kinds, listening, on_uart, uids
from tests.emulators.pn532 import Chip, Reply
from tests.emulators.pn532_pty import UartPN532
from tests.emulators.pn532_uart import EmulatedPorts
from tests.waiting import until

PORT = "/dev/ttyUSB0"


def test_a_reader_that_is_unplugged_is_told_and_comes_back_with_its_card() -> None:
    with on_uart().set_up() as table:
        table.lay_cards()
        table.bus.unplug("/dev/ttyseat-2")
        table.until(lambda: count(table.told, Failed))
        table.bus.replug("/dev/ttyseat-2")
        table.until(lambda: count(table.told, Working), within=2.0)
        table.rounds(5)
        assert kinds(table.told) == kinds(table.told, "seat-2") == [Failed, Working]


class LosesZeros(Chip):
    """Two zeros of a uid are lost on the wire, which changes no sum."""

    def hear(self, data: bytes) -> list[Reply]:
        return [Reply(delay, content.replace(bytes(4), bytes(2))) for delay, content in super().hear(data)]


def test_an_answer_that_lost_zeros_on_the_way_is_none_though_its_sum_is_right() -> None:
    """The library would take the sum, and the zero after it, for the end of the uid."""
    chip = LosesZeros(radio=RADIO)
    with alone(EmulatedPorts({PORT: chip}), chip, Reader("pad", PORT)).set_up() as table:
        table.rounds(1)
        chip.put("04000000000001")
        table.until(lambda: count(table.told, Failed))
        assert isinstance(failed := table.told[-1], Failed)
        assert "no whole answer" in failed.fault.says


@pytest.mark.parametrize("baud", [115200, 230400, 460800, 921600])
def test_a_chip_is_switched_to_the_speed_of_the_settings(baud: Literal[115200, 230400, 460800, 921600]) -> None:
    chip = Chip(radio=RADIO)
    with alone(EmulatedPorts({PORT: chip}), chip, Reader("pad", PORT, baud)).set_up() as table:
        table.lay_cards()
        assert chip.baud == baud
        assert count(table.told, Failed) == 0


# On a port that the kernel knows, in the real time; what else can be wrong there is in tests/cli/test_start_messages.py


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Iterator[UartPN532]:
    # A busy machine may look away for longer than a chip is given to answer.
    for within in ("ANSWER_WITHIN", "ACK_WITHIN"):
        monkeypatch.setattr(f"companion.devices.drivers.pn532_uart.{within}", 30.0)
    with UartPN532() as emulated:
        yield emulated


def source(port: str) -> ReaderSource:
    return Reader("pad", port).open(time.monotonic)


def test_a_card_is_read_through_a_real_port_also_after_that_was_gone(chip: UartPN532) -> None:
    chip.put(CARD)
    with listening(source(chip.path)) as sensings:
        until(lambda: uids(sensings, Appeared) == [CARD])
        chip.unplug()
        until(lambda: count(sensings, Failed))
        chip.replug()
        until(lambda: count(sensings, Working) == 2)
        chip.clear()
        until(lambda: uids(sensings, Gone) == [CARD])
    assert kinds(sensings) == [Working, Appeared, Failed, Working, Gone]


def why_not(port: str) -> str:
    with pytest.raises(NotThere) as caught:
        source(port).start()
    return str(caught.value)


def test_a_missing_port_is_named_with_the_ports_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    class Port:
        device = "/dev/ttyUSB7"
        description = "CP2102"

    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [Port()])
    why = why_not("/dev/ttyNone")
    assert "The port /dev/ttyNone does not exist" in why
    assert "Serial ports here: /dev/ttyUSB7 (CP2102)." in why
    Port.description = "n/a"
    assert "Serial ports here: /dev/ttyUSB7." in why_not("/dev/ttyNone")
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    assert "There is no serial port here." in why_not("/dev/ttyNone")


def test_a_port_given_up_can_be_opened_again(chip: UartPN532) -> None:
    for _ in range(2):
        reader = source(chip.path)
        reader.start()
        reader.close()


def test_a_missing_library_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "adafruit_pn532.uart", None)
    assert f"{PIP} install 'table-companion[pn532]'" in why_not(PORT)
