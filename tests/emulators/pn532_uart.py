"""PN532s at serial ports that do not exist: what the driver opens (`EmulatedPorts.line`) and its pins (`.output`).

The driver's own `UartLine` reads a pipe into which bytes are put when their time has come. `pn532_pty.UartPN532` is a
port that the kernel knows, for tests that need one.
"""

import errno
import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import serial

from companion.devices.drivers.pn532_uart import UartLine
from tests.emulators.pn532 import Chip
from tests.emulators.pn532_i2c import EmulatedReset

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class EmulatedPorts:
    """The machine's serial ports, by path."""

    def __init__(self, chips: Mapping[str, Chip], resets: Mapping[int, Chip] | None = None) -> None:
        """Takes the chips by path, and by the GPIO at their reset."""
        self.chips = chips
        self.resets = resets or {}
        self.unplugged: set[str] = set()
        self.files = 0
        """How many are open."""
        self.deaf = 0.0
        """Seconds after opening a port before the first byte comes through it."""
        self.latency = 0.0
        """Seconds that an adapter waits for more bytes before it hands some over."""
        for chip in chips.values():
            chip.neighbours = [other for other in chips.values() if other is not chip]

    def unplug(self, path: str) -> None:
        self.unplugged.add(path)

    def replug(self, path: str) -> None:
        """Plugs it in again: the chip powers up asleep."""
        self.unplugged.remove(path)
        self.chips[path].reset()

    def line(self, path: str, sleep: Callable[[float], object]) -> "EmulatedLine":
        """Opens a port, in the place of `pn532_uart.UartLine`."""
        if path in self.unplugged:
            raise serial.SerialException(errno.ENOENT, os.strerror(errno.ENOENT))
        return EmulatedLine(self, path, sleep)

    def output(self, number: int | None) -> EmulatedReset | None:
        """Gives a pin, in the place of `gpio.output`."""
        return None if number is None else EmulatedReset(self.resets[number])


class EmulatedLine(UartLine):
    """An open port."""

    def __init__(self, ports: EmulatedPorts, path: str, sleep: Callable[[float], object]) -> None:
        super().__init__(None, sleep)
        self._ports = ports
        self._path = path
        self._under_way: list[tuple[float, bytes]] = []
        self._opened_at = time.monotonic()
        self.fd, self._other = os.pipe()
        os.set_blocking(self.fd, False)
        self.pipe_abort_read_r, self._abort = os.pipe()
        self.is_open = True
        ports.files += 1

    def comes(self, within: float) -> bool:
        end = time.monotonic() + within
        if super().comes(0):
            return True
        if self._under_way and self._under_way[0][0] <= end:
            at, data = self._under_way.pop(0)
            time.sleep(at - time.monotonic())
            self._plugged_in()
            os.write(self._other, data)
        else:
            time.sleep(within)
        return super().comes(0)

    def is_there(self) -> bool:
        return self._path not in self._ports.unplugged

    def write(self, data: "ReadableBuffer") -> int:
        self.renew()
        self._plugged_in()
        sent = bytes(data)
        time.sleep(len(sent) * 10 / self.baudrate)
        chip = self._ports.chips[self._path]
        if chip.baud != self.baudrate:
            sent = bytes(len(sent))  # noise
        at = max(time.monotonic(), self._opened_at + self._ports.deaf)
        for delay, reply in chip.hear(sent):
            at += delay + len(reply) * 10 / self.baudrate
            self._under_way.append((at + self._ports.latency, reply))
        return len(sent)

    def _reconfigure_port(self, force_update: bool = False) -> None:
        """No kernel knows this port."""

    def reset_input_buffer(self) -> None:
        """Only what has come is forgotten."""
        current_time = time.monotonic()
        self._under_way = [(at, data) for at, data in self._under_way if at > current_time]
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
