"""Emulated readers and a box are found, learnt, and written; all over real pyserial and the PN532 library."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.config import load
from companion.devices.check.walk import Act, Step
from companion.devices.drivers.pico import Buzzers
from companion.devices.drivers.pn532_uart import Reader
from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import UNPLACED
from companion.setup.session import NothingToWrite, NotWritten, Setup
from companion.setup.table_file import drafted
from companion.setup.table_plan import Stage
from companion.storage.last_copy import copy_of
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532_pty import UartPN532
from tests.waiting import until


class Desk:
    """Two readers and a box on a desk, and a setup that finds them."""

    def __init__(self, folder: Path, end: ExitStack) -> None:
        self.readers = [end.enter_context(UartPN532()) for _ in range(2)]
        self.box = end.enter_context(EmulatedBox(buttons=4))
        self.file = folder / "table.toml"
        self.setup = Setup(self.file, TableClock(), find_devices=self.here)
        end.callback(self.setup.close)

    def here(self) -> Iterator[object]:
        yield from (Reader(place=UNPLACED, port=reader.path) for reader in self.readers)
        yield Buzzers(port=self.box.path, seats=())

    def look(self) -> None:
        self.setup.look()
        until(lambda: not self.setup.plan.looking)

    def tap(self, reader: int) -> None:
        belonged_before = self.setup.plan.belongs
        while (
            self.setup.plan.belongs == belonged_before
        ):  # a reader that has only just begun takes it for one that lay there
            self.readers[reader].put("04A1B2C3D4E5F6")
            until(lambda: self.setup.plan.lying)
            self.readers[reader].clear()
            until(lambda: not self.setup.plan.lying)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with ExitStack() as end:
        yield Desk(tmp_path, end)


def test_what_was_tapped_is_the_table(desk: Desk) -> None:
    desk.look()
    assert [len(device.wires) for device in desk.setup.plan.devices] == [1, 1, 4]  # the box says how many it has
    desk.setup.change(lambda plan: replace(plan, stage=Stage.WALK, seats=2))
    desk.tap(1)
    desk.tap(0)
    desk.box.press(3)
    until(lambda: Step(Act.PRESS, "seat-1") in desk.setup.plan.belongs)
    desk.setup.write()
    table = load(desk.file)
    assert [(sensor.place, sensor.port) for sensor in table.sensors[:2]] == [
        ("centre", desk.readers[1].path),
        ("seat-1", desk.readers[0].path),
    ]
    assert table.sensors[2].seats[2] == 1
    again = Setup(desk.file, TableClock(), find_devices=desk.here)
    again.look()
    until(lambda: not again.plan.looking)
    assert again.draft().text == desk.file.read_text()
    again.close()


def test_a_pis_reset_wire_is_written_without_being_asked_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.setup.session.resets_here", lambda: {"centre": 17})
    desk.look()
    desk.setup.change(lambda plan: replace(plan, stage=Stage.WALK, seats=2))
    desk.tap(1)
    desk.setup.write()
    assert [sensor.reset for sensor in load(desk.file).sensors] == [17]


def test_a_reader_of_the_table_that_is_unplugged_is_waited_for(desk: Desk) -> None:
    desk.file.write_text(f'[[reader]]\nplace = "centre"\ndriver = "pn532-uart"\nport = "{desk.readers[0].path}"\n')
    desk.readers[0].unplug()
    with closing(Setup(desk.file, TableClock(), find_devices=list)) as setup:
        setup.look()
        until(lambda: not setup.plan.looking)
        assert [device.works for device in setup.plan.devices] == [False]
        desk.readers[0].replug()
        until(lambda: setup.plan.devices[0].works)


def test_the_setup_writes_the_copy_of_its_file_too_so_that_nothing_seems_to_be_lacking(desk: Desk) -> None:
    desk.look()
    desk.setup.change(lambda plan: replace(plan, stage=Stage.WALK))
    desk.tap(0)
    desk.setup.write()
    assert copy_of(desk.file).read_text() == desk.file.read_text()


def test_a_driver_that_fails_does_not_keep_the_page_looking(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with closing(Setup(tmp_path / "table.toml", TableClock(), find_devices=lambda: [1 / 0])) as setup:
        setup.look()
        until(lambda: not setup.plan.looking and "ZeroDivisionError" in caplog.text)


def test_a_table_may_be_called_what_people_type(desk: Desk) -> None:
    desk.look()
    name = 'Chez 👨\u200d👩\u200d👧 "Zoé" #1'  # the joiners between a family's heads are not seen
    desk.setup.change(lambda plan: replace(plan, name=name, stage=Stage.WALK))
    desk.tap(0)
    desk.setup.write()
    assert load(desk.file).name == name


def test_nothing_is_written_before_anything_has_a_place(desk: Desk) -> None:
    with pytest.raises(NothingToWrite):
        desk.setup.write()
    assert not desk.file.exists()


def test_a_file_that_would_not_say_what_was_set_up_stays_as_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.look()
    desk.setup.change(lambda plan: replace(plan, stage=Stage.WALK))
    desk.tap(0)
    monkeypatch.setattr("companion.setup.session.drafted", lambda *_: replace(drafted(*_), text="log = 'x'\n"))
    with pytest.raises(NotWritten, match="by hand"):
        desk.setup.write()
    assert not desk.file.exists()
