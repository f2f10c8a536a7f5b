"""A state machine of the PIO, cycle by cycle, but only when somebody asks.

While no pin changes that it looks at, it does what it did before: turns of a loop are counted instead of run. Two
turns must have taken as long and have taken as much from X and Y, nothing else may have changed, and a counter is left
at the turn in which it could reach zero. A test holds this against plain running, and both against another emulator.

What the firmware has no use for is not here and says so: outputs, interrupts, clocks other than the chip's own. The two
cycles of the inputs' synchronisers are left out: all inputs have them.
"""

from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum

U32 = 2**32 - 1
DEPTH = 4


class Op(IntEnum):
    """The top three bits of an instruction."""

    JMP, WAIT, IN, OUT, PUSH_PULL, MOV, IRQ, SET = range(8)


class NotModelled(Exception):
    """The firmware wants something of the PIO that is not here yet."""


@dataclass
class Pins:
    """What all state machines see, one bit a pin."""

    levels: int = 0

    def high(self, pin: int) -> bool:
        """Say whether a pin is high."""
        return bool(self.levels >> pin & 1)


@dataclass
class Machine:
    """One state machine; its registers are those of the data sheet."""

    memory: list[int]
    pins: Pins
    skips: bool = True
    """Whether turns of a loop are counted."""
    enabled: bool = False
    cycle: int = 0
    """The next one to be run."""
    pc: int = 0
    x: int = 0
    y: int = 0
    isr: int = 0
    isr_bits: int = 0
    osr: int = 0
    osr_bits: int = 32
    tx: deque[int] = field(default_factory=deque)
    rx: deque[int] = field(default_factory=deque)
    rx_stalled: bool = False
    tx_stalled: bool = False
    wrap_target: int = 0
    wrap: int = 31
    jmp_pin: int = 0
    in_base: int = 0
    in_right: bool = True
    out_right: bool = True
    autopush: bool = False
    autopull: bool = False
    push_at: int = 32
    pull_at: int = 32
    joined_rx: bool = False
    joined_tx: bool = False
    _changes: int = 0
    """Of what a turn must leave as it is if turns are to be counted."""
    _jumped: bool = False

    def restart(self) -> None:
        """Forget what an instruction was about."""
        self.isr = 0
        self.isr_bits = 0
        self.osr_bits = 32

    def looks_at(self, pin: int) -> bool:
        """Say whether a change of this pin may matter."""
        waits = (word & 31 for word in self.memory if word >> 13 == Op.WAIT and word >> 5 & 3 == 0)
        return pin in (self.jmp_pin, self.in_base) or pin in waits

    def run(self, until: int) -> None:
        """Run up to a cycle, but not that one; no pin changes before it."""
        if not self.enabled:
            self.cycle = max(self.cycle, until)
        states: dict[int, list[tuple[int, int, int, int]]] = {}
        while self.cycle < until:
            if not self._step():
                self.cycle = until
                return
            if self.skips:
                turns = states.setdefault(self.pc, [])
                turns.append((self.cycle, self.x, self.y, self._changes))
                if len(turns) > 2 and self._skip(*turns[-3:], until):
                    states.clear()

    def _skip(self, *states: "tuple[int, int, int, int] | int") -> bool:
        first, second, third, until = states
        turn, fall_x, fall_y, changed = _between(second, third)
        if changed or _between(first, second) != (turn, fall_x, fall_y, changed):
            return False
        count = (until - self.cycle) // turn
        for value, fall in ((self.x, fall_x), (self.y, fall_y)):
            if fall:
                count = min(count, (value - 1) // fall)
        if count < 1:
            return False
        self.cycle += count * turn
        self.x -= count * fall_x
        self.y -= count * fall_y
        return True

    def _step(self) -> bool:
        """Run one instruction with its delay; False if it waits for what this machine can't bring about."""
        word = self.memory[self.pc]
        went = self.pc
        if not self.execute(word):
            return False
        if not self._jumped:
            self.pc = self.wrap_target if went == self.wrap else went + 1 & 31
        self.cycle += 1 + (word >> 8 & 31)
        return True

    def execute(self, word: int) -> bool:
        """Do an instruction at once; False if it stalls."""
        self._jumped = False
        match Op(word >> 13):
            case Op.JMP:
                if self._jumps(word >> 5 & 7):
                    self.pc = word & 31
                    self._jumped = True
                return True
            case Op.WAIT:
                source = word >> 5 & 3
                pin = word & 31
                if source > 1:
                    raise NotModelled("wait for an interrupt")
                return self.pins.high(pin if source == 0 else self.in_base + pin & 31) == bool(word >> 7 & 1)
            case Op.IN:
                return self._in(word >> 5 & 7, word & 31 or 32)
            case Op.OUT:
                return self._out(word >> 5 & 7, word & 31 or 32)
            case Op.PUSH_PULL:
                return self._pull(word) if word & 0x80 else self._push(word)
            case Op.MOV:
                self._put(word >> 5 & 7, self._operated(word >> 3 & 3, self._source(word & 7)), word & 7)
                return True
            case Op.SET:
                self._put(word >> 5 & 7, word & 31)
                return True
        raise NotModelled(f"instruction {word:04X}")

    def _jumps(self, when: int) -> bool:
        match when:
            case 0:
                return True
            case 1:
                return self.x == 0
            case 2:
                self.x, old_value = self.x - 1 & U32, self.x
                return old_value != 0
            case 3:
                return self.y == 0
            case 4:
                self.y, old_value = self.y - 1 & U32, self.y
                return old_value != 0
            case 5:
                self._changes += 1
                return self.x != self.y
            case 6:
                return self.pins.high(self.jmp_pin)
        return self.osr_bits < self.pull_at

    def _source(self, which: int) -> int:
        match which:
            case 0:
                turned = self.pins.levels >> self.in_base | self.pins.levels << 32 - self.in_base
                return turned & U32
            case 1:
                return self.x
            case 2:
                return self.y
            case 3:
                return 0
            case 6:
                return self.isr
            case 7:
                return self.osr
        raise NotModelled(f"source {which}")

    def _operated(self, how: int, value: int) -> int:
        match how:
            case 0:
                return value
            case 1:
                return ~value & U32
        return int(f"{value:032b}"[::-1], 2)

    def _put(self, where: int, value: int, source: int = 3) -> None:
        match where:
            case 1:
                self.x = value
                self._changes += source == 2
            case 2:
                self.y = value
                self._changes += source == 1
            case 5:
                self.pc = value & 31
                self._jumped = True
            case 6:
                self.isr = value
                self.isr_bits = 0
                self._changes += 1
            case 7:
                self.osr = value
                self.osr_bits = 0
                self._changes += 1
            case _:
                raise NotModelled(f"destination {where}")

    def _in(self, which: int, bits: int) -> bool:
        if self.autopush and self.isr_bits >= self.push_at and not self._pushed():
            return False
        value = self._source(which) & (1 << bits) - 1
        if self.in_right:
            self.isr = (self.isr >> bits | value << 32 - bits) & U32
        else:
            self.isr = (self.isr << bits | value) & U32
        self.isr_bits = min(32, self.isr_bits + bits)
        self._changes += 1
        if self.autopush and self.isr_bits >= self.push_at:
            self._pushed()
        return True

    def _out(self, where: int, bits: int) -> bool:
        if self.autopull and self.osr_bits >= self.pull_at and not self._pulled():
            return False
        mask = (1 << bits) - 1
        value = self.osr & mask if self.out_right else self.osr >> 32 - bits
        self.osr = self.osr >> bits if self.out_right else self.osr << bits & U32
        self.osr_bits = min(32, self.osr_bits + bits)
        self._changes += 1
        if where != 3:
            self._put(where, value)
        return True

    def _push(self, word: int) -> bool:
        if word & 0x40 and self.isr_bits < self.push_at:
            return True
        if self._pushed():
            return True
        if word & 0x20:
            return False
        self.isr = 0
        self.isr_bits = 0
        return True

    def _pushed(self) -> bool:
        self._changes += 1
        if len(self.rx) == (2 * DEPTH if self.joined_rx else DEPTH):
            self.rx_stalled = True
            return False
        self.rx.append(self.isr)
        self.isr = 0
        self.isr_bits = 0
        return True

    def _pull(self, word: int) -> bool:
        if word & 0x40 and self.osr_bits < self.pull_at:
            return True
        if self._pulled():
            return True
        if word & 0x20:
            return False
        self.osr = self.x
        self.osr_bits = 0
        return True

    def _pulled(self) -> bool:
        self._changes += 1
        if not self.tx:
            self.tx_stalled = True
            return False
        self.osr = self.tx.popleft()
        self.osr_bits = 0
        return True


def _between(first: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    return other[0] - first[0], first[1] - other[1] & U32, first[2] - other[2] & U32, other[3] - first[3]
