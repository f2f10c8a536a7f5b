"""Who plays with whom: pods of three to six, with as few repeated meetings as possible. Pure: chance is a seed.

With up to twelve people every division is tried, so there is no better one. Beyond that people are swapped
between pods for as long as that helps, from several beginnings; if nobody meets again it can't be better either.
Whoever has the seed, the names and the earlier rounds gets the same pods.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from msgspec import Struct

from companion.errors import WrongInput
from companion.events import SEATS

SMALLEST, LARGEST = 3, max(SEATS)
ALL_WAYS = 12
"""The most people for whom every division is tried."""
BEGINNINGS = 12
SWAPS = 4000
"""Pairs of people tried from one starting point."""

Pod = tuple[str, ...]
Pair = frozenset[str]
Met = Mapping[Pair, int]
"""How often two people have met."""


class CupFault(WrongInput):
    """Something that can't be done in a tournament; `code` names the sentence that says what, with these facts."""

    def __init__(self, code: str, **facts: Any):
        super().__init__(f"{code} {facts}")
        self.code, self.facts = code, facts


class TooFew(CupFault):
    """There are not enough people for a pod."""

    def __init__(self, people: int):
        super().__init__("too-few", number=people, smallest=SMALLEST)


class Draw(Struct, frozen=True):
    """The pods of a round."""

    pods: tuple[Pod, ...]
    again: int
    """How many earlier meetings there were between those who now sit together."""
    fewest: bool
    """Whether it is certain that no other division has fewer."""


def met(rounds: Iterable[Iterable[Sequence[str]]]) -> Counter[Pair]:
    """Count who has met whom in these rounds."""
    return Counter(frozenset(pair) for pods in rounds for pod in pods for pair in combinations(pod, 2))


