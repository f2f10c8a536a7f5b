"""What keeps a table from starting: each cause is told at the start, in words of its own, with its cure.

The program is run as people run it, on ports that the kernel has made. Settings are in `test_config.py`, what only a
kernel's GPIO can refuse in `tests/kernel`.
"""

import fcntl
import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.events import Player, Started
from companion.storage.log import Log
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532 import UartPN532
from tests.refusals import refusable

VIRTUAL = '[[buzzers]]\ndriver = "virtual"\nseats = [1]\n'
FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})


class Room:
    """A folder for a table, and what stands in its way until the test is over."""

    def __init__(self, folder: Path, until_the_end: ExitStack) -> None:
        self.folder = folder
        self.end = until_the_end
        self.settings = folder / "table.toml"
        self.log = folder / "log.sqlite"

    def table(self, text: str, log: str = "log.sqlite") -> None:
        """Write table.toml; the page is at a free port unless the text says where."""
        page = "" if "[page]" in text else f'[page]\nhost = "127.0.0.1"\nport = {free_port()}\n'
        self.settings.write_text(f'log = "{log}"\n{text}' if "log =" not in text else text)
        if page:
            self.settings.write_text(f"{self.settings.read_text()}{page}")

    def reader(self, port: object, more: str = "") -> None:
        self.table(f'[[reader]]\ndriver = "pn532-uart"\nplace = "centre"\nport = "{port}"\n{more}')

    def box(self, port: object) -> None:
        self.table(f'[[buzzers]]\ndriver = "pico"\nseats = [1, 2]\nport = "{port}"\n')

    def line(self) -> str:
        """A serial port at which nothing answers."""
        ours, theirs = os.openpty()
        self.end.callback(os.close, ours)
        self.end.callback(os.close, theirs)
        self.theirs = theirs
        return os.ttyname(theirs)

    def keeps(self, taken: socket.socket) -> int:
        """Have a socket open until the end; give its port."""
        self.end.callback(taken.close)
        port: int = taken.getsockname()[1]
        return port


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as end:
        yield Room(tmp_path, end)


# What stands in the way


def wrong_table(room: Room) -> None:
    room.table(VIRTUAL.replace("virtual", "virtal"))


def no_table(room: Room) -> None:
    pass


def a_table_not_ours_to_read(room: Room) -> None:
    room.table(VIRTUAL)
    room.settings.chmod(0)


def wrong_tags(room: Room) -> None:
    room.table(f'tags = "tags.toml"\n{VIRTUAL}')
    (room.folder / "tags.toml").write_text('[stop-it]\nred-99 = "04A1B2C3"\n')


def broken_tags(room: Room) -> None:
    room.table(f'tags = "tags.toml"\n{VIRTUAL}')
    (room.folder / "tags.toml").write_text("[stop-it\n")


def a_page_at_no_address(room: Room) -> None:
    room.table(f'[page]\nhost = "no such address"\n{VIRTUAL}')


def a_page_at_another_machine(room: Room) -> None:
    room.table(f'[page]\nhost = "192.0.2.77"\n{VIRTUAL}')


def a_taken_port(room: Room) -> None:
    port = room.keeps(socket.create_server(("127.0.0.1", 0)))
    room.table(f'[page]\nhost = "127.0.0.1"\nport = {port}\n{VIRTUAL}')


def a_second_companion(room: Room) -> None:
    room.table(VIRTUAL)
    room.end.callback(Log(room.log, writes=True).close)


def a_log_where_nothing_may_be_written(room: Room) -> None:
    locked = room.folder / "locked"
    locked.mkdir(mode=0o500)
    room.table(VIRTUAL, log="locked/log.sqlite")


def a_log_not_ours(room: Room) -> None:
    room.table(VIRTUAL)
    Log(room.log, writes=True).close()
    room.log.chmod(0o400)


def a_log_not_ours_to_read(room: Room) -> None:
    room.table(VIRTUAL)
    Log(room.log, writes=True).close()
    room.log.chmod(0)


def a_log_that_is_a_folder(room: Room) -> None:
    room.log.mkdir()
    room.table(VIRTUAL)


def a_log_below_a_file(room: Room) -> None:
    (room.folder / "file").touch()
    room.table(VIRTUAL, log="file/log.sqlite")


def a_log_that_is_none(room: Room) -> None:
    room.log.write_text("Dear diary, this is no database at all. " * 100)
    room.table(VIRTUAL)


def anothers_database(room: Room) -> None:
    db = sqlite3.connect(room.log)
    db.execute("CREATE TABLE places (url TEXT)")
    db.close()
    room.table(VIRTUAL)


def a_newer_log(room: Room) -> None:
    db = sqlite3.connect(room.log)
    db.execute("CREATE TABLE better (events BLOB)")
    db.execute("PRAGMA user_version = 2")
    db.close()
    room.table(VIRTUAL)


