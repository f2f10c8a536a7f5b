"""The buzzer box behind a USB cable that the kernel alone has: a real /dev/ttyACM0, to plug in and unplug."""

import contextlib
import os
import tty
from pathlib import Path

from tests.emulators.box import EmulatedBox

PORT = "/dev/ttyACM0"
_BOX_SIDE = "/dev/ttyGS0"
_UNPLUGGED = Path("/sys/bus/usb/devices/1-0:1.0/usb1-port1/disable")


class UsbBox(EmulatedBox):
    """The emulated box, whose cable is USB. It keeps its power when that is pulled."""

    def __init__(self) -> None:
        super().__init__()
        self.path = PORT

    def replug(self) -> None:
        with self._lock:
            _UNPLUGGED.write_text("0")
            self._master = os.open(_BOX_SIDE, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            tty.setraw(self._master)
            self._received = b""
            self._hello()
            self._repeat_at = 0.0
        self._wake()

    def unplug(self, *, mid_line: bool = False) -> None:
        assert not mid_line
        with self._lock:
            _UNPLUGGED.write_text("1")
            if self._master >= 0:
                os.close(self._master)
            self._master = -1

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # the kernel notices a pulled cable before the box does
            super()._write(data)
