"""From a press, or a card laid down, until fifty phones are told, on disks that take longer and longer for a sync.

Nobody is told of what is not yet kept, so every millisecond of a sync is one more for everybody: `companion check` says
how long the owner's disk takes. Beside that an act may have to wait for the sync of the act before it.
"""

import sys
import time
from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.bench.phones import Phones
from tests.bench.pixels import BUDGET, SEEN, Acts, presses, taps
from tests.bench.rig import COMPANION, Rig, rig

LONGER_MS = (0, 20, 100)
PHONES = 50
SAMPLES = 25
FEW = 4
MOST = 0.4
"""Seconds after which even the slowest has told."""


def disks(quick: bool) -> Iterator[Figure]:
    for act, acts in (("press", presses), ("tap", taps)):
        with rig() as table:
            for longer in LONGER_MS[::2] if quick else LONGER_MS:
                disk = f"a disk that takes {longer} ms longer" if longer else "this disk"
                milliseconds = [*milliseconds_to_phones(table, acts, longer, FEW if quick else SAMPLES)]
                label = f"{act} to the bytes at each of {PHONES} phones, on {disk}"
                yield Figure(label, "ms", milliseconds, BUDGET, emulated=True)


def milliseconds_to_phones(table: Rig, acts: Acts, longer: int, count: int) -> Iterator[float]:
    command = (sys.executable, "-m", "tests.bench.slow_disk", str(longer)) if longer else COMPANION
    with table.running(command) as program:
        program.first_page()
        program.start_match()
        with Phones(program.port, PHONES) as phones:
            time.sleep(1.5)  # until the box's clock is known
            for act in acts(program, table, count):
                phones.take()
                began = time.time()
                act()
                time.sleep(MOST)
                yield from ((updates[0].at - began) * 1000 for updates in phones.take_all())
                time.sleep(SEEN)
