"""What a table costs at which nothing happens: how often it wakes its processor, and what its readers' polls take."""

import time
from collections.abc import Callable, Iterator

from tests.bench.figures import Budget, Figure
from tests.bench.rig import Program, folder, rig, virtual

SETTLED = 10.0
"""Seconds after the first page until the program has compiled all its templates."""

RADIOS = {0.03: Budget(median_at_most=15), 0.005: None}
"""Seconds of radio a poll: as real readers tell of theirs, and as quick as they can be."""


def at_rest(quick: bool) -> Iterator[Figure]:
    """A virtual table, where nothing is polled; then seven readers on lines of their own, and a box."""
    seconds, times = (1.0, 2) if quick else (10.0, 3)
    with folder() as directory, virtual(directory / "log") as program:
        _settled(program, quick)
        woken = [_per_second(program.wakes, seconds) for _ in range(times)]
    yield Figure("an idle virtual table wakes its processor", "1/s", woken, Budget(median_at_most=2))
    for radio, budget in RADIOS.items():
        with rig(seats=6, radio=radio) as table, table.running() as program:
            _settled(program, quick)
            percents = [100 * _per_second(program.processor, seconds) for _ in range(times)]
        label = f"an idle table of seven readers ({1000 * radio:.0f} ms of radio a poll) and a box, of one core"
        yield Figure(label, "%", percents, budget, emulated=True)


def _settled(program: Program, quick: bool) -> None:
    program.first_page()
    time.sleep(0.5 if quick else SETTLED)


def _per_second(counter: Callable[[], float], seconds: float) -> float:
    count_before = counter()
    began = time.monotonic()
    time.sleep(seconds)
    return (counter() - count_before) / (time.monotonic() - began)
