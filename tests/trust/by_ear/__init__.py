"""Trial: who plays by ear plays as well as who looks.

The same strategy plays the same deals twice against the table's real bots. Once it chooses by the seat's own sight.
Once it knows only what it has heard: the sentences that the page puts into its live region, in their order, and the
names of the buttons in the accessibility tree. At each choice both are compared, so that what a listener can't know is
named.

Hearing takes time: sentences wait for each other, at 180 words a minute, and what a button is called is heard before it
is pressed. Bots wait for listeners, as they do at every table.

    python -m tests.trust --only by_ear

plays 300 matches of each game, and three of each with the seat's page open in Chromium, to see that it says what is
heard here.
"""

from collections.abc import Iterator

from companion import games
from tests.trust.by_ear.in_chromium import beside_chromium
from tests.trust.by_ear.matches import GAMES, LONGEST, compared
from tests.trust.findings import Finding

MATCHES = 300
IN_CHROMIUM = 3
QUICKLY = 1
STEPS = LONGEST
QUICK_STEPS = 150


def trial(quick: bool) -> Iterator[Finding]:
    """See `findings.Trial`."""
    for slug, game in games.known().items():
        if slug in GAMES:
            yield from compared(slug, *((QUICKLY, QUICK_STEPS) if quick else (MATCHES, STEPS)))
        elif game.physics:
            nobody_listens = f"nobody understands its sentences: add tests/trust/by_ear/{game.folder.name}.py"
            yield Finding(f"{game.title}: who listens chooses as who looks would", 0, 0, untried=nobody_listens)
    if not quick:
        yield from beside_chromium([*GAMES], IN_CHROMIUM)
