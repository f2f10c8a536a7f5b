"""Six buttons, each stamped by a PIO state machine of its own; here their stamps become device times."""

from time import sleep_ms

from clock import Clock
from machine import Pin, freq, mem32
from rp2 import StateMachine
from stamp import CYCLES_A_TURN, LATEST_CYCLES, RELEASE_CYCLES, program

RELEASE_MS = 30
"""How long a contact has to stay open before its button can be pressed again."""

_FDEBUG = (0x50200008, 0x50300008)  # of the two PIO blocks; its low four bits: a stamp found the queue full
_U32 = 0xFFFFFFFF


class Buttons:
    """The buttons and the clock their stamps are told by."""

    def __init__(self, pins: tuple[int, ...], start: int) -> None:
        """Start stamping; `start` is the pin that sets all stamps off at once."""
        self.pins = pins
        self._contacts = [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in pins]
        self._mhz = freq() // 1000000
        begin = Pin(start, Pin.OUT, value=0)
        code = program(start)
        self._machines = [StateMachine(n, code, jmp_pin=contact) for n, contact in enumerate(self._contacts)]
        for machine in self._machines:
            machine.put(RELEASE_MS * 1000 * self._mhz // RELEASE_CYCLES)
            machine.active(1)
        sleep_ms(1)  # all of them wait for the start pin now
        self.clock = Clock(lambda: begin.value(1))
        self._told = -1, -1

    def closed(self, button: int) -> bool:
        """Return whether a button's contact is closed now."""
        return not self._contacts[button - 1].value()

    def fetch(self) -> list[tuple[int, int]]:
        """Return the new presses as (device time, button), the earliest first.

        Of two presses that the stamps can tell apart, the later gets the later time, even within one microsecond.
        """
        found, new = [], True
        while new:  # an earlier press may have come to a queue that was looked at before the later one's
            new = False
            for n, machine in enumerate(self._machines):
                while machine.rx_fifo():
                    found.append((self._cycle(machine.get()), n + 1))
                    new = True
        found.sort()
        presses = []
        for cycle, button in found:
            last, at_last = self._told
            at = cycle // self._mhz
            if cycle > last:
                at = max(at, at_last + 1)
                self._told = cycle, at
            presses.append((at, button))
        return presses

    def lost(self) -> int:
        """Return how many queues have turned presses away since the last call: the first four stay in each."""
        count = 0
        for address in _FDEBUG:
            full = mem32[address] & 0xF
            mem32[address] = full  # ones clear
            count += (full & 1) + (full >> 1 & 1) + (full >> 2 & 1) + (full >> 3)
        return count

    def _cycle(self, x: int) -> int:
        """Return the cycle, counted from the start, after which a contact with this X as its stamp closed.

        X has counted down from 0 and comes round every 2^32 turns, 68.7 s; it is fetched within one such round.
        """
        turns_now = (self.clock.now() + 1) * self._mhz // CYCLES_A_TURN + 4
        turn = turns_now - (turns_now + x & _U32)
        return max(0, turn * CYCLES_A_TURN - LATEST_CYCLES)
