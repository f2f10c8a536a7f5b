"""What keeps a table from starting: each cause is told at the start, in words of its own, with its cure.

The program is run as people run it, on ports that the kernel has made. Settings are in `test_config.py`, what only a
kernel's GPIO can refuse in `tests/kernel`.
"""

import fcntl
import gc
import os
import shutil
import socket
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.cli import table_in_play
from companion.cli.address import Door
from companion.cli.run import virtual_table
from companion.cli.table_in_play import Start, keep
from companion.config import load
from companion.devices.sensing import NotThere
from companion.events import Player, Started
from companion.languages import LANGUAGES
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.storage.log import Log
from companion.web.render.fault_words import said_to_builders, said_to_players
from companion.web.render.words import PageWords
from tests.bench.rig import free_port
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532_pty import UartPN532
from tests.refusals import refusable

VIRTUAL = '[[buzzers]]\ndriver = "virtual"\nseats = [1]\n'
GPIO = '[[buzzers]]\ndriver = "{}"\nseats = [1]\nlines = [17]\n'
FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})


def reader(port: object) -> str:
    return f'[[reader]]\ndriver = "pn532-uart"\nplace = "centre"\nport = "{port}"\n'


def box(port: object) -> str:
    return f'[[buzzers]]\ndriver = "pico"\nseats = [1, 2]\nport = "{port}"\n'


def on_bus(driver: str, bus: str) -> str:
    return f'[[reader]]\ndriver = "{driver}"\nplace = "centre"\nbus = "{bus}"\n'


class Room:
    """A folder for a table, and what stands in its way until the test is over."""

    def __init__(self, folder: Path, until_the_end: ExitStack) -> None:
        self.end = until_the_end
        self.settings = folder / "table.toml"
        self.tags = folder / "tags.toml"
        self.log = folder / "log.sqlite"

    def table(self, text: str) -> None:
        """Write table.toml; log and page are the usual ones unless the text says otherwise."""
        log = "" if "log =" in text else 'log = "log.sqlite"\n'
        page = "" if "[page]" in text else f'[page]\nhost = "127.0.0.1"\nport = {free_port()}\n'
        self.settings.write_text(f"{log}{text}{page}")

    def made_log(self) -> Path:
        Log(self.log, writes=True).close()
        return self.log

    def database(self, *statements: str) -> None:
        """Make the log a database of this content, held until the end."""
        db = sqlite3.connect(self.log, isolation_level=None)
        self.end.callback(db.close)
        for statement in statements:
            db.execute(statement)

    def silent_line(self) -> int:
        """A serial port at which nothing answers."""
        ours, theirs = os.openpty()
        self.end.callback(os.close, ours)
        self.end.callback(os.close, theirs)
        return theirs

    def here(self, device: EmulatedBox | UartPN532) -> str:
        """Have a device here until the end; return its port."""
        self.end.enter_context(device)
        return device.path


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as end:
        room = Room(tmp_path, end)
        room.table(VIRTUAL)
        yield room


# What stands in the way, beyond settings


def tags(text: str) -> Callable[[Room], None]:
    def cause(room: Room) -> None:
        room.table(f'tags = "tags.toml"\n{VIRTUAL}')
        room.tags.write_text(text)

    return cause


def taken_port(room: Room) -> None:
    port_taken = room.end.enter_context(socket.create_server(("127.0.0.1", 0)))
    room.table(f'[page]\nhost = "127.0.0.1"\nport = {port_taken.getsockname()[1]}\n{VIRTUAL}')


def locked_folder(room: Room) -> None:
    (room.log.parent / "locked").mkdir(mode=0o500)
    room.table(f'log = "locked/log.sqlite"\n{VIRTUAL}')


def log_below_a_file(room: Room) -> None:
    (room.log.parent / "file").touch()
    room.table(f'log = "file/log.sqlite"\n{VIRTUAL}')


def held_log(room: Room) -> None:
    room.made_log()
    room.database("PRAGMA journal_mode = DELETE", "BEGIN EXCLUSIVE")
    room.end.enter_context(patch("sqlite3.connect", partial(sqlite3.connect, timeout=0.0)))


