"""Trial: random worlds of every game, which know what lies where.

Careless people play them at the judge itself, and at the whole table through its emulated readers and buttons; what the
judge says must be what is true. And nobody sees in a simulated world what their seat can't see.

    python -m tests.trust --only worlds

plays 10,000 worlds of each game at the judge (12 ms of processor a world of Kartel and of stop it!, 46 of ¡Go!, 54 of
STOP me GO: 21 minutes), then 40 of each at its readers and buttons (5 minutes); it keeps what came of it.
One game alone, where a run may be stopped any time:

    python -c "from tests.trust.worlds import judged, sensed; from companion import games; \
        game = games.known()['stop-me-go']; print(judged.of_game(game, range(10_000)), sensed.of_game(game, 40, 150))"
"""

from collections.abc import Iterator

from tests.trust.findings import Finding
from tests.trust.worlds import judged, sensed, sights

WORLDS = 10_000
QUICKLY = 12
SENSED = 40
QUICKLY_SENSED = 1
ACTS = 150
QUICK_ACTS = 8


def trial(quick: bool) -> Iterator[Finding]:
    """See `findings.Trial`."""
    yield from judged.findings(QUICKLY if quick else WORLDS)
    yield from sensed.findings(*((QUICKLY_SENSED, QUICK_ACTS) if quick else (SENSED, ACTS)))
    if not quick:  # in short the games' own laws of worlds look alike
        yield from sights.findings()
