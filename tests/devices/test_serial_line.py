"""A serial port works however many files are open, and says when another program reads from it too."""

import os
import resource
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest

from companion.devices.drivers.pn532_uart import Reader
from companion.devices.listening import Listening
from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import Sensing, Working
from companion.devices.serial_line import SerialLine, SharedPort
from tests.devices.hearing import listening
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532_pty import UartPN532
from tests.waiting import until

BEYOND = 1024
"""The first file number that select() can't take."""


@contextmanager
def crowd() -> Iterator[None]:
    """So many open files that the next gets a number which select() can't take."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    with ExitStack() as ending:
        while ending.enter_context(open(os.devnull, "rb")).fileno() <= BEYOND:
            pass
        try:
            yield
        finally:
            ending.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def ends() -> Iterator[tuple[int, str]]:
    """A terminal: what is written into its near end is read at the far end, by name."""
    near, far_end = os.openpty()
    yield near, os.ttyname(far_end)
    os.close(near)
    os.close(far_end)


def test_a_port_is_read_and_written_when_many_files_are_open(ends: tuple[int, str]) -> None:
    near, name = ends
    with crowd(), closing(SerialLine(name, 115200, timeout=5.0, write_timeout=5.0)) as line:
        assert line.fileno() > BEYOND
        assert line.write(b"to the device") == 13
        assert os.read(near, 13) == b"to the device"
        os.write(near, b"to us")
        assert line.read(5) == b"to us"


def test_a_port_that_takes_nothing_is_given_up_in_time(ends: tuple[int, str]) -> None:
    line = SerialLine(ends[1], 115200, timeout=0.0, write_timeout=0.05)
    with closing(line), pytest.raises(OSError, match="Write timeout"):
        line.write(bytes(1_000_000))


def test_a_buzzer_box_is_heard_when_many_files_are_open() -> None:
    with EmulatedBox() as box, crowd(), listening(box.path) as table:
        box.press(1)
        until(lambda: table.presses)


def test_a_reader_is_polled_when_many_files_are_open() -> None:
    sensings_told: list[Sensing] = []
    with UartPN532() as chip, crowd():
        source = Reader("centre", chip.path).open(TableClock())
        at_work = Listening([source], lambda *sensings: sensings_told.extend(sensings))
        until(lambda: any(isinstance(sensing, Working) for sensing in sensings_told))
        at_work.stop()


def test_a_port_from_which_another_program_reads_says_so(ends: tuple[int, str]) -> None:
    near, name = ends
    with closing(SerialLine(name, 115200, timeout=0.0, write_timeout=1.0)) as line:
        line.comes = lambda within: bool(os.write(near, b"ours") and os.read(line.fd, 4))  # type: ignore[method-assign]
        with pytest.raises(SharedPort):
            line.read(4)


def test_a_port_that_is_gone_is_not_called_shared(ends: tuple[int, str]) -> None:
    near, far_end = os.openpty()
    with closing(SerialLine(os.ttyname(far_end), 115200, timeout=5.0, write_timeout=1.0)) as line:
        os.close(far_end)
        threading.Timer(0.05, os.close, [near]).start()
        with pytest.raises(OSError, match=r"gone|error") as gone:
            line.read(1)
    assert not isinstance(gone.value, SharedPort)
