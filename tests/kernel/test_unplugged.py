"""The buzzer box on a real USB serial port, unplugged and plugged in again while people press."""

import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from companion.devices.drivers.pico import Buzzers
from companion.devices.sensing import Failed, NotThere, Source
from tests.kernel.plug import PORT, UsbBox
from tests.kernel.table import listening
from tests.waiting import until


@pytest.fixture
def box() -> Iterator[UsbBox]:
    with UsbBox() as box:
        until(Path(PORT).exists)
        yield box
    until(lambda: not Path(PORT).exists())


def source() -> Source:
    return Buzzers(port=PORT, seats=(1, 2, 3, 4, 5, 6)).open(time.monotonic)


def test_presses_come_over_the_real_port(box: UsbBox) -> None:
    with listening(source()) as table:
        pressed = [box.press(button) for button in (3, 1, 2)]
        until(lambda: len(table.presses) == 3)
        assert [press.seat for press in table.presses] == [3, 1, 2]
        for (a, first), (b, second) in combinations(zip(pressed, table.presses, strict=True), 2):
            assert round((second.at - first.at) * 1e6) == b - a


def test_a_port_that_is_unplugged_is_told_and_loses_no_press(box: UsbBox) -> None:
    with listening(source()) as table:
        pressed = [box.press(1)]
        until(lambda: len(table.presses) == 1)
        for _ in range(5):
            pressed.append(box.press(2))  # as it is pulled
            box.unplug()
            until(table.failed)
            failed = table.state[-1]
            assert isinstance(failed, Failed)
            assert "lost the buzzer box" in failed.fault.says or "no port" in failed.fault.says
            pressed.append(box.press(3))  # while it is out
            until(lambda: not Path(PORT).exists())
            box.replug()
            until(table.works)
            pressed.append(box.press(4))
            until(lambda: len(table.presses) >= len(pressed))
        time.sleep(0.5)
        presses = sorted(table.presses, key=lambda press: int(press.origin.rpartition("-")[2]))
        assert [press.seat for press in presses] == [1, *(2, 3, 4) * 5]
        for (a, first), (b, second) in combinations(zip(pressed, presses, strict=True), 2):
            if b - a < 1_000_000:
                assert round((second.at - first.at) * 1e6) == b - a


def test_a_port_that_is_not_plugged_in_is_told_with_those_that_are(box: UsbBox) -> None:
    box.unplug()
    until(lambda: not Path(PORT).exists())
    buzzers = source()
    with pytest.raises(NotThere, match=f"there is no port {PORT}: is the buzzer box plugged in"):
        buzzers.start()
    buzzers.close()
    box.replug()
    until(Path(PORT).exists)
    with listening(source()) as table:
        box.press(6)
        until(lambda: table.presses)
