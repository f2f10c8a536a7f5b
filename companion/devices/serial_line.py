"""A serial port that works however many files are open.

pyserial waits by select(), which can't take a file descriptor above 1023. Every phone takes one, so a port that is
replugged may get a higher one.
"""

import os
import select
import time
from typing import TYPE_CHECKING

import serial

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class SharedPort(OSError):
    """Another program reads what the device sends: the port was ready, and then empty, and is still there."""


class SerialLine(serial.Serial):
    """An open port, locked against programs that ask. Failures raise an OSError, such as `SharedPort`."""

    def __init__(self, port: str | None, baud: int, timeout: float, write_timeout: float) -> None:
        """Open the port; None: later. Raises `serial.SerialException`.

        `timeout` and `write_timeout`: seconds that `read` waits for all it was asked for, and `write` for the device.
        """
        super().__init__(port, baud, timeout=timeout, write_timeout=write_timeout, exclusive=True)
        self._read_within = timeout
        self._written_within = write_timeout

    def comes(self, within: float) -> bool:
        """Wait this many seconds for a byte, and return whether there is one."""
        return self._is_ready(select.POLLIN, within)

    def read(self, size: int = 1, /) -> bytes:
        """Return up to `size` bytes: those that come in time."""
        due = time.monotonic() + self._read_within
        received = bytearray()
        while len(received) < size and self.comes(due - time.monotonic()):
            try:
                more = os.read(self.fileno(), size - len(received))
            except BlockingIOError:
                more = b""
            if not more:
                raise self._empty()
            received += more
        return bytes(received)

    def write(self, data: "ReadableBuffer") -> int | None:
        """Hand all bytes to the device. Raises `serial.SerialTimeoutException` if it does not take them in time."""
        message = bytes(data)
        unsent = memoryview(message)
        due = time.monotonic() + self._written_within
        while unsent:
            if not self._is_ready(select.POLLOUT, due - time.monotonic()):
                raise serial.SerialTimeoutException("Write timeout")
            try:
                unsent = unsent[os.write(self.fileno(), unsent) :]
            except BlockingIOError:
                continue  # another program has filled the buffer since poll()
        return len(message)

    def is_there(self) -> bool:
        """Return whether the port is still plugged in."""
        try:
            return bool(super().in_waiting >= 0)
        except OSError:
            return False

    def _is_ready(self, event: int, within: float) -> bool:
        waiting = select.poll()
        waiting.register(self.fileno(), event)
        return bool(waiting.poll(max(0.0, within) * 1000))

    def _empty(self) -> OSError:
        if self.is_there():
            return SharedPort("another program reads from this port")
        return serial.SerialException("the port is gone")
