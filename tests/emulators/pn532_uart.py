"""PN532s at serial ports that do not exist: what the driver opens (`EmulatedPorts.line`) and its pins (`.output`).

The driver's own `Line` reads a pipe into which bytes are put when their time has come. `pn532.UartPN532` is a port that
the kernel knows, for tests that need one.
"""

import errno
import os
import time
from collections.abc import Mapping

import serial

from companion.devices.drivers.pn532_uart import ANSWER_WITHIN, Line
from tests.emulators.pn532 import Chip
from tests.emulators.pn532_i2c import EmulatedReset


class EmulatedPorts:
    """The machine's serial ports, by path."""

    def __init__(self, chips: Mapping[str, Chip], resets: Mapping[int, Chip] | None = None) -> None:
        """Takes the chips by path, and by the GPIO at their reset."""
        self.chips = chips
        self.resets = resets or {}
        self.unplugged: set[str] = set()
        self.files = 0
        """How many are open."""
        for chip in chips.values():
            chip.neighbours = [other for other in chips.values() if other is not chip]

    def unplug(self, path: str) -> None:
        self.unplugged.add(path)

    def replug(self, path: str) -> None:
        """Plugs it in again: the chip powers up asleep."""
        self.unplugged.remove(path)
        self.chips[path].reset()

    def line(self, path: str, baud: int, **_: object) -> "EmulatedLine":
        """Opens a port, in the place of `pn532_uart.Line`."""
        if path in self.unplugged:
            raise serial.SerialException(errno.ENOENT, os.strerror(errno.ENOENT))
        return EmulatedLine(self, path, 10 / baud)

    def output(self, number: int | None) -> EmulatedReset | None:
        """Gives a pin, in the place of `gpio.output`."""
        return None if number is None else EmulatedReset(self.resets[number])


class EmulatedLine(Line):
    """An open port."""

    def __init__(self, ports: EmulatedPorts, path: str, byte: float) -> None:
        """Takes also the seconds that a byte is under way."""
        super().__init__(None, timeout=0)
        self._ports, self._path, self._byte = ports, path, byte
        self._under_way: list[tuple[float, bytes]] = []
        self.fd, self._other = os.pipe()
        os.set_blocking(self.fd, False)
        self.pipe_abort_read_r, self._abort = os.pipe()
        self.is_open = True
        ports.files += 1

    @property
    def in_waiting(self) -> int:
        end = time.monotonic() + ANSWER_WITHIN
        if self._under_way and self._under_way[0][0] <= end:
            at, data = self._under_way.pop(0)
            time.sleep(at - time.monotonic())
            self._plugged_in()
            os.write(self._other, data)
        else:
            time.sleep(ANSWER_WITHIN)
        return super().in_waiting

    def write(self, data: bytes) -> int:
        self._plugged_in()
        time.sleep(len(data) * self._byte)
        at = time.monotonic()
        for after, reply in self._ports.chips[self._path].hear(bytes(data)):
            at += after + len(reply) * self._byte
            self._under_way.append((at, reply))
        return len(data)

    def reset_input_buffer(self) -> None:
        """Only what has come is forgotten."""
        now = time.monotonic()
        self._under_way = [(at, data) for at, data in self._under_way if at > now]
        try:
            while os.read(self.fd, 65536):
                pass
        except BlockingIOError:
            pass

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self._ports.files -= 1
            for fd in (self.fd, self._other, self.pipe_abort_read_r, self._abort):
                os.close(fd)

    def _plugged_in(self) -> None:
        if self._path in self._ports.unplugged:
            raise serial.SerialException(errno.EIO, os.strerror(errno.EIO))
