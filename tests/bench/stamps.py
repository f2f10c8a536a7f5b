"""The buzzer box, from its buttons to the driver: whether the order is right, how exact, and how soon.

Nothing here was measured on a board: the PIO program runs in `rp2040-pio-emulator`, the rest of the firmware in
MicroPython's virtual machine, on the machine the bench runs on.
"""

import contextlib
import random
import threading
import time
from collections.abc import Iterator

import serial

from companion.devices.drivers.pico import Buzzers
from companion.devices.sensing import Buzzed, Sensing
from tests.bench.figures import Budget, Figure
from tests.firmware.pico import Pico
from tests.firmware.pio import MHZ, U32, Wave, begin_with, run, stamp
from tests.firmware.waves import bouncing
from tests.waiting import until

MS = 1000 * MHZ
SEATS = (1, 2, 3, 4, 5, 6)
BOUNCES = 200
_NS = 1000 / MHZ  # of a cycle
_QUESTION = b"T 1 *6E06\n"


def stamps(quick: bool) -> Iterator[Figure]:
    """Press six buttons a microsecond apart, in any order, each bouncing."""
    rounds, bounces = (2, 5) if quick else (40, BOUNCES)
    chance = random.Random(7)
    right = []
    errors = []
    with Pico() as pico, _listening(pico.path) as presses_told:
        for _ in range(rounds):
            order = chance.sample(SEATS, len(SEATS))
            turns = {}
            for n, button in enumerate(order):
                edge = 40 * MS + n * MHZ + chance.randrange(4)
                turns[button] = _stamped(chance, edge, bounces)
                errors.append((edge - (turns[button] * stamp.CYCLES_A_TURN - stamp.LATEST_CYCLES + 1)) * _NS)
            first = min(turns.values())
            heard = _press(pico, presses_told, [(button, turn - first) for button, turn in turns.items()])
            right.append([press.seat for press in sorted(heard, key=lambda press: press.at)] == order)
        took = [_soon(pico, presses_told) for _ in range(5 if quick else 500)]
    label = f"order at the box, six buttons 1 µs apart, up to {bounces} bounces each, right in {rounds} rounds"
    yield Figure(label, "%", [100 * sum(right) / rounds], Budget(median_at_least=100.0), emulated=True)
    yield Figure("a stamp's time, earlier than the contact's closing", "ns", errors, emulated=True)
    yield Figure("a press from its stamp to the driver's word", "ms", took, emulated=True)
    yield Figure("a time question to the box and back", "ms", list(round_trips(5 if quick else 500)), emulated=True)


def _stamped(chance: random.Random, edge: int, bounces: int) -> int:
    """Return the turn in which a contact's first edge is stamped, though nobody fetches it for 50 ms."""
    wave = Wave(bouncing(chance, edge, bounces and chance.randint(1, bounces), longest=100 * MHZ))
    _, [x] = run(begin_with(stamp.TIMES), wave, wave.edges[-1] + 50 * MS, start=40)
    return -x & U32


def _press(pico: Pico, presses_told: list[Buzzed], presses: list[tuple[int, int]]) -> list[Buzzed]:
    told_before = len(presses_told)
    pico.press(*presses)
    until(lambda: len(presses_told) == told_before + len(presses))
    return presses_told[told_before:]


def _soon(pico: Pico, presses_told: list[Buzzed]) -> float:
    began = time.perf_counter()
    _press(pico, presses_told, [(1, 0)])
    return (time.perf_counter() - began) * 1000


def round_trips(times: int) -> Iterator[float]:
    with Pico() as pico, serial.Serial(pico.path, timeout=1) as port:
        for _ in range(times):
            began = time.perf_counter()
            port.write(_QUESTION)
            while not port.readline().startswith(b"T "):
                pass
            yield (time.perf_counter() - began) * 1000


@contextlib.contextmanager
def _listening(port: str) -> Iterator[list[Buzzed]]:
    presses_told: list[Buzzed] = []
    ready = threading.Event()
    stop = threading.Event()

    def tell(*sensings: Sensing) -> None:
        presses_told.extend(sensing for sensing in sensings if isinstance(sensing, Buzzed))
        ready.set()

    source = Buzzers(port=port, seats=SEATS).open(time.monotonic)
    source.start()
    thread = threading.Thread(target=source.listen, args=(tell, stop))
    thread.start()
    try:
        ready.wait(10)
        yield presses_told
    finally:
        stop.set()
        thread.join()
        source.close()
