"""What the firmware uses of `machine`, for the emulated Pico; `host` is pico.mjs."""

import host


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1

    def __init__(self, number, mode=IN, pull=None, value=None):
        self.number = number
        if value is not None:
            self.value(value)

    def value(self, level=None):
        if level is None:
            return host.level(self.number)
        return host.drive(self.number, level)


class WDT:
    def __init__(self, timeout):
        if timeout > 8388:
            raise ValueError("timeout exceeds 8388")
        host.watch(timeout)

    def feed(self):
        host.feed()


class _Memory:
    def __getitem__(self, address):
        return host.peek(address & 0xFFFF, address >> 16)

    def __setitem__(self, address, value):
        host.poke(address & 0xFFFF, address >> 16, value)


mem32 = _Memory()


def freq(hertz=None):
    return host.freq(hertz or 0)


def idle():
    host.idle()


def reset():
    host.reset("reset")


def disable_irq():
    host.hold(True)
    return 0


def enable_irq(state):
    host.hold(False)
