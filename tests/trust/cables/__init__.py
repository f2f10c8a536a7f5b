"""Trial: every fault of the emulated readers and of the box, alone and together, over a random evening.

Readers on I2C and on SPI play theirs in time of their own, the same way each time for the same seed; readers on serial
ports and the buzzer box play in real time at the real program.
"""

import random
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from tests.trust.cables import evening, evening_at_ports
from tests.trust.cables.at_a_bus import on_i2c, on_spi
from tests.trust.cables.trouble import RECOVERED_S, Outcome
from tests.trust.findings import Finding
from tests.waiting import PATIENCE

QUICK_SEED = 7


def trial(quick: bool) -> Iterator[Finding]:
    """See `findings.Trial`."""
    for wire in (on_i2c, on_spi):
        seed = QUICK_SEED if quick else random.SystemRandom().randrange(10**6)
        wired = wire()
        with tempfile.TemporaryDirectory(prefix="cables-") as folder:
            came = evening.Evening(Path(folder), wired, 80 if quick else 5000, seed).play()
        yield from _found(f"{len(wired.chips)} readers on {wired.name}", came, seed)
    seed = QUICK_SEED if quick else random.SystemRandom().randrange(10**6)
    # In short it takes as long as it takes: the machine may be busy with other tests.
    readers, seconds, within = (3, 3.0, PATIENCE) if quick else (6, 240.0, RECOVERED_S)
    with tempfile.TemporaryDirectory(prefix="cables-") as folder, ExitStack() as stack:
        came = evening_at_ports.Evening(Path(folder), stack, readers, seed, within).play(seconds)
    yield from _found(f"{readers} readers and a box on serial ports", came, seed)


def _found(where: str, came: Outcome, seed: int) -> Iterator[Finding]:
    faults = f"{sum(came.faults.values())} faults of {len(came.faults)} kinds, {came.kills} times killed"
    yield Finding(
        f"{where}: each card laid or lifted is in the log once, and none that was not; presses too",
        came.cards + came.presses,
        len(came.wrong),
        f"{came.cards} cards laid or lifted, {came.presses} presses, {faults}{_which(came.wrong, seed)}",
    )
    recovered = came.recoveries
    yield Finding(
        f"{where}: all is well {RECOVERED_S:.0f} s after a fault; the page tells of longer ones, and only then",
        len(recovered) + came.told + len(came.slow) + len(came.untold),
        len(came.slow) + len(came.untold),
        f"{len(recovered)} ends of faults, {max(recovered, default=0):.1f} s the longest to recover; {came.told} told"
        f"{_which(came.slow + came.untold, seed)}",
    )


def _which(broken: list[str], seed: int) -> str:
    return f"; seed {seed}: {'; '.join(broken[:5])}" if broken else ""
