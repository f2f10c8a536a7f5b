"""Trial: random worlds of every game, which know what lies where.

Careless people play them at the judge itself, and at the whole table through its emulated readers and buttons; what the
judge says must be what is true. And nobody sees in a simulated world what their seat can't see.
"""

from collections.abc import Iterator

from tests.trust.findings import Finding
from tests.trust.worlds import judged, sensed, sights

WORLDS, QUICKLY = 10_000, 12
SENSED, QUICKLY_SENSED = 40, 1
ACTS, QUICK_ACTS = 150, 8


def trial(quick: bool) -> Iterator[Finding]:
    """See `findings.Trial`."""
    yield from judged.findings(QUICKLY if quick else WORLDS)
    yield from sensed.findings(*((QUICKLY_SENSED, QUICK_ACTS) if quick else (SENSED, ACTS)))
    yield from sights.findings(quick)
