"""Trial: every fault of the emulated readers and of the box, alone and together, over random evenings.

At each evening chips, boards and wires are others, as bad as people have found real ones. All play in time of their
own, the same way each time for the same seed.
"""

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.trust.cables.box import BoxOnCable
from tests.trust.cables.evening import Devices, Evening
from tests.trust.cables.readers import WAKING_S, on_i2c, on_spi, on_uart
from tests.trust.cables.trouble import Outcome
from tests.trust.cables.truth import RECOVERED_S
from tests.trust.findings import Finding

QUICK_SEED = 7
EVENINGS = 10
EVENTS = 500
KINDS: tuple[Callable[[], Devices], ...] = (on_i2c, on_spi, on_uart, BoxOnCable)


def trial(quick: bool) -> Iterator[Finding]:
    """See `findings.Trial`."""
    seeds = [QUICK_SEED] if quick else [random.SystemRandom().randrange(10**6) for _ in range(EVENINGS)]
    for kind in KINDS:
        yield from evenings(kind, seeds, 40 if quick else EVENTS)


def evenings(kind: Callable[[], Devices], seeds: Sequence[int], events: int) -> Iterator[Finding]:
    """Play one with each seed; tell what they came to."""
    all_told = Outcome()
    for seed in seeds:
        devices = kind()
        with tempfile.TemporaryDirectory(prefix="cables-") as folder:
            all_told.add(Evening(Path(folder), devices, events, seed).play(), f"seed {seed}")
    yield from _found(devices.name, all_told)


def _found(where: str, came: Outcome) -> Iterator[Finding]:
    faults = f"{sum(came.faults.values())} faults of {len(came.faults)} kinds, {came.kills} times killed"
    yield Finding(
        f"{where}: each card laid or lifted is in the log once, and none that was not; presses too",
        came.cards + came.presses,
        len(came.wrong),
        f"{came.cards} cards laid or lifted, {came.presses} presses, {faults}{_which(came.wrong)}",
    )
    recovered = came.recoveries
    yield Finding(
        f"{where}: all is well {RECOVERED_S:.0f} s after a fault, a chip on I2C that wants rest {WAKING_S} s later; "
        "the page tells of longer ones, and only then",
        len(recovered) + came.told + len(came.slow) + len(came.untold),
        len(came.slow) + len(came.untold),
        f"{len(recovered)} ends of faults, {max(recovered, default=0):.1f} s the longest to recover; {came.told} told"
        f"{_which(came.slow + came.untold)}",
    )


def _which(broken: list[str]) -> str:
    return f"; {'; '.join(broken[:5])}" if broken else ""
