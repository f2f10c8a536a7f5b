"""Each trial in its quickest form: one scene, one pair, one part of it, always with the same seed."""

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from companion import games
from companion.events import Event
from tests.bottle.broken import Broken
from tests.bottle.machine import folder_in_memory
from tests.bottle.twins import compare_by_hand
from tests.trust import (
    access,
    bottle,
    cables,
    evening_told,
    injecting,
    probing,
    secrecy,
    slips,
)
from tests.trust.cut import damage, restoring, updating
from tests.trust.findings import Finding, Tally
from tests.trust.pairs import COUNT, HAND, STOP_IT, by_hand, moment, tap, three
from tests.trust.power import SEED
from tests.trust.twin import twin
from tests.trust.worlds import judged

SCENES = {scene.name: scene for scene in probing.scenes()}
PAIRS = {hand[0]: hand for hand in HAND}


def _sealed(where: str) -> Iterator[Finding]:
    """`where`: a pair of hand, which happens at two tables in a bottle."""
    number = [*PAIRS].index(where)
    with folder_in_memory() as folder:
        try:
            looks = compare_by_hand(folder, number)
            yield Finding("two tables that differ in what is sealed look the same", looks, 0)
        except Broken as apart:
            yield Finding(
                apart.promise, 1, 1, f"{apart}", events=sum(len(one) for one, _ in by_hand(*PAIRS[where]).steps)
            )


def _secrecy(where: str) -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as folder, secrecy.Both(Path(folder), 1, asked=1000, posted=4) as both:
        both.compare(by_hand(*PAIRS[where]))
        yield from both.tally.findings("{}")


def _probing(where: str) -> Iterator[Finding]:
    tally = Tally(1)
    probing.tried(SCENES[where], tally, random.Random(1), 15)
    yield from tally.findings("{}")


ACCESS: Mapping[str, Callable[[access.Tries], None]] = {
    "spectators": access.spectators,
    "for others": lambda tries: access.for_others(tries, 6, 30),
    "for others, who count": lambda tries: access.by_seats(tries, [*["/take-back"] * 120, *["/enter"] * 120]),
    "host alone": access.host_alone,
    "pages": access.pages,
    "other sites": lambda tries: access.other_sites(tries, 3, 1),
    "looking": lambda tries: access.looking_changes_nothing(tries, 1),
}
MOMENTS: Mapping[str, Sequence[Event]] = {
    "for others, who count": moment(STOP_IT, *COUNT, *three("red-1", "red-2"), *tap("seat-1", "red-3", "red-4")),
}
"""Where a match must have come to for it; else any will do."""


def _access(where: str) -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        if where == "guessing":
            yield from access.guessing(Path(folder), 1, tries=200)
            return
        with twin(Path(folder) / "table") as table:
            if where == "injecting":
                yield from injecting.findings(table, 1, quick=True)
                return
            tries = access.Tries(table, 1)
            tries.play(MOMENTS[where]) if where in MOMENTS else tries.begin()
            ACCESS[where](tries)
            yield from tries.tally.findings("{}")


POWER: Mapping[str, Callable[[int], Iterator[Finding]]] = {
    "damages": lambda size: damage.damages(size, SEED),
    "restoring": lambda size: restoring.cuts(size, SEED, 4),
    "updating": lambda size: updating.cuts(size, SEED, 2),
}


def _power(where: str) -> Iterator[Finding]:
    """Begin with as little as can be: so what is found is small."""
    for size in (1, 2, 4):
        yield from POWER[where](size)


def _worlds(where: str) -> Iterator[Finding]:
    yield judged.of_game(games.known()[where], range(120))


BOTTLED = {"evenings": range(1, 61)}
"""Which evenings are played in a bottle."""
DEVICES = dict(zip(("i2c", "spi", "uart", "box"), cables.KINDS, strict=True))


def _cables(where: str) -> Iterator[Finding]:
    """`where`: a bus, or the box; evenings at tables of other chips and wires each time."""
    for seed in range(1, 7):
        yield from cables.evenings(DEVICES[where], [seed], 600 if where == "box" else 150)


TRIALS: Mapping[str, Callable[[str], Iterator[Finding]]] = {
    "sealed": _sealed,
    "secrecy": _secrecy,
    "probing": _probing,
    "access": _access,
    "power": _power,
    "worlds": _worlds,
    "cables": _cables,
    "bottle": lambda where: iter([bottle.until_broken(BOTTLED[where])]),
    "evening": lambda where: evening_told.evenings([1], [where], [where]),
    "slips": lambda where: iter([slips.of_game(games.known()[where], range(150))]),
}
WHERE: Mapping[str, frozenset[str]] = {
    "sealed": frozenset(PAIRS),
    "secrecy": frozenset(PAIRS),
    "probing": frozenset(SCENES),
    "access": frozenset({*ACCESS, "guessing", "injecting"}),
    "power": frozenset(POWER),
    "worlds": frozenset(games.known()),
    "cables": frozenset(DEVICES),
    "bottle": frozenset(BOTTLED),
    "evening": frozenset(evening_told.PLAYABLE),
    "slips": frozenset(games.known()),
}
"""Where each trial can be told to look."""


def find(finder: str, where: str) -> tuple[str, int | None] | None:
    """Return by what a bug was found, and to how many events that was made small; None: it was not found."""
    try:
        for finding in TRIALS[finder](where):
            if finding.broken:
                return finding.what, finding.events
    except Exception as wrong:
        return f"{type(wrong).__name__}: {wrong}"[:200], None
    return None
