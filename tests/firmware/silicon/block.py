"""A block of the PIO as the processor sees it: the registers of four state machines, at rp2040py's bus."""

from collections.abc import Callable

from tests.firmware.silicon.machine import DEPTH, Machine, NotModelled, Pins

CTRL = 0x00
FSTAT = 0x04
FDEBUG = 0x08
FLEVEL = 0x0C
TX = 0x10
RX = 0x20
IRQ = 0x30
MEMORY = 0x48
MACHINES = 0xC8
INTR = 0x128
INTERRUPTS = 0x12C
CLOCK, EXEC, SHIFT, AT, INSTRUCTION, PINS = range(0, 0x18, 4)
_RESET = {CLOCK: 0x00010000, EXEC: 0x0001F000, SHIFT: 0x000C0000, PINS: 0x14000000}
_WHOLE = _RESET[CLOCK]


class Block:
    """Registers in, registers out; each machine is run up to now before it is touched."""

    def __init__(self, pins: Pins, now: Callable[[], int]) -> None:
        """`now` gives the cycle that the processor is in."""
        self._pins = pins
        self._now = now
        self.reset()

    def reset(self) -> None:
        """Begin anew, as after a reset of the chip."""
        self.memory = [0] * 32
        self.machines = [Machine(self.memory, self._pins) for _ in range(4)]
        self._raw = [dict(_RESET) for _ in self.machines]

    def pin_changes(self, pin: int, cycle: int) -> None:
        """Run those that look at a pin up to the cycle in which it changes."""
        for machine in self.machines:
            if machine.enabled and machine.looks_at(pin):
                machine.run(cycle)

    def read_uint32(self, offset: int) -> int:
        """Return a register."""
        cycles = self._now()
        for machine in self.machines:
            if machine.enabled:
                machine.run(cycles)
        match offset:
            case 0x00:
                return sum(machine.enabled << n for n, machine in enumerate(self.machines))
            case 0x04:
                return self._queues()
            case 0x08:
                return sum(m.rx_stalled << n | m.tx_stalled << n + 24 for n, m in enumerate(self.machines))
            case 0x0C:
                return sum(len(m.tx) << 8 * n | len(m.rx) << 8 * n + 4 for n, m in enumerate(self.machines))
            case 0x128:
                full = sum((len(m.tx) < DEPTH) << n + 4 for n, m in enumerate(self.machines))
                return full | sum(bool(m.rx) << n for n, m in enumerate(self.machines))
        if RX <= offset < RX + 16:
            queue = self.machines[(offset - RX) // 4].rx
            return queue.popleft() if queue else 0
        if MACHINES <= offset < INTR:
            return self._read_machine(*divmod(offset - MACHINES, 0x18))
        return 0

    def write_uint32(self, offset: int, value: int) -> None:
        """Set a register."""
        cycles = self._now()
        if offset == CTRL:
            for n, machine in enumerate(self.machines):
                machine.run(cycles)
                machine.enabled = bool(value >> n & 1)
                if machine.enabled and self._raw[n][CLOCK] != _WHOLE:
                    raise NotModelled("a slower clock")
                if value >> n + 4 & 1:
                    machine.restart()
        elif offset == FDEBUG:
            for n, machine in enumerate(self.machines):
                machine.run(cycles)
                machine.rx_stalled &= not value >> n & 1
                machine.tx_stalled &= not value >> n + 24 & 1
        elif TX <= offset < TX + 16:
            machine = self.machines[(offset - TX) // 4]
            machine.run(cycles)
            if len(machine.tx) < DEPTH:
                machine.tx.append(value)
        elif MEMORY <= offset < MACHINES:
            self.memory[(offset - MEMORY) // 4] = value & 0xFFFF
        elif MACHINES <= offset < INTR:
            self._write_machine(*divmod(offset - MACHINES, 0x18), value, cycles)
        elif offset >= INTERRUPTS and value:
            raise NotModelled("interrupts")

    def write_uint32_atomic(self, offset: int, value: int, atomic_type: int) -> None:
        """Set, flip or clear some bits of a register, as its three other addresses do."""
        if atomic_type:
            value_before = self.read_uint32(offset)
            value = (value, value_before ^ value, value_before | value, value_before & ~value)[atomic_type]
        self.write_uint32(offset, value)

    def _queues(self) -> int:
        levels = 0
        for n, machine in enumerate(self.machines):
            depth = 2 * DEPTH if machine.joined_rx else DEPTH
            levels |= (len(machine.rx) >= depth) << n | (not machine.rx) << n + 8
            levels |= (len(machine.tx) >= DEPTH) << n + 16 | (not machine.tx) << n + 24
        return levels

    def _read_machine(self, n: int, register: int) -> int:
        machine = self.machines[n]
        if register == AT:
            return machine.pc
        return self.memory[machine.pc] if register == INSTRUCTION else self._raw[n][register]

    def _write_machine(self, n: int, register: int, value: int, cycles: int) -> None:
        machine = self.machines[n]
        machine.run(cycles)
        if register == INSTRUCTION:
            if not machine.execute(value):
                raise NotModelled("an instruction from outside that waits")
            return
        value_before = self._raw[n].get(register, 0)
        self._raw[n][register] = value
        if register == EXEC:
            machine.wrap_target = value >> 7 & 31
            machine.wrap = value >> 12 & 31
            machine.jmp_pin = value >> 24 & 31
        elif register == SHIFT:
            self._shifts(machine, value)
            if (value_before ^ value) >> 30:
                machine.rx.clear()
                machine.tx.clear()
        elif register == PINS:
            machine.in_base = value >> 15 & 31
            if value >> 29:
                raise NotModelled("side-set")

    def _shifts(self, machine: Machine, value: int) -> None:
        machine.autopush, machine.autopull = bool(value >> 16 & 1), bool(value >> 17 & 1)
        machine.in_right, machine.out_right = bool(value >> 18 & 1), bool(value >> 19 & 1)
        machine.push_at = value >> 20 & 31 or 32
        machine.pull_at = value >> 25 & 31 or 32
        machine.joined_tx, machine.joined_rx = bool(value >> 30 & 1), bool(value >> 31)