def a_held_log(room: Room) -> None:
    Log(room.log, writes=True).close()
    db = sqlite3.connect(room.log, isolation_level=None)
    db.execute("PRAGMA journal_mode = DELETE")
    db.execute("BEGIN EXCLUSIVE")
    room.end.callback(db.close)
    room.table(VIRTUAL)


def a_torn_log(room: Room) -> None:
    Log(room.log, writes=True).close()
    whole = room.log.read_bytes()
    room.log.write_bytes(whole[:100] + b"\x5a" * 3000 + whole[3100:])
    room.table(VIRTUAL)


def no_reader(room: Room) -> None:
    room.reader("/dev/ttyUSB99")


def a_reader_at_a_folder(room: Room) -> None:
    room.reader(room.folder)


def a_reader_at_no_serial_port(room: Room) -> None:
    room.reader("/dev/null")


def a_reader_not_ours_to_open(room: Room) -> None:
    room.reader(room.line())
    os.fchmod(room.theirs, 0)


def a_reader_that_another_program_has(room: Room) -> None:
    room.reader(room.line())
    fcntl.flock(room.theirs, fcntl.LOCK_EX)


def a_silent_reader(room: Room) -> None:
    room.reader(room.line())


def a_box_where_a_reader_should_be(room: Room) -> None:
    room.reader(room.end.enter_context(EmulatedBox()).path)


def another_chip(room: Room) -> None:
    chip = room.end.enter_context(UartPN532())
    chip.kind = 0x33
    room.reader(chip.path)


def no_spi(room: Room) -> None:
    room.table('[[reader]]\ndriver = "pn532-spi"\nplace = "centre"\nbus = "/dev/spidev9.9"\n')


def no_i2c(room: Room) -> None:
    room.table('[[reader]]\ndriver = "pn532-i2c"\nplace = "centre"\nbus = "/dev/i2c-99"\n')


def no_spi_at_all(room: Room) -> None:
    room.table('[[reader]]\ndriver = "pn532-spi"\nplace = "centre"\nbus = "/dev/null"\n')


def no_gpio(room: Room) -> None:
    room.table('[[buzzers]]\ndriver = "gpiod"\nseats = [1]\nlines = [17]\nchip = "/dev/gpiochip99"\n')


def no_gpio_chip(room: Room) -> None:
    room.table('[[buzzers]]\ndriver = "gpiod"\nseats = [1]\nlines = [17]\nchip = "/dev/null"\n')


def no_module(room: Room) -> None:
    room.table('[[buzzers]]\ndriver = "rpi-gpio"\nseats = [1]\nlines = [17]\n')


def no_box(room: Room) -> None:
    room.box("/dev/ttyACM99")


def a_box_at_no_serial_port(room: Room) -> None:
    room.box("/dev/null")


def a_box_not_ours_to_open(room: Room) -> None:
    room.box(room.line())
    os.fchmod(room.theirs, 0)


def a_box_that_another_program_has(room: Room) -> None:
    room.box(room.line())
    fcntl.flock(room.theirs, fcntl.LOCK_EX)


def a_reader_where_a_box_should_be(room: Room) -> None:
    room.box(room.end.enter_context(UartPN532()).path)


def an_older_box(room: Room) -> None:
    room.box(room.end.enter_context(EmulatedBox(version=0)).path)


def a_newer_box(room: Room) -> None:
    room.box(room.end.enter_context(EmulatedBox(version=2)).path)


def a_box_with_too_few_buttons(room: Room) -> None:
    room.box(room.end.enter_context(EmulatedBox(buttons=1)).path)