def torn_log(room: Room) -> None:
    whole = room.made_log().read_bytes()
    room.log.write_bytes(whole[:100] + b"\x5a" * 3000 + whole[3100:])


def closed_line(device: Callable[[object], str]) -> Callable[[Room], None]:
    def cause(room: Room) -> None:
        line = room.silent_line()
        room.table(device(os.ttyname(line)))
        os.fchmod(line, 0)

    return cause


def busy_line(device: Callable[[object], str]) -> Callable[[Room], None]:
    def cause(room: Room) -> None:
        line = room.silent_line()
        room.table(device(os.ttyname(line)))
        fcntl.flock(line, fcntl.LOCK_EX)

    return cause


def silent_reader(room: Room) -> None:
    room.table(reader(os.ttyname(room.silent_line())))


def other_chip(room: Room) -> None:
    chip = UartPN532()
    chip.kind = 0x33
    room.table(reader(room.here(chip)))


def box_like(device: Callable[[], EmulatedBox | UartPN532]) -> Callable[[Room], None]:
    return lambda room: room.table(box(room.here(device())))


CAUSES: dict[str, str | Callable[[Room], object]] = {
    "no folder for a table": lambda room: shutil.rmtree(room.settings.parent),
    "a table not ours to read": lambda room: room.settings.chmod(0),
    "a wrong table": VIRTUAL.replace("virtual", "virtal"),
    "wrong tags": tags('[stop-it]\nred-99 = "04A1B2C3"\n'),
    "broken tags": tags("[stop-it\n"),
    "a page at no address": f'[page]\nhost = "no such address"\n{VIRTUAL}',
    "a page at another machine": f'[page]\nhost = "192.0.2.77"\n{VIRTUAL}',
    "a taken port": taken_port,
    "a second companion": lambda room: room.end.callback(Log(room.log, writes=True).close),
    "a locked folder": locked_folder,
    "a log not ours": lambda room: room.made_log().chmod(0o400),
    "a log not ours to read": lambda room: room.made_log().chmod(0),
    "a log that is a folder": lambda room: room.log.mkdir(),
    "a log that is a pipe": lambda room: os.mkfifo(room.log),
    "a log below a file": log_below_a_file,
    "a log that is none": lambda room: room.log.write_text("Dear diary, this is no database at all. " * 100),
    "another's database": lambda room: room.database("CREATE TABLE places (url TEXT)"),
    "a newer log": lambda room: room.database("CREATE TABLE better (events BLOB)", "PRAGMA user_version = 99"),
    "a held log": held_log,
    "a torn log": torn_log,
    "no reader": reader("/dev/ttyUSB99"),
    "a reader at a folder": reader("/dev"),
    "a reader at no serial port": reader("/dev/null"),
    "a reader not ours": closed_line(reader),
    "a reader in use": busy_line(reader),
    "a silent reader": silent_reader,
    "a box as reader": lambda room: room.table(reader(room.here(EmulatedBox()))),
    "another chip": other_chip,
    "no SPI": on_bus("pn532-spi", "/dev/spidev9.9"),
    "no I2C": on_bus("pn532-i2c", "/dev/i2c-99"),
    "no name of an SPI bus": on_bus("pn532-spi", "/dev/spi0"),
    "no SPI bus": on_bus("pn532-spi", "/dev/null"),
    "no GPIO": f'{GPIO.format("gpiod")}chip = "/dev/gpiochip99"\n',
    "no GPIO chip": f'{GPIO.format("gpiod")}chip = "/dev/null"\n',
    "no module": GPIO.format("rpi-gpio"),
    "no box": box("/dev/ttyACM99"),
    "a box at no serial port": box("/dev/null"),
    "a box not ours": closed_line(box),
    "a box in use": busy_line(box),
    "a reader as box": box_like(UartPN532),
    "an older box": box_like(lambda: EmulatedBox(version=0)),
    "a newer box": box_like(lambda: EmulatedBox(version=2)),
    "a box with too few buttons": box_like(lambda: EmulatedBox(buttons=1)),
}
"""Settings, or what is done to a room."""

