"""Trial: random worlds of every game, which know what lies where.

Careless people play them at the judge itself; what the judge says must be what is true. That the judge hears of readers
and buttons what happened, `cables` tries; that nobody sees in a simulated world what their seat can't see, each game's
laws of worlds.

    python -m tests.trust --only worlds

plays 10,000 worlds of each game (12 ms of processor a world of Kartel and of stop it!, 46 of ¡Go!, 54 of STOP me GO: 21
minutes); it keeps what came of it. One game alone, where a run may be stopped any time:

    python -c "from tests.trust.worlds import judged; from companion import games; \
        print(judged.of_game(games.known()['stop-me-go'], range(10_000)))"
"""

from collections.abc import Iterator

from tests.trust.findings import Finding
from tests.trust.worlds import judged

WORLDS = 10_000
QUICKLY = 12


def trial(quick: bool) -> Iterator[Finding]:
    """See `findings.Trial`."""
    yield from judged.findings(QUICKLY if quick else WORLDS)