# (What stands in the way, the exit status, what is told, its cure.)
CASES = [
    (no_table, 2, "No such file", "Give the path of your table.toml"),
    (a_table_not_ours_to_read, 2, "table.toml: Permission denied", "sudo chmod a+r"),
    (wrong_table, 2, "line 3: unknown driver 'virtal'", "known: gpiod, pico, rpi-gpio, virtual"),
    (wrong_tags, 2, "red-99", "tags.toml"),
    (broken_tags, 2, "tags.toml", "line 1"),
    (a_page_at_no_address, 1, "host is no address", '"0.0.0.0" is every one'),
    (a_page_at_another_machine, 1, "has no such address", '"0.0.0.0" is every one'),
    (a_taken_port, 1, "another program has that port", "choose another port"),
    (a_second_companion, 1, "another companion already uses the log", "Stop it first"),
    (a_log_where_nothing_may_be_written, 1, "can't write beside the log", "choose another place for the log"),
    (a_log_not_ours, 1, "readonly database", "This user may not write it: sudo chown"),
    (a_log_not_ours_to_read, 1, "unable to open", "This user may not open it: sudo chown"),
    (a_log_that_is_a_folder, 1, "It is a folder", "give the log's file"),
    (a_log_below_a_file, 1, "File exists", "choose another place for the log"),
    (a_log_that_is_none, 1, "The file is no log", "give the log another name"),
    (anothers_database, 1, "the database of another program", "a file of its own"),
    (a_newer_log, 1, "newer companion (log version 2", "update this one"),
    (a_held_log, 1, "Another program holds it", "close that one"),
    (a_torn_log, 1, "The file is damaged", "companion restore"),
    (no_reader, 1, "The port /dev/ttyUSB99 does not exist", "plug the reader in or correct the port"),
    (a_reader_at_a_folder, 1, "Is a directory", "correct the port"),
    (a_reader_at_no_serial_port, 1, "/dev/null can't be used as a serial port", "correct the port"),
    (a_reader_not_ours_to_open, 1, "No permission to open", "usermod -aG dialout"),
    (a_reader_that_another_program_has, 1, "is busy", "another program, or another reader"),
    (a_silent_reader, 1, "nothing answers there as a PN532 (no answer)", "TX and RX are crossed"),
    (a_box_where_a_reader_should_be, 1, "nothing answers there as a PN532", "Check that it is the right port"),
    (another_chip, 1, "the chip says it is a PN533", "Check that it is the right port"),
    (no_spi, 1, "The bus /dev/spidev9.9 does not exist", "switch SPI on (sudo raspi-config nonint do_spi 0)"),
    (no_i2c, 1, "The bus /dev/i2c-99 does not exist", "switch I2C on (sudo raspi-config nonint do_i2c 0)"),
    (no_spi_at_all, 1, "/dev/null can't be used as an SPI bus", "correct `bus`"),
    (no_gpio, 1, "There is no /dev/gpiochip99", "correct `chip`"),
    (no_gpio_chip, 1, "/dev/null is not a GPIO chip", "correct `chip`"),
    (no_module, 1, "The module RPi.GPIO is not installed", "pip install 'table-companion[rpi-lgpio]'"),
    (no_box, 1, "there is no port /dev/ttyACM99", "is the buzzer box plugged in?"),
    (a_box_at_no_serial_port, 1, "/dev/null can't be used as a serial port", "check `port`"),
    (a_box_not_ours_to_open, 1, "No permission to open", "usermod -aG dialout"),
    (a_box_that_another_program_has, 1, "another program has", "stop it (a second companion, a terminal, Thonny)"),
    (a_reader_where_a_box_should_be, 1, "no buzzer box answers there", "is it the right port, not a reader's"),
    (an_older_box, 1, "speaks version 0 of the protocol", "companion firmware install --port"),
    (a_newer_box, 1, "speaks version 2 of the protocol", "install a newer companion"),
    (a_box_with_too_few_buttons, 1, "has 1 buttons, but table.toml gives it 2 seats", "take seats out there"),
]


@pytest.mark.parametrize(("cause", "status", "what", "cure"), CASES, ids=[case[0].__name__ for case in CASES])
def test_it_is_told_at_the_start(room: Room, cause: Callable[[Room], None], status: int, what: str, cure: str) -> None:
    cause(room)
    done = refusable("run", room.settings)
    assert done.returncode == status, done.stderr
    assert what in done.stderr
    assert cure in done.stderr
    assert "Traceback" not in done.stderr


def test_no_cause_is_told_in_the_words_of_another() -> None:
    told = [(what, cure) for _, _, what, cure in CASES if "No permission" not in what]
    assert len(set(told)) == len(told)


RECORDED = [
    *(wrong_table, wrong_tags, a_page_at_no_address, a_taken_port, a_second_companion),
    *(no_reader, a_silent_reader, another_chip, an_older_box, a_log_not_ours, a_held_log),
]


@pytest.mark.parametrize("cause", RECORDED, ids=[cause.__name__ for cause in RECORDED])
def test_what_was_recorded_is_all_there_afterwards(room: Room, cause: Callable[[Room], None]) -> None:
    log = Log(room.log, writes=True)
    log.open_match("now", False, FIRST)
    log.close()
    cause(room)
    refusable("run", room.settings)
    room.end.close()
    kept = Log(room.log, writes=False)
    assert kept.events(1) == (FIRST,)
    kept.close()


@pytest.mark.parametrize(
    "cause", [a_log_that_is_none, anothers_database, a_newer_log], ids=lambda cause: cause.__name__
)
def test_a_file_that_is_no_log_of_ours_is_left_byte_for_byte(room: Room, cause: Callable[[Room], None]) -> None:
    cause(room)
    before = room.log.read_bytes()
    refusable("run", room.settings)
    assert room.log.read_bytes() == before


def test_all_that_is_missing_is_told_at_once(room: Room) -> None:
    room.reader("/dev/ttyUSB99", '[[buzzers]]\ndriver = "pico"\nseats = [1]\nport = "/dev/ttyACM99"\n')
    told = refusable("run", room.settings).stderr
    assert "ttyUSB99 does not exist" in told
    assert "there is no port /dev/ttyACM99" in told