# What stands in the way | the exit status | what is told | its cure.
TOLD = """\
no folder for a table | 2 | No such file | There is no folder
a table not ours to read | 2 | table.toml: Permission denied | sudo chmod a+r
a wrong table | 2 | line 3: unknown driver 'virtal' | known: gpiod, pico, rpi-gpio, virtual
wrong tags | 0 | red-99 | tags.toml
broken tags | 0 | tags.toml | line 1
a page at no address | 1 | host is not an address | "0.0.0.0" is every one
a page at another machine | 1 | has no such address | "0.0.0.0" is every one
a taken port | 0 | another program has that port | choose another by `port` in [page]
a second companion | 1 | another companion already uses the log | Stop it first
a locked folder | 1 | can't write beside the log | choose another place for the log
a log not ours | 1 | readonly database | This user may not write it: sudo chown
a log not ours to read | 1 | only the user who keeps the table may | If this user should keep the table: sudo chown
a log that is a folder | 2 | line 1: log = 'log.sqlite' is a folder | name a file
a log that is a pipe | 1 | is no ordinary file | give the log a file of its own
a log below a file | 1 | File exists | choose another place for the log
a log that is none | 1 | The file is not a log | give the log another name
another's database | 1 | the database of another program | a file of its own
a newer log | 1 | newer companion (log version 99 | update this one
a held log | 1 | Another program holds it | close that one
a torn log | 1 | The file is damaged | companion restore
no reader | 0 | The port /dev/ttyUSB99 does not exist | plug the reader in or correct the port
a reader at a folder | 0 | Is a directory | correct the port
a reader at no serial port | 0 | /dev/null can't be used as a serial port | correct the port
a reader not ours | 0 | No permission to open | usermod -aG dialout
a reader in use | 0 | is busy | another program, or another reader
a silent reader | 0 | nothing answers there as a PN532 (no answer) | the board's switch is set to HSU
a box as reader | 0 | nothing answers there as a PN532 | Check that it is the right port
another chip | 0 | another chip, or a clone | Check that it is the right port
no SPI | 0 | The bus /dev/spidev9.9 does not exist | switch SPI on (sudo raspi-config nonint do_spi 0)
no I2C | 0 | The bus /dev/i2c-99 does not exist | (a Pi 5: sudo raspi-config nonint do_i2c 0; a Pi before it
no name of an SPI bus | 0 | /dev/spi0 is no name of an SPI bus | correct `bus`, as in /dev/spidev0.0
no SPI bus | 0 | /dev/null can't be used as an SPI bus | correct `bus`
no GPIO | 0 | There is no /dev/gpiochip99 | correct `chip`
no GPIO chip | 0 | /dev/null is not a GPIO chip | correct `chip`
no module | 0 | The module RPi.GPIO is not installed | pip install 'table-companion[rpi-lgpio]'
no box | 0 | there is no port /dev/ttyACM99 | is the buzzer box plugged in?
a box at no serial port | 0 | /dev/null can't be used as a serial port | check `port`
a box not ours | 0 | No permission to open | usermod -aG dialout
a box in use | 0 | another program has | stop it (a second companion, a terminal, Thonny)
a reader as box | 0 | no buzzer box answers there | is it the right port, not a reader's
an older box | 0 | speaks version 0 of the protocol | companion firmware install --port
a newer box | 0 | speaks version 2 of the protocol | install a newer companion
a box with too few buttons | 0 | has 1 buttons, but table.toml gives it 2 seats | take seats out there
"""
CASES = [tuple(line.split(" | ")) for line in TOLD.splitlines()]


def put_in_the_way(room: Room, name: str) -> None:
    """Put a cause in the way of a table that would start."""
    cause = CAUSES[name]
    if isinstance(cause, str):
        room.table(cause)
    else:
        cause(room)


