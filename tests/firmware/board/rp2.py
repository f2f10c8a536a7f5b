"""What the firmware uses of `rp2`. The program itself runs in another emulator: see tests/firmware/pio.py."""

import host


class PIO:
    IN_LOW = 0
    SHIFT_RIGHT = 1


def asm_pio(**_):
    return lambda program: program


class StateMachine:
    def __init__(self, number, program, *, jmp_pin=None, in_base=None, out_base=None):
        self._number = number
        if out_base is not None:
            host.finger(number)
        else:
            host.claim(number, jmp_pin.number, -1 if in_base is None else in_base.number)

    def put(self, word):
        host.put(self._number, word)

    def exec(self, instruction):
        host.exec(self._number, instruction)

    def active(self, on):
        host.active(self._number, on)

    def rx_fifo(self):
        return host.waiting(self._number)

    def get(self):
        return host.fetch(self._number) & 0xFFFFFFFF
