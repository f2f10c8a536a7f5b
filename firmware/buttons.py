"""Six buttons, each stamped by a PIO state machine of its own; converts the stamps to device times."""

from time import sleep_ms

from clock import Clock
from machine import Pin, freq, mem32
from rp2 import StateMachine
from stamp import BEGIN, CYCLES_A_TURN, LATEST_CYCLES, TIMES, program

UNDECIDED_US = 50000
"""How long a contact may bounce and still hold up `told_up_to`."""

_BLOCKS = (0x50200000, 0x50300000)
_FDEBUG = 0x08  # its low four bits, one a state machine: a stamp found the queue full
_MACHINE = 0x18  # distance from one state machine's registers to the next one's
_EXECCTRL = 0xCC  # from bit 7 on: the line to which the program wraps, `armed`
_ADDR = 0xD4  # the current line of the state machine
_SEEN_US = 3  # from a contact's first edge until its state machine has left `armed`
_U32 = 0xFFFFFFFF


class Buttons:
    """The buttons, and the clock of their stamps."""

    def __init__(self, pins: tuple[int, ...], start: int) -> None:
        """Start stamping; `start` is the pin by which all state machines begin in the same cycle."""
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
        sleep_ms(1)  # by then all of them wait for the start pin
        self.clock = Clock(lambda: begin.value(1))
        self._latest = -1, -1
        self.told_up_to = 0
        """Every press before this device time has been fetched."""

    def closed(self, button: int) -> bool:
        """Return whether a button's contact is closed now."""
        return not self._contacts[button - 1].value()

    def fetch(self) -> list[tuple[int, int]]:
        """Return the new presses as (device time, button), the earliest first.

        Of two presses that the stamps can tell apart, the later gets the later time, even within one microsecond.
        None gets a time before `told_up_to`: only a contact that bounces for longer than `UNDECIDED_US` could.
        """
        reached = self.clock.now() - self.clock.doubt - _SEEN_US  # read before the queues, which may fill meanwhile
        if self._is_undecided():
            reached -= UNDECIDED_US
        stamps, new = [], True
        while new:  # while a later queue was read, an earlier press may have come to one that was already read
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
        """Return whether some contact has closed and it is not certain yet whether that is a press.

        The state machine is then beyond `look`; the lines before `armed` are those of a button at rest.
        """
        return any([mem32[address] > armed + 1 for address, armed in self._lines])

    def lost(self) -> int:
        """Return how many queues have refused presses since the last call; each keeps its first four."""
        count = 0
        for block in _BLOCKS:
            address = block + _FDEBUG
            full = mem32[address] & 0xF
            mem32[address] = full  # writing a one clears the bit
            count += (full & 1) + (full >> 1 & 1) + (full >> 2 & 1) + (full >> 3)
        return count

    def _cycle(self, x: int) -> int:
        """Convert a stamp, X, to the cycle since the start after which the contact closed.

        X counts down from 0 and wraps every 2^32 turns, 137 s; a stamp is fetched sooner than that.
        """
        turns_now = (self.clock.now() + 1) * self._mhz // CYCLES_A_TURN + 4
        turn = turns_now - (turns_now + x & _U32)
        return max(0, turn * CYCLES_A_TURN - LATEST_CYCLES)
