"""Six buttons, each stamped by a PIO state machine of its own; here their stamps become device times."""

from time import sleep_ms

from clock import Clock
from machine import Pin, freq, mem32
from rp2 import StateMachine
from stamp import BEGIN, CYCLES_A_TURN, LATEST_CYCLES, TIMES, program

UNDECIDED_US = 50000
"""How long a contact may bounce before others stop waiting for it."""

_BLOCKS = (0x50200000, 0x50300000)
_FDEBUG = 0x08  # its low four bits: a stamp found the queue full
_MACHINE = 0x18  # from one state machine's registers to the next one's
_EXECCTRL = 0xCC  # from bit 7 on: the line to which the program wraps, `armed`
_ADDR = 0xD4  # the line in which the state machine is
_SEEN_US = 3  # from a contact's first edge until its state machine has left `armed`
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
            machine.put(TIMES)
            for instruction in BEGIN:
                machine.exec(instruction)
            machine.active(1)
        registers = [_BLOCKS[n >> 2] + _MACHINE * (n & 3) for n in range(len(pins))]
        self._lines = [(register + _ADDR, mem32[register + _EXECCTRL] >> 7 & 31) for register in registers]
        sleep_ms(1)  # all of them wait for the start pin now
        self.clock = Clock(lambda: begin.value(1))
        self._latest = -1, -1
        self.told_up_to = 0
        """The device time before which every press has been fetched."""

    def closed(self, button: int) -> bool:
        """Return whether a button's contact is closed now."""
        return not self._contacts[button - 1].value()

    def fetch(self) -> list[tuple[int, int]]:
        """Return the new presses as (device time, button), the earliest first.

        Of two presses that the stamps can tell apart, the later gets the later time, even within one microsecond.
        None gets a time before `told_up_to`: only a contact that bounces for longer than `UNDECIDED_US` could.
        """
        reached = self.clock.now() - self.clock.doubt - _SEEN_US  # read first, so nothing in the queues is older
        if self._is_undecided():
            reached -= UNDECIDED_US
        stamps, new = [], True
        while new:  # an earlier press may have come to a queue that was looked at before the later one's
            new = False
            for n, machine in enumerate(self._machines):
                while machine.rx_fifo():
                    stamps.append((self._cycle(machine.get()), n + 1))
                    new = True
        stamps.sort()
        presses = []
        for cycle, button in stamps:
            last, at_last = self._latest
            at = max(cycle // self._mhz, self.told_up_to)
            if cycle > last:
                at = max(at, at_last + 1)
                self._latest = cycle, at
            presses.append((at, button))
        self.told_up_to = max(reached, self.told_up_to)
        return presses

    def _is_undecided(self) -> bool:
        """Return whether some contact has closed of which it is not known yet whether that is a press.

        Its state machine is beyond `look` then; the lines before `armed` are those of a button at rest.
        """
        return any([mem32[address] > armed + 1 for address, armed in self._lines])

    def lost(self) -> int:
        """Return how many queues have turned presses away since the last call: the first four stay in each."""
        count = 0
        for block in _BLOCKS:
            address = block + _FDEBUG
            full = mem32[address] & 0xF
            mem32[address] = full  # ones clear
            count += (full & 1) + (full >> 1 & 1) + (full >> 2 & 1) + (full >> 3)
        return count

    def _cycle(self, x: int) -> int:
        """Return the cycle, counted from the start, after which a contact with this X as its stamp closed.

        X has counted down from 0 and comes round every 2^32 turns, 137 s; it is fetched within one such round.
        """
        turns_now = (self.clock.now() + 1) * self._mhz // CYCLES_A_TURN + 4
        turn = turns_now - (turns_now + x & _U32)
        return max(0, turn * CYCLES_A_TURN - LATEST_CYCLES)
