"""A USB cable: the chip's port as a device of this machine, for programs that know nothing of an emulator."""

import os
import pty
import select
import threading
import time
import tty
from contextlib import suppress
from types import TracebackType

from tests.firmware.silicon.chip import Chip

_SLICE_S = 0.005
_LISTED_S = 0.02
"""What is said to it sooner than that after its listing gets lost in the emulator."""


class Cable:
    """Carries bytes both ways in a thread, in which the chip runs: never ahead of the clock on the wall."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._master, False)
        self._pulled = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)

    def __enter__(self) -> "Cable":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pulled.set()
        self._thread.join()
        os.close(self._master)

    def _carry(self) -> None:
        begun = time.monotonic() - self._chip.now
        last_told = None
        while not self._pulled.is_set():
            is_open = self._is_open()
            listed = self._chip.listed_at
            if listed is not None and self._chip.now - listed > _LISTED_S and last_told != (is_open, listed):
                (self._chip.open if is_open else self._chip.close)()
                last_told = is_open, listed
            self._chip.run(_SLICE_S)
            if is_open:
                self._exchange()
            else:
                self._chip.heard.clear()
            ahead = self._chip.now - (time.monotonic() - begun)
            if ahead > 0:
                time.sleep(ahead)
            else:
                begun -= ahead

    def _is_open(self) -> bool:
        poll = select.poll()
        poll.register(self._master, select.POLLHUP)
        return not any(event & select.POLLHUP for _, event in poll.poll(0))

    def _exchange(self) -> None:
        with suppress(OSError):  # nothing there, or just closed
            self._chip.send(os.read(self._master, 4096))
        with suppress(OSError):
            del self._chip.heard[: os.write(self._master, self._chip.heard[:1024])]
