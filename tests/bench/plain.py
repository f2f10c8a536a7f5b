"""Our poll beside the plain call of Adafruit's library, as its own example makes it, of the same kind of reader.

Two emulated readers, one for each; one poll of each in turn.
"""

import contextlib
import time
from collections.abc import Callable, Iterator

import serial
from adafruit_pn532.uart import PN532_UART

from companion.devices.drivers.pn532_uart import bus
from companion.devices.readers.pn532 import configure, poll, rest
from tests.bench.figures import Figure
from tests.bench.rig import BAUD, elsewhere

CARD = "A1B2C3D4"
"""A short uid: the plain call finds a long one only every second time (Adafruit-PN532 #52)."""
TIMEOUT, CARD_TIMEOUT = 0.1, 0.5
"""Seconds: for the serial line and for a card, as the example has it."""


def plain(quick: bool) -> Iterator[Figure]:
    for card in (CARD, ""):
        ours, theirs = _took(card, 3 if quick else 60 if card else 15)
        what = f"a poll of one reader, {'a' if card else 'no'} card"
        yield Figure(f"{what}: ours", "ms", ours, emulated=True)
        yield Figure(f"{what}: the library's `read_passive_target`", "ms", theirs, emulated=True)
        ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        yield Figure(f"{what}: ours over the library's", "×", ratios, emulated=True, better="less")


def _took(card: str, polls: int) -> tuple[list[float], list[float]]:
    """Give the milliseconds of each poll, ours and theirs."""
    took: tuple[list[float], list[float]] = [], []
    with elsewhere(2, card) as ports, contextlib.ExitStack() as stack:
        connection = bus(ports[0], BAUD).connect()
        stack.callback(connection.close)
        configure(connection.chip)
        line = stack.enter_context(serial.Serial(ports[1], baudrate=BAUD, timeout=TIMEOUT))
        library = PN532_UART(line, debug=False)
        library.SAM_configuration()

        def ours() -> None:
            assert [tag.uid for tag in poll(connection.chip)] == [card] * bool(card)
            if card:
                rest(connection.chip)

        def theirs() -> None:
            uid = library.read_passive_target(timeout=CARD_TIMEOUT)
            assert (bytes(uid).hex().upper() if uid else "") == card

        for _ in range(polls):
            took[0].append(_milliseconds(ours))
            took[1].append(_milliseconds(theirs))
    return took


def _milliseconds(act: Callable[[], None]) -> float:
    before = time.perf_counter()
    act()
    return (time.perf_counter() - before) * 1000