@pytest.fixture(autouse=True)
def _stopped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever page is opened, somebody stops the program."""
    for opener in ("table_in_play", "first_aid", "setting_up"):
        monkeypatch.setattr(f"companion.cli.{opener}.serve", lambda *_: None)


@pytest.mark.parametrize(("name", "status", "fault", "cure"), CASES, ids=[case[0] for case in CASES])
def test_it_is_told_at_the_start(
    room: Room, name: str, status: str, fault: str, cure: str, caplog: pytest.LogCaptureFixture
) -> None:
    put_in_the_way(room, name)
    done = refusable("run", room.settings)
    assert done.exit_code == int(status), done.output
    message = done.stderr + caplog.text  # a table that starts all the same tells it in its journal
    assert fault in message
    assert cure in message
    assert "Traceback" not in done.stderr


DEVICES = [name for name, *_ in CASES[[name for name, *_ in CASES].index("no reader") :]]


@pytest.mark.parametrize("name", DEVICES)
def test_whatever_a_driver_reports_has_words_for_players_and_builders_in_each_language(room: Room, name: str) -> None:
    put_in_the_way(room, name)
    for sensor in load(room.settings).sensors:
        source = sensor.open(time.monotonic)
        with pytest.raises(NotThere) as raised:
            source.start()
        source.close()
        for language in LANGUAGES:
            words = PageWords(None, language)
            assert said_to_players(source.name, raised.value.fault, words)
            assert said_to_builders(source.name, raised.value.fault, has_worked=False, words=words)


def test_no_cause_is_told_in_the_words_of_another() -> None:
    assert {name for name, *_ in CASES} == CAUSES.keys()
    faults_and_cures = [(fault, cure) for _, _, fault, cure in CASES if "No permission" not in fault]
    assert len(set(faults_and_cures)) == len(faults_and_cures)


RECORDED = (
    *("a wrong table", "wrong tags", "a page at no address", "a taken port", "a second companion"),
    *("no reader", "a silent reader", "another chip", "an older box", "a log not ours", "a held log"),
)


@pytest.mark.parametrize("name", RECORDED)
def test_what_was_recorded_is_all_there_afterwards(room: Room, name: str) -> None:
    log = Log(room.log, writes=True)
    log.open_match("now", False, FIRST)
    log.close()
    put_in_the_way(room, name)
    refusable("run", room.settings)
    room.end.close()
    reopened = Log(room.log, writes=False)
    assert reopened.events(1) == (FIRST,)
    reopened.close()


@pytest.mark.parametrize("name", ["a log that is none", "another's database", "a newer log"])
def test_a_file_that_is_no_log_of_ours_is_left_byte_for_byte(room: Room, name: str) -> None:
    put_in_the_way(room, name)
    bytes_before = room.log.read_bytes()
    refusable("run", room.settings)
    assert room.log.read_bytes() == bytes_before


def test_whatever_is_missing_is_told_at_the_start_and_no_reason_not_to_play(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    room.table(reader("/dev/ttyUSB99") + box("/dev/ttyACM99"))
    assert refusable("run", room.settings).exit_code == 0
    assert "ttyUSB99 does not exist" in caplog.text
    assert "there is no port /dev/ttyACM99" in caplog.text


def test_what_goes_wrong_while_it_starts_ends_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that plays on would keep it waiting, without a page, for ever."""
    threads_before = {*threading.enumerate()}
    monkeypatch.setattr(Simulation, "resume", lambda _: 1 / 0)
    with closing(Door("--port")) as door, pytest.raises(ZeroDivisionError):
        keep(virtual_table(tmp_path / "log.sqlite", "127.0.0.1", free_port()), Start(door))
    assert [thread.name for thread in {*threading.enumerate()} - threads_before if not thread.daemon] == []


def test_a_table_that_is_started_again_and_again_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is whenever the network changes."""
    threads_before = {*threading.enumerate()}
    tables: list[weakref.ref[Live]] = []
    beginning = Live.start

    def begin(live: Live) -> None:
        tables.append(weakref.ref(live))
        beginning(live)

    monkeypatch.setattr(Live, "start", begin)
    monkeypatch.setattr(table_in_play, "serve", lambda *_: None)
    with closing(Door("--port")) as door:
        for _ in range(3):
            keep(virtual_table(tmp_path / "log.sqlite", "127.0.0.1", free_port()), Start(door))
    assert {*threading.enumerate()} - threads_before == set()
    gc.collect()
    assert [table() for table in tables] == [None, None, None]
