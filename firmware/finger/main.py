"""The finger: a second Pico that presses two ports of a box for `companion check --zero`, as ../protocol.md defines."""

from os import urandom
from time import ticks_add, ticks_diff, ticks_ms

from lines import Cutter, line, number, words
from machine import Pin, freq, idle
from port import Port
from rp2 import StateMachine
from touch import LEAST_CYCLES, touch
from touch import words as presses

VERSION = 1
FIRMWARE = "finger-1.0"

_MHZ = 125
_PINS = 2, 3  # GND is between them and the corner
_HELD_US = 5000
_REST_MS = 60
"""From one press to the next: a box wants its contact open for 30 ms."""
_LONGEST_NS = 10_000_000
_U32 = 0xFFFFFFFF


class Finger:
    """The conversation with the Pi, and the pressing; `step` never blocks."""

    def __init__(self, port: Port) -> None:
        freq(_MHZ * 1000000)
        self._port, self._cutter = port, Cutter()
        self._boot = "".join([f"{byte:02X}" for byte in urandom(6)])
        first, _ = [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in _PINS]
        self._machine = StateMachine(0, touch, out_base=first)
        self._machine.active(1)
        self._nonce, self._wanted, self._made = -1, (0, 0), -1
        self._rested_at = ticks_ms()
        self._port.write(b"\n")

    def step(self) -> bool:
        """Do one turn; return False once the Pi has asked for the port."""
        self._port.renew()
        if self._machine.rx_fifo():
            self._machine.get()
            self._made = self._wanted[1] * 1000 // _MHZ
            self._tell()
        first, cycles = self._wanted
        if first and self._made < 0 and ticks_diff(ticks_ms(), self._rested_at) >= 0:
            for word in presses(first, cycles, _HELD_US * _MHZ):
                self._machine.put(word)
            self._wanted = 0, cycles
            self._rested_at = ticks_add(ticks_ms(), _REST_MS)
        while True:
            byte = self._port.read()
            if byte is None:
                return True
            heard = self._cutter.feed(byte)
            try:
                if heard and not self._answer(words(heard)):
                    return False
            except ValueError:
                pass  # not a number

    def _answer(self, said: list[str]) -> bool:
        kind, count = (said[0], len(said)) if said else ("", 0)
        if kind == "H" and count == 2:
            number(said[1], _U32)
            self._port.write(line("H", VERSION, self._boot, FIRMWARE, len(_PINS), 0))
        elif kind == "G" and count == 4:
            nonce, first, gap = number(said[1], _U32), number(said[2], len(_PINS)), number(said[3], _LONGEST_NS)
            if nonce == self._nonce:
                self._tell()
            elif first:
                cycles = (gap * _MHZ + 500) // 1000
                self._nonce, self._made = nonce, -1
                self._wanted = first, max(cycles, LEAST_CYCLES) if cycles else 0
        elif kind == "U" and count == 2 and said[1] == self._boot:
            self._port.write(line("U", self._boot))
            return False
        return True

    def _tell(self) -> None:
        if self._made >= 0:
            self._port.write(line("G", self._boot, self._nonce, self._made))


finger = Finger(Port())
while finger.step():
    idle()
