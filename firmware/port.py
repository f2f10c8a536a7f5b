"""The serial port of the Pico: MicroPython's own console on USB, used for nothing but lines."""

import sys
from select import POLLIN, POLLOUT, poll


class Port:
    """Bytes in, lines out; never waits for the other side to speak."""

    def __init__(self) -> None:
        """Take the console; Ctrl-C has to be off."""
        self._in, self._out = sys.stdin.buffer, sys.stdout.buffer
        self._readable, self._writable = poll(), poll()
        self._readable.register(sys.stdin, POLLIN)
        self._writable.register(sys.stdout, POLLOUT)

    def read(self) -> int | None:
        """Give the next byte, or None if there is none yet."""
        return self._in.read(1)[0] if self._readable.poll(0) else None

    def write(self, line: bytes) -> None:
        """Send a line, unless nobody takes what was sent before: what matters is said again.

        A reader that stops in the middle can hold this up, for half a second at most. Where no program has the port
        open, USB keeps the latest few lines for the next one.
        """
        if self._writable.poll(0):
            self._out.write(line)
