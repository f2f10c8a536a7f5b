"""Trial: every fault of the emulated readers and of the box, alone and together, over a random evening.

All play in time of their own, the same way each time for the same seed.
"""

import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.trust.cables.box import BoxOnCable
from tests.trust.cables.evening import Devices, Evening
from tests.trust.cables.readers import on_i2c, on_spi, on_uart
from tests.trust.cables.trouble import RECOVERED_S, Outcome
from tests.trust.findings import Finding

QUICK_SEED = 7
KINDS: tuple[Callable[[], Devices], ...] = (on_i2c, on_spi, on_uart, BoxOnCable)


def trial(quick: bool) -> Iterator[Finding]:
    """See `findings.Trial`."""
    for kind in KINDS:
        seed = QUICK_SEED if quick else random.SystemRandom().randrange(10**6)
        devices = kind()
        with tempfile.TemporaryDirectory(prefix="cables-") as folder:
            came = Evening(Path(folder), devices, 80 if quick else 5000, seed).play()
        yield from _found(devices.name, came, seed)


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
