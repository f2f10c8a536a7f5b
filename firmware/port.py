"""The serial port of the Pico: MicroPython's own console on USB, used for nothing but lines."""

import sys
from select import POLLIN, POLLOUT, poll
from time import ticks_diff, ticks_ms

_WRITING_MS = 1000


class Port:
    """Bytes in, lines out; never waits for input."""

    def __init__(self) -> None:
        """Take the console, where Ctrl-C must have been disabled."""
        self._in, self._out = sys.stdin.buffer, sys.stdout.buffer
        self._readable, self._writable = poll(), poll()
        self._readable.register(sys.stdin, POLLIN)
        self._writable.register(sys.stdout, POLLOUT)
        self.renew()

    def renew(self) -> None:
        """Begin a turn of the main loop, whose lines must all be begun within a second."""
        self._since = ticks_ms()

    def read(self) -> int | None:
        """Return the next byte, or None if there is none yet."""
        return self._in.read(1)[0] if self._readable.poll(0) else None

    def write(self, line: bytes) -> None:
        """Send a line, or drop it if nobody reads the port: what matters is repeated.

        A reader that stops in the middle can block this for a second: USB waits half a second for room, and is called
        once more for the rest. A slow reader would block line after line, for longer than the watchdog allows, so no
        line begins later than a second into a turn. If no program has the port open, USB keeps the latest few lines for
        the next one.
        """
        if ticks_diff(ticks_ms(), self._since) < _WRITING_MS and self._writable.poll(0):
            self._out.write(line)