def sizes(people: int, wished: int) -> tuple[int, ...]:
    """Return the pod sizes: as close to the wish, and as even, as possible. Raises `TooFew`.

    >>> sizes(13, 4)
    (4, 3, 3, 3)
    >>> sizes(5, 4)
    (5,)
    """
    if people < SMALLEST:
        raise TooFew(people)
    pods = min(max(-(-people // wished), -(-people // LARGEST)), people // SMALLEST)
    each, more = divmod(people, pods)
    return tuple(each + (at < more) for at in range(pods))


def draw(people: Sequence[str], before: Met, wished: int, seed: int) -> Draw:
    """Divide people into pods, given the earlier rounds. Raises `TooFew`."""
    chance = random.Random(seed)
    mixed = sorted(people)
    chance.shuffle(mixed)
    shape = sizes(len(mixed), wished)
    if len(mixed) <= ALL_WAYS:
        pods, again = _best_of_all(mixed, shape, before)
        return Draw(pods, again, fewest=True)
    pods, again = _swapped(mixed, shape, before, chance)
    for _ in range(BEGINNINGS - 1):
        if not again:
            break
        chance.shuffle(mixed)
        pods, again = min((pods, again), _swapped(mixed, shape, before, chance), key=lambda found: found[1])
    return Draw(pods, again, fewest=again == 0)


def mended(pods: Sequence[Pod], left: Iterable[str], came: Iterable[str], before: Met) -> tuple[Pod, ...]:
    """Return the pods of a round that has not begun, after some left and others came, changed only as far as necessary.

    Whoever leaves is taken out of their pod; if too few remain, these go where there is room. Whoever comes joins one
    of the smallest pods, where they have met the fewest. If all together are too few for a pod, two who are left of one
    stay in it, and nobody else has a place.
    """
    gone = set(left)
    stay = [tuple(name for name in pod if name not in gone) for pod in pods]
    whole = [pod for pod in stay if len(pod) >= SMALLEST]
    homeless = [name for pod in stay if len(pod) < SMALLEST for name in pod] + list(came)
    if not whole:
        if len(homeless) < SMALLEST:
            return tuple(pod for pod in stay if len(pod) == 2)
        whole, homeless = [tuple(homeless[:SMALLEST])], homeless[SMALLEST:]
    for name in homeless:
        room = [at for at, pod in enumerate(whole) if len(pod) < LARGEST]
        if room:
            at = min(room, key=lambda at: (len(whole[at]), _meetings(name, whole[at], before), at))
            whole[at] = (*whole[at], name)
        else:
            whole = _with_another_pod(whole, name, before)
    return tuple(whole)


def meetings(pods: Iterable[Pod], before: Met) -> int:
    """Return how many earlier meetings there were between those who sit together."""
    return sum(before.get(frozenset(pair), 0) for pod in pods for pair in combinations(pod, 2))


def _with_another_pod(pods: list[Pod], name: str, before: Met) -> list[Pod]:
    """Open a pod for somebody without a place, with one person from each of two full ones."""
    fresh: Pod = (name,)
    for at in range(len(pods)):
        if len(fresh) == SMALLEST:
            break
        moves = min(pods[at], key=lambda other: (_meetings(other, fresh, before), other))
        pods[at] = tuple(other for other in pods[at] if other != moves)
        fresh = (*fresh, moves)
    while len(fresh) < SMALLEST:
        fresh, pods[0] = (*fresh, pods[0][-1]), pods[0][:-1]
    return [*pods, fresh]


def _meetings(name: str, pod: Iterable[str], before: Met) -> int:
    return sum(before.get(frozenset((name, other)), 0) for other in pod)


def _best_of_all(people: Sequence[str], shape: Sequence[int], before: Met) -> tuple[tuple[Pod, ...], int]:
    best: tuple[Pod, ...] = ()
    fewest = 1 + sum(before.values())

    def divide(rest: tuple[str, ...], open_pods: tuple[int, ...], made: tuple[Pod, ...], again: int) -> None:
        nonlocal best, fewest
        if again >= fewest:
            return
        if not rest:
            best, fewest = made, again
            return
        first, others = rest[0], rest[1:]
        for size in sorted(set(open_pods), reverse=True):
            at = open_pods.index(size)
            for beside in combinations(others, size - 1):
                pod = (first, *beside)
                left = tuple(name for name in others if name not in beside)
                divide(left, open_pods[:at] + open_pods[at + 1 :], (*made, pod), again + meetings([pod], before))

    divide(tuple(people), tuple(shape), (), 0)
    return best, fewest


def _swapped(
    people: Sequence[str], shape: Sequence[int], before: Met, chance: random.Random
) -> tuple[tuple[Pod, ...], int]:
    """Swap people between pods for as long as that helps, or harms nobody."""
    pods = [list(pod) for pod in _cut(people, shape)]
    again = meetings(map(tuple, pods), before)
    for _ in range(SWAPS):
        if not again:
            break
        one, other = chance.sample(range(len(pods)), 2) if len(pods) > 1 else (0, 0)
        at, to = chance.randrange(len(pods[one])), chance.randrange(len(pods[other]))
        was = _swap_cost(pods, one, at, other, to, before)
        pods[one][at], pods[other][to] = pods[other][to], pods[one][at]
        change = _swap_cost(pods, one, at, other, to, before) - was
        if change > 0:
            pods[one][at], pods[other][to] = pods[other][to], pods[one][at]
        else:
            again += change
    return tuple(tuple(pod) for pod in pods), again


def _swap_cost(pods: Sequence[Sequence[str]], one: int, at: int, other: int, to: int, before: Met) -> int:
    mine, theirs = pods[one][at], pods[other][to]
    here = sum(before.get(frozenset((mine, name)), 0) for name in pods[one] if name != mine)
    return here + sum(before.get(frozenset((theirs, name)), 0) for name in pods[other] if name != theirs)


def _cut(people: Sequence[str], shape: Sequence[int]) -> Iterator[Sequence[str]]:
    ends = [0]
    for size in shape:
        ends.append(ends[-1] + size)
    return (people[start:end] for start, end in pairwise(ends))
