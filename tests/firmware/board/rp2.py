"""What the firmware uses of `rp2`. The program itself runs in another emulator: see tests/firmware/pio.py."""

import host


def asm_pio():
    return lambda program: program


class StateMachine:
    def __init__(self, number, program, *, jmp_pin):
        self._number = number
        host.claim(number, jmp_pin.number)

    def put(self, word):
        host.release(self._number, word)

    def active(self, on):
        host.active(self._number, on)

    def rx_fifo(self):
        return host.waiting(self._number)

    def get(self):
        return host.fetch(self._number) & 0xFFFFFFFF
