import host

_HALF = 1 << 29
ticks_us = host.ticks_us
sleep_us = host.sleep_us


def sleep_ms(ms):
    host.sleep_us(ms * 1000)


def ticks_ms():
    return host.ticks_us() // 1000


def ticks_add(ticks, more):
    return (ticks + more) % (2 * _HALF)


def ticks_diff(end, start):
    return ((end - start + _HALF) & (2 * _HALF - 1)) - _HALF
