"""What happens to a table, step by step: values that a seed draws, that read and write as one line, and shrink.

A step names a kind and a lot, from which everything else about it is drawn by what the table is like when it comes. So
any steps can be left out, and the others still mean something.

>>> line([Step("press", 7, 250), Step("cut", 1, 0)])
'press:7:250 cut:1:0'
>>> steps_of("press:7:250 cut:1:0")[1]
Step(kind='cut', lot=1, after=0)
"""

import random
from collections.abc import Mapping, Sequence

import msgspec

LOTS = 1 << 20
_PAUSES = (0, 0, 1, 20, 150, 150, 400, 400, 1000, 1000, 2500, 6000, 15_000, 40_000)
"""Milliseconds between two steps."""


class Step(msgspec.Struct, frozen=True):
    """One thing that happens."""

    kind: str
    lot: int
    after: int
    """Milliseconds since the step before."""


CALM: Mapping[str, int] = {
    "next": 60,
    "noise": 6,
    "together": 6,
    "lift": 4,
    "wish": 14,
    "answer": 12,
    "enter": 6,
    "regret": 6,
    "here": 4,
    "begin": 3,
    "break": 2,
    "go_on": 3,
    "sit": 3,
    "claim": 2,
    "leave": 1,
    "walk": 1,
    "hear": 1,
    "wait": 2,
    "hurry": 4,
    "twins": 1,
    "pocket": 3,
    "browser": 2,
}
"""How often each kind comes at a table where nothing breaks."""
FAULTS: Mapping[str, int] = {
    "restart": 2,
    "cut": 3,
    "cut_within": 4,
    "cut_among_own": 4,
    "disk": 5,
    "answer_unkept": 4,
    "unheard": 3,
    "mend": 6,
    "raises": 2,
    "clock": 2,
    "broker": 5,
    "hub": 2,
    "lie": 1,
    "flood": 1,
    "unreadable": 3,
    "belated": 3,
}


def drawn(seed: int, count: int) -> list[Step]:
    """Draw what happens; the first step says what table it is, and whether people come before a match begins."""
    chance = random.Random(seed)
    faults = chance.choice((0.0, 0.3, 1.0, 3.0))
    weights = {**CALM, **{kind: weight * faults for kind, weight in FAULTS.items()}}
    kinds = chance.choices([*weights], [*weights.values()], k=count)
    lot = chance.randrange(LOTS)
    first = Step("table", lot, lot % 2)
    return [first, *(Step(kind, chance.randrange(LOTS), chance.choice(_PAUSES)) for kind in kinds)]


UNBROKEN: Mapping[str, int] = {
    "next": 60,
    "noise": 6,
    "lift": 5,
    "wish": 10,
    "answer": 10,
    "here": 3,
    "break": 2,
    "go_on": 3,
    "wait": 2,
    "restart": 2,
}
"""What may happen at two tables side by side."""


def drawn_calm(seed: int, count: int) -> list[Step]:
    """Draw an evening in which nothing breaks, to be played at two tables."""
    chance = random.Random(seed)
    kinds = chance.choices([*UNBROKEN], [*UNBROKEN.values()], k=count)
    first = Step("table", chance.randrange(LOTS), 0)
    return [first, *(Step(kind, chance.randrange(LOTS), chance.choice((0, 150, 1000, 6000))) for kind in kinds)]


def line(steps: Sequence[Step]) -> str:
    """Write steps as one line."""
    return " ".join(f"{step.kind}:{step.lot}:{step.after}" for step in steps)


def steps_of(text: str) -> list[Step]:
    """Read such a line."""
    parts = (word.split(":") for word in text.split())
    return [Step(kind, int(lot), int(after)) for kind, lot, after in parts]
