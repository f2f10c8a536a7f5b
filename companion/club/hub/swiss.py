"""Swiss rounds: people with similar points play each other, and avoid repeated meetings. Pure.

At tables of two, repeated meetings and second byes together are minimal, and a bye goes to the lowest who has had none.
At tables of three to six, repeated meetings are as few as in a draw without points, and then points at a table are as
similar as swapping two people can make them.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product

from companion.club.hub.draw import Draw, Met, Pod, TooFew, cut, draw, meetings, mended, sizes
from companion.club.hub.matching import largest_matching, without

PAIR = 2
_BYE = ""
"""Stands for the opponent of a person with a bye."""

Points = Mapping[str, int]


def draw_swiss(
    people: Sequence[str], points: Points, met: Met, byes: Mapping[str, int], wished: int, seed: int
) -> Draw:
    """Return the tables of a round, the best first; a bye is a table of one, and last. Raises `TooFew`.

    `points` are the scores so far, `byes` how many each has had; equal points are ordered at random.
    """
    by_lot = sorted(people)
    random.Random(seed).shuffle(by_lot)
    ranked = sorted(by_lot, key=lambda name: -points.get(name, 0))
    if wished > PAIR:
        return _draw_tables(ranked, points, met, wished, seed)
    if len(ranked) < PAIR:
        raise TooFew(len(ranked), PAIR)
    pods = _draw_pairs(ranked, met, byes)
    again = meetings(pods, met)
    return Draw(pods, again, fewest=not again or (len(ranked) % PAIR == 0 and max(met.values()) == 1))


def mended_swiss(
    pods: Sequence[Pod], leavers: Iterable[str], newcomers: Sequence[str], met: Met, wished: int
) -> tuple[Pod, ...]:
    """Return the tables of a round that has not been played, changed for leavers and newcomers.

    At tables of two, people without an opponent play each other or a newcomer; a newcomer without one waits.
    """
    gone_names = set(leavers)
    if wished > PAIR:
        return mended(pods, gone_names, newcomers, met)
    stay = [tuple(name for name in pod if name not in gone_names) for pod in pods]
    whole = [pod for pod in stay if len(pod) == PAIR]
    alone = [pod[0] for pod in stay if len(pod) == 1]
    available = [*alone, *newcomers]
    # Newcomers get no bye for a round that began without them.
    missing = len(available) % PAIR and len(alone) < len(available)
    return (*whole, *_draw_pairs(available[:-1] if missing else available, met, {}))


def _draw_pairs(ranked: Sequence[str], met: Met, byes: Mapping[str, int]) -> tuple[Pod, ...]:
    """Pair each person with the nearest below them who leaves the others a maximum matching of new opponents."""
    # The bye comes first in the order, so that it chooses first: the lowest who has not had it.
    order = [*ranked] if len(ranked) % PAIR == 0 else [_BYE, *ranked]

    def count(person: int, rival: int) -> int:
        names = {order[person], order[rival]}
        return byes.get(max(names), 0) if _BYE in names else met.get(frozenset(names), 0)

    people = range(len(order))
    graph = [[rival for rival in people if rival != person and not count(person, rival)] for person in people]
    mates = largest_matching(graph)
    paired: set[int] = set()
    pods: list[Pod] = []
    for person in people:
        if person in paired:
            continue
        below = [rival for rival in people[person + 1 :] if rival not in paired]
        by_nearness = below if order[person] else below[::-1]
        for rival in sorted(by_nearness, key=lambda rival: count(person, rival)):
            mates_then, lost = without(graph, mates, (person, rival), paired)
            # New opponents are themselves a pair of the matching, so it may lose one; others must not cost any.
            if lost <= (count(person, rival) == 0):
                mates = mates_then
                paired |= {person, rival}
                pods.append(tuple(order[chosen] for chosen in (person, rival) if order[chosen]))
                break
    return tuple(sorted(pods, key=len, reverse=True))


def _draw_tables(ranked: Sequence[str], points: Points, met: Met, wished: int, seed: int) -> Draw:
    pods = _levelled(cut(ranked, sizes(len(ranked), wished)), points, met)
    again = meetings(pods, met)
    fewest = not again
    if again:
        freely = draw(ranked, met, wished, seed)
        if freely.again < again:
            pods = _levelled(freely.pods, points, met)
            again = meetings(pods, met)
        fewest = not again or (freely.fewest and again == freely.again)
    rank = {name: place for place, name in enumerate(ranked)}
    in_order = [tuple(sorted(pod, key=lambda name: rank[name])) for pod in pods]
    return Draw(tuple(sorted(in_order, key=lambda pod: rank[pod[0]])), again, fewest)


def _levelled(pods: Iterable[Sequence[str]], points: Points, met: Met) -> tuple[Pod, ...]:
    """Swap two people while that gives fewer repeated meetings, or as few and more similar points."""
    tables = [tuple(pod) for pod in pods]
    improved = True
    while improved:
        improved = False
        for first, second in combinations(range(len(tables)), 2):
            if _stand_apart(tables[first], tables[second], points, met):
                continue
            for leaver, comer in product(tables[first], tables[second]):
                exchanged = (
                    tuple(comer if name == leaver else name for name in tables[first]),
                    tuple(leaver if name == comer else name for name in tables[second]),
                )
                if _cost(exchanged, points, met) < _cost((tables[first], tables[second]), points, met):
                    tables[first] = exchanged[0]
                    tables[second] = exchanged[1]
                    improved = True
                    break
    return tuple(tables)


def _stand_apart(first: Pod, second: Pod, points: Points, met: Met) -> bool:
    """Return whether no swap can help: nobody meets again, and all of one table have at least the other's points."""
    scores = [sorted(points.get(name, 0) for name in pod) for pod in (first, second)]
    return (scores[0][0] >= scores[1][-1] or scores[1][0] >= scores[0][-1]) and not meetings((first, second), met)


def _cost(pods: Sequence[Pod], points: Points, met: Met) -> tuple[int, int]:
    uneven = sum(
        (points.get(name, 0) - points.get(rival, 0)) ** 2 for pod in pods for name, rival in combinations(pod, 2)
    )
    return meetings(pods, met), uneven
