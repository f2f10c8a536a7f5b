"""Evenings in a bottle, as many as there is time for: `tests/bottle/README.md` says what they ask."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator

from tests.bottle.__main__ import compared, played, small
from tests.bottle.between_steps import tried
from tests.bottle.steps import drawn, line
from tests.bottle.wishes import WISHES
from tests.trust.findings import Finding

EVENINGS = 10_000
QUICKLY = 12
LONG, SHORT = 150, 60
"""Steps of an evening."""
SITTING = 800
"""Steps of every tenth at length: the write-ahead log then begins again at its beginning, over what was there."""


def until_broken(numbers: Iterable[int]) -> Finding:
    """Play evenings of these numbers until a promise is broken, and make small what broke it."""
    tried = 0
    for number in numbers:
        steps = drawn(number, LONG)
        events, broken = played(steps)
        tried += events.total()
        if broken is not None:
            few = small(steps[: broken[0] + 1], broken[1].promise)
            return Finding(broken[1].promise, tried, 1, line(few), events=len(few))
    return Finding("evenings in a bottle break no promise", tried, 0)


def trial(quick: bool) -> Iterator[Finding]:
    """Play evenings by lot, try every act between its steps, and play pairs that differ only in what is sealed.

    In short no act: `tests/bottle/test_between_steps.py` tries each.
    """
    seed = 1 if quick else random.SystemRandom().randrange(10**6)
    evenings = range(seed, seed + (QUICKLY if quick else EVENINGS))
    happened: Counter[str] = Counter()
    wrong: list[str] = []
    for number in evenings:
        length = LONG if number % 10 else SITTING
        steps = drawn(number, SHORT if quick else length)
        events, broken = played(steps)
        happened += events
        if broken is not None:
            few = small(steps[: broken[0] + 1], broken[1].promise)
            wrong.append(f"seed {number}: {broken[1]}; again: {line(few)}")
    what = "in a bottle: evenings with faults of disk, power, clock, people and games' code break no promise (steps)"
    yield Finding(what, happened.total(), len(wrong), "; ".join(wrong)[:2000].replace("|", "/"))
    if not quick:
        outcomes = [outcome for name in WISHES for outcome in tried(name)]
        broken_acts = [outcome for outcome in outcomes if outcome is not None]
        what = "in a bottle: an act that a fault comes upon is done once or not at all, and all know which (faults)"
        yield Finding(what, len(outcomes), len(broken_acts), "; ".join(map(str, broken_acts))[:2000].replace("|", "/"))
    looks = 0
    told = []
    for number in evenings:
        compared_looks, apart = compared(number)
        looks += compared_looks
        told += [f"seed {number}: {apart}"] if apart else []
    what = "in a bottle: two evenings that differ only in what is sealed look the same to others (looks)"
    yield Finding(what, looks, len(told), "; ".join(told)[:2000].replace("|", "/"))
