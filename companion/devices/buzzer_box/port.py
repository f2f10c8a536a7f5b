"""The serial port of the buzzer box, opened exclusively."""

import contextlib
import termios

from companion.devices.buzzer_box.faults import not_opened, shared, unplugged
from companion.devices.serial_line import SerialLine, SharedPort

_READ_S = 0.05
_WRITE_S = 2.0  # on a busy computer this program may not be scheduled for a second
# termios.error is not an OSError; pyserial lets it, and a TypeError, through if the device is unplugged while in use.
_BROKEN = (OSError, termios.error, TypeError)


class BoxPort:
    """An open serial port. `read` and `write` raise `Lost` when it breaks."""

    def __init__(self, path: str) -> None:
        """Open the port exclusively. Raises `Lost`."""
        self._path = path
        try:
            # USB ignores the speed; a UART adapter in between needs one.
            self._port = SerialLine(path, 115200, timeout=_READ_S, write_timeout=_WRITE_S)
        except _BROKEN as error:
            raise not_opened(path, error) from error

    def read(self) -> bytes:
        """Wait up to 50 ms for bytes, and return all that are there."""
        try:
            first = self._port.read(1)
            return first + self._port.read(self._port.in_waiting) if first else b""
        except SharedPort as error:
            raise shared(self._path) from error
        except _BROKEN as error:
            raise unplugged(self._path) from error

    def write(self, line: bytes) -> None:
        """Hand bytes to the port."""
        try:
            self._port.write(line)
        except _BROKEN as error:
            raise unplugged(self._path) from error

    def close(self) -> None:
        """Release the port, even a broken one."""
        with contextlib.suppress(*_BROKEN):
            self._port.close()
