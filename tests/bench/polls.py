"""How fast readers are polled, beside what bus and radio need for it."""

import contextlib
import threading
import time
from collections.abc import Iterator

from companion.devices.drivers.pn532_uart import bus
from companion.devices.readers.pn532 import Chip, configure, poll, rest
from companion.devices.sensing import Tag
from tests.bench.figures import Budget, Figure
from tests.bench.rig import BAUD, RADIO, elsewhere
from tests.emulators.pn532 import ACK, frame

CARD = "04A1B2C3D4E5F6"
BUDGET = Budget(median_at_most=1.5)


def needed(card: bool) -> float:
    """Give the seconds of one poll: every byte at the line's speed, ten bits each, and the radio's time."""
    sent = frame(bytes(4)), ACK, frame(bytes(3 + 12 if card else 3))  # InListPassiveTarget; a target is 12 bytes
    off = (frame(bytes(4)), ACK, frame(bytes(2))) if card else ()  # the field off after a card was found
    return RADIO + sum(map(len, sent + off)) * 10 / BAUD


def polls(quick: bool) -> Iterator[Figure]:
    for readers in (1, 6):
        for card in ("", CARD):
            who = f"{readers} reader{'s in as many threads' if readers > 1 else ''}, {'a' if card else 'no'} card"
            need = needed(bool(card))
            took = _took(readers, card, 1.0 if quick else 5.0)
            times, ratios = [1 / seconds for seconds in took], [seconds / need for seconds in took]
            yield Figure(f"polls a second of each, {who}", "1/s", times, emulated=True)
            what = f"a poll over what bus and radio need, {need * 1000:.2f} ms, {who}"
            yield Figure(what, "×", ratios, BUDGET if card else None, emulated=True)


def _took(readers: int, card: str, seconds: float) -> list[float]:
    """Poll for so long; give how long each poll took."""
    took: list[float] = []
    with elsewhere(readers, card) as ports, contextlib.ExitStack() as stack:
        chips = []
        for port in ports:
            connection = bus(port, BAUD).connect()
            stack.callback(connection.close)
            configure(connection.chip)
            chips.append(connection.chip)
        end = time.perf_counter() + seconds

        def go_on(chip: Chip) -> None:
            before = time.perf_counter()
            while before < end:
                assert poll(chip) == ((Tag(card),) if card else ())
                if card:
                    rest(chip)
                took.append(-before + (before := time.perf_counter()))

        threads = [threading.Thread(target=go_on, args=(chip,)) for chip in chips]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return took
