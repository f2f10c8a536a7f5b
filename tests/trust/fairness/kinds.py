"""The kinds of buttons a table may have: two of them are pressed a gap apart, and the real driver tells what it heard.

The box is our firmware: its PIO program run cycle by cycle, the rest of it in MicroPython, on a pty. Two boxes are
emulated, for their clocks must run apart. Buttons on GPIOs are stamped as late as their drivers allow for.
"""

import contextlib
import queue
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from companion.config import Table, load
from companion.devices.buttons.debounce import Edge
from companion.devices.buttons.gpio_source import ButtonSource
from companion.devices.drivers import gpiod, rpi_gpio
from companion.devices.listening import Listening
from companion.devices.sensing import Buzzed, Sensing, Source, Working
from tests.emulators.box import EmulatedBox
from tests.firmware.pico import Pico
from tests.firmware.pio import MHZ, U32, Wave, begin_with, run, stamp
from tests.trust.fairness.contacts import NS, sampled, worn
from tests.waiting import until

SEATS = (1, 2, 3, 4, 5, 6)
_MS = 1000 * MHZ
_TOOK = "[[buzzers]]\ndriver = {driver!r}\nseats = {seats}\n"


@dataclass
class Heard:
    """Presses as the table hears them, and how early each stamp of the PIO program was, in nanoseconds."""

    presses: list[Buzzed] = field(default_factory=list)
    early: dict[int, list[float]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    working: int = 0
    last: Sensing | None = None
    """What was told last of how the devices work."""
    doubled: int = 0
    """Presses that were told more than once."""

    def __call__(self, *sensings: Sensing) -> None:
        self.presses += (told for told in sensings if isinstance(told, Buzzed))
        self.working += sum(isinstance(told, Working) for told in sensings)
        self.last = next((told for told in reversed(sensings) if not isinstance(told, Buzzed)), self.last)


Press = Callable[[int, int, float], Sequence[Buzzed]]
"""Press one seat's button, and another's so many nanoseconds later: what the driver tells of the two."""


@dataclass(frozen=True)
class Kind:
    """One kind of buttons."""

    name: str
    what: str
    """For people who choose; names it, together with `name`."""
    sections: Callable[[Path], str]
    """Its part of a table.toml, in a folder."""
    pressing: Callable[[Table, Heard, random.Random], AbstractContextManager[Press]]
    gaps: Sequence[float]
    """Microseconds; of the long form."""
    pairs: Sequence[tuple[int, int]]
    options: dict[str, float] = field(default_factory=dict)
    """Of the match: none are its defaults."""
    clocks: int = 1
    """How many clocks stamp its presses."""
    times: int = 2
    """How often the long form tries every pair at every gap, each time with devices that are plugged in anew."""

    def table(self, folder: Path) -> Table:
        """Return the table as its owner would describe it."""
        path = folder / "table.toml"
        path.write_text(self.sections(folder), encoding="utf-8")
        return load(path)


@contextlib.contextmanager
def _listening(sources: Sequence[Source], heard: Heard) -> Iterator[Callable[[int, int], Sequence[Buzzed]]]:
    """Have real drivers listen; what is given waits for a press of each of two seats, and takes them."""
    heard.working = 0
    listening = Listening(sources, heard)

    def both(one: int, other: int) -> Sequence[Buzzed]:
        until(lambda: {press.seat for press in list(heard.presses)} >= {one, other})
        told = heard.presses
        heard.presses = []
        first = {press.seat: press for press in reversed(told)}
        heard.doubled += len(told) - 2
        return first[one], first[other]

    try:
        until(lambda: heard.working >= len(sources), lambda: f"that they work: {heard.last}")
        yield both
    finally:
        listening.stop()


# The box.


@contextlib.contextmanager
def _box(table: Table, heard: Heard, chance: random.Random) -> Iterator[Press]:
    with Pico() as pico:
        Path(table.sensors[0].port).symlink_to(pico.path)
        with _listening([table.sensors[0].open(time.monotonic)], heard) as both:

            def press(one: int, other: int, gap: float) -> Sequence[Buzzed]:
                at = 40_000_000 + chance.uniform(0, 1000)
                turns = [(seat, _turn(chance, seat, at + later, heard)) for seat, later in ((one, 0.0), (other, gap))]
                first = min(turn for _, turn in turns)
                pico.press(*((seat, turn - first) for seat, turn in turns))
                return both(one, other)

            yield press


def _turn(chance: random.Random, seat: int, at: float, heard: Heard) -> int:
    """Return the turn in which the PIO program stamps a contact that closes at a moment (ns) for good."""
    edges = worn(chance).pressed(chance, at)
    wave = Wave(sampled(chance, edges))
    _, stamps = run(begin_with(stamp.TIMES), wave, wave.edges[-1] + 2 * _MS, start=40)
    heard.doubled += len(stamps) - 1
    turn = -stamps[0] & U32
    # The line that waits for the start takes the start's own cycle.
    heard.early[seat].append(at - (turn * stamp.CYCLES_A_TURN - stamp.LATEST_CYCLES + 1) * NS)
    return turn


def _one_box(folder: Path) -> str:
    return _TOOK.format(driver="pico", seats=list(SEATS)) + f"port = '{folder / 'box'}'\n"


# Two boxes.


@contextlib.contextmanager
def _boxes(table: Table, heard: Heard, chance: random.Random) -> Iterator[Press]:
    drifts = chance.sample((-30.0, 30.0), 2)
    with contextlib.ExitStack() as stack:
        boxes = [stack.enter_context(EmulatedBox(drift_ppm=drift, seed=chance.getrandbits(32))) for drift in drifts]
        for sensor, box in zip(table.sensors, boxes, strict=True):
            Path(sensor.port).symlink_to(box.path)
        both = stack.enter_context(_listening([sensor.open(time.monotonic) for sensor in table.sensors], heard))

        def press(one: int, other: int, gap: float) -> Sequence[Buzzed]:
            at = time.monotonic() - chance.uniform(0, 0.001)
            for seat, when in ((one, at), (other, at + gap / 1e9)):
                box = boxes[seat > 3]
                now = box.now()
                box.press(1 + (seat - 1) % 3, now + round((when - box.true_time(now)) * 1e6))
            return both(one, other)

        yield press


def _two_boxes(folder: Path) -> str:
    return "".join(
        _TOOK.format(driver="pico", seats=list(seats)) + f"port = '{folder / name}'\n"
        for name, seats in (("box", SEATS[:3]), ("another", SEATS[3:]))
    )


# Buttons on GPIOs.


class _Lines:
    """GPIO lines whose interrupts come late by anything from nothing to all that the driver allows for."""

    detail = "simulated lines"
    hears = "all"
    behind = None

    def __init__(self, late: float) -> None:
        self.late = late
        self.moved: queue.SimpleQueue[list[Edge]] = queue.SimpleQueue()

    def closed(self) -> list[bool]:
        return [False] * len(SEATS)

    def edges(self, wait: float) -> list[Edge]:
        with contextlib.suppress(queue.Empty):
            return self.moved.get(timeout=wait)
        return []

    def close(self) -> None:
        pass


def _gpio(late: float) -> Callable[[Table, Heard, random.Random], AbstractContextManager[Press]]:
    @contextlib.contextmanager
    def pressing(table: Table, heard: Heard, chance: random.Random) -> Iterator[Press]:
        lines = _Lines(late)
        source = ButtonSource("simulated lines", SEATS, lambda: lines, time.monotonic)
        # Each press comes long after the one before, which bounces: a second is nothing to who only counts stamps.
        began = time.monotonic_ns()
        rounds = iter(range(1, 10**9))

        with _listening([source], heard) as both:

            def press(one: int, other: int, gap: float) -> Sequence[Buzzed]:
                at = began + next(rounds) * 1_000_000_000 + chance.uniform(0, 1000)
                edges = [
                    *_interrupts(chance, one, at, late),
                    *_interrupts(chance, other, at + gap, late),
                ]
                lines.moved.put(edges)
                return both(one, other)

            yield press

    return pressing


def _interrupts(chance: random.Random, seat: int, at: float, late: float) -> Iterator[Edge]:
    """Return the edges of a press as they are stamped, and its release half a second later."""
    edges = [*worn(chance).pressed(chance, at), at + 5e8]
    stamped = 0
    for number, edge in enumerate(edges):
        late_ns = chance.choice((0.0, 1.0, chance.random())) * late * 1e9  # the extremes are what may go wrong
        stamped = max(stamped, round(edge + late_ns))
        yield Edge(seat - 1, stamped, closed=number % 2 == 0)


def _lines_of(driver: str) -> Callable[[Path], str]:
    return lambda _: _TOOK.format(driver=driver, seats=list(SEATS)) + "lines = [17, 27, 22, 23, 24, 25]\n"


# All of them.

_PAIRS = tuple((one, other) for one in SEATS for other in SEATS if one != other)
_FINE = (0, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50)
_TO_1_MS = (70, 100, 150, 200, 250, 300, 350, 400, 450, 480, 490, 495, 498, 499, 500, 501, 502, 505, 510, 520, 550)
_FROM_HALF = (600, 650, 700, 800, 900, 1000)
_BEYOND = (2000, 5000, 10_000, 20_000, 50_000)
_SOME = (0, 0.02, 0.1, 1, 10, 50, 100)
_GPIOD = (200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 1000)
_MODULE = (1000, 2000, 5000, 8000, 10_000, 12_000, 14_000, 16_000, 18_000, 20_000, 22_000, 24_000, 26_000, 28_000)
_BOXES = (300, 500, 1000, 2000, 3000, 4000, 4500, 4800, 4900, 4950, 5000, 5050, 5100, 5200, 5500, 6000, 7000, 8000)

KINDS = (
    Kind("buzzer box", "one Pico, driver pico", _one_box, _box, (*_FINE, *_TO_1_MS, *_FROM_HALF, *_BEYOND), _PAIRS),
    Kind(
        "buzzer box, finest",
        "tie_window = 0",
        _one_box,
        _box,
        (*_FINE, 100, 500, 1000, *_BEYOND),
        _PAIRS,
        {"tie_window": 0.0},
    ),
    Kind(
        "two buzzer boxes",
        "two Picos, driver pico",
        _two_boxes,
        _boxes,
        (*_SOME, *_BOXES, *_BEYOND[2:]),
        tuple((one, other) for one, other in _PAIRS if (one > 3) != (other > 3)),
        clocks=2,
        times=8,
    ),
    Kind(
        "on the Pi's header",
        "driver gpiod",
        _lines_of("gpiod"),
        _gpio(gpiod.LATE_S),
        (*_SOME, *_GPIOD, *_BEYOND),
        _PAIRS,
    ),
    Kind(
        "on the Pi's header",
        "driver rpi-gpio",
        _lines_of("rpi-gpio"),
        _gpio(rpi_gpio.LATE_S),
        (*_SOME, 500, *_MODULE, 30_000, 35_000, 50_000),
        _PAIRS,
    ),
)
