"""The draw: pods of three to six with as few repeated meetings as possible. Pure: all chance comes from a seed.

With up to twelve people every division is tried, so the result is optimal. Beyond that it is a local search: people are
swapped between pods while that helps, from several random starting points; without a repeated meeting it is optimal
too. The same seed, names and earlier rounds give the same pods.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from msgspec import Struct

from companion.errors import WrongInput
from companion.events import SEATS

SMALLEST = 3
LARGEST = max(SEATS)
ALL_WAYS = 12
"""Most people for whom every division is tried."""
BEGINNINGS = 12
"""Starting points of the local search."""
SWAPS = 4000
"""Swaps tried from one starting point."""

Pod = tuple[str, ...]
Pair = frozenset[str]
Met = Mapping[Pair, int]
"""How often two people have met."""


class CupFault(WrongInput):
    """An act that a tournament or bracket does not allow; `code` and `facts` make the sentence that says why."""

    def __init__(self, code: str, **facts: Any):
        super().__init__(f"{code} {facts}")
        self.code = code
        self.facts = facts


class TooFew(CupFault):
    """There are not enough people for a pod."""

    def __init__(self, people: int, smallest: int = SMALLEST):
        super().__init__("too-few", number=people, smallest=smallest)


class Draw(Struct, frozen=True):
    """The pods of a round."""

    pods: tuple[Pod, ...]
    again: int
    """Earlier meetings between people who now sit together."""
    fewest: bool
    """Whether it is certain that no other division has fewer."""


def met(rounds: Iterable[Iterable[Sequence[str]]]) -> Counter[Pair]:
    """Count the meetings of each pair in these rounds."""
    return Counter(frozenset(pair) for pods in rounds for pod in pods for pair in combinations(pod, 2))


def sizes(people: int, wished: int) -> tuple[int, ...]:
    """Return the pod sizes, as close to the wished size and as even as possible. Raises `TooFew`.

    >>> sizes(13, 4)
    (4, 3, 3, 3)
    >>> sizes(5, 4)
    (5,)
    """
    if people < SMALLEST:
        raise TooFew(people)
    pods = min(max(-(-people // wished), -(-people // LARGEST)), people // SMALLEST)
    smallest, more = divmod(people, pods)
    return tuple(smallest + (pod < more) for pod in range(pods))


def draw(people: Sequence[str], met: Met, wished: int, seed: int) -> Draw:
    """Divide people into pods, given the earlier rounds. Raises `TooFew`."""
    chance = random.Random(seed)
    mixed = sorted(people)  # so that the seed decides, and not the order in which people were entered
    chance.shuffle(mixed)
    shape = sizes(len(mixed), wished)
    if len(mixed) <= ALL_WAYS:
        pods, meetings_left = _best_of_all(mixed, shape, met)
        return Draw(pods, meetings_left, fewest=True)
    pods, meetings_left = _swapped(mixed, shape, met, chance)
    for _ in range(BEGINNINGS - 1):
        if not meetings_left:
            break
        chance.shuffle(mixed)
        pods, meetings_left = min(
            (pods, meetings_left), _swapped(mixed, shape, met, chance), key=lambda attempt: attempt[1]
        )
    return Draw(pods, meetings_left, fewest=meetings_left == 0)


def mended(pods: Sequence[Pod], leavers: Iterable[str], newcomers: Iterable[str], met: Met) -> tuple[Pod, ...]:
    """Return the pods of a round that has not begun, changed as little as possible for leavers and newcomers.

    If too few remain in a leaver's pod, they go where there is room. A newcomer joins one of the smallest pods, the one
    where they have met the fewest. If all together are too few for a pod, two who remain of one stay in it, and nobody
    else has a place.
    """
    gone_names = set(leavers)
    stay = [tuple(name for name in pod if name not in gone_names) for pod in pods]
    whole = [pod for pod in stay if len(pod) >= SMALLEST]
    homeless = [name for pod in stay if len(pod) < SMALLEST for name in pod] + list(newcomers)
    if not whole:
        if len(homeless) < SMALLEST:
            return tuple(pod for pod in stay if len(pod) == 2)
        whole = [tuple(homeless[:SMALLEST])]
        homeless = homeless[SMALLEST:]
    for name in homeless:
        room = [number for number, pod in enumerate(whole) if len(pod) < LARGEST]
        if room:
            number = min(room, key=lambda number: (len(whole[number]), _meetings(name, whole[number], met), number))
            whole[number] = (*whole[number], name)
        else:
            whole = _with_another_pod(whole, name, met)
    return tuple(whole)


def meetings(pods: Iterable[Pod], met: Met) -> int:
    """Count the earlier meetings between people who sit together."""
    return sum(met.get(frozenset(pair), 0) for pod in pods for pair in combinations(pod, 2))


def cut(people: Sequence[str], shape: Sequence[int]) -> Iterator[Sequence[str]]:
    """Cut a list of people into pods of these sizes, in its order."""
    ends = [0]
    for size in shape:
        ends.append(ends[-1] + size)
    return (people[start:end] for start, end in pairwise(ends))


def _with_another_pod(pods: list[Pod], name: str, met: Met) -> list[Pod]:
    """Open a pod for a person without a place, joined by one from each of two full pods."""
    new_pod: Pod = (name,)
    for number in range(len(pods)):
        if len(new_pod) == SMALLEST:
            break
        moves = min(pods[number], key=lambda person: (_meetings(person, new_pod, met), person))
        pods[number] = tuple(person for person in pods[number] if person != moves)
        new_pod = (*new_pod, moves)
    while len(new_pod) < SMALLEST:
        new_pod = (*new_pod, pods[0][-1])
        pods[0] = pods[0][:-1]
    return [*pods, new_pod]


def _meetings(name: str, pod: Iterable[str], met: Met) -> int:
    return sum(met.get(frozenset((name, person)), 0) for person in pod)


def _best_of_all(people: Sequence[str], shape: Sequence[int], met: Met) -> tuple[tuple[Pod, ...], int]:
    best: tuple[Pod, ...] = ()
    fewest = 1 + sum(met.values())

    def divide(unseated: tuple[str, ...], open_pods: tuple[int, ...], pods: tuple[Pod, ...], again: int) -> None:
        nonlocal best, fewest
        if again >= fewest:  # pruned: further pods only add meetings
            return
        if not unseated:
            best = pods
            fewest = again
            return
        # The first person must sit somewhere: trying each of their pods reaches every division exactly once.
        first = unseated[0]
        candidates = unseated[1:]
        for size in sorted(set(open_pods), reverse=True):
            position = open_pods.index(size)
            for companions in combinations(candidates, size - 1):
                pod = (first, *companions)
                remaining = tuple(name for name in candidates if name not in companions)
                divide(
                    remaining,
                    open_pods[:position] + open_pods[position + 1 :],
                    (*pods, pod),
                    again + meetings([pod], met),
                )

    divide(tuple(people), tuple(shape), (), 0)
    return best, fewest


def _swapped(
    people: Sequence[str], shape: Sequence[int], met: Met, chance: random.Random
) -> tuple[tuple[Pod, ...], int]:
    """Swap random pairs of people between pods; keep a swap unless it adds meetings."""
    pods = [list(pod) for pod in cut(people, shape)]
    meetings_left = meetings(map(tuple, pods), met)
    for _ in range(SWAPS):
        if not meetings_left:
            break
        first, second = chance.sample(range(len(pods)), 2) if len(pods) > 1 else (0, 0)
        position = chance.randrange(len(pods[first]))
        target = chance.randrange(len(pods[second]))
        cost_before = _swap_cost(pods, first, position, second, target, met)
        pods[first][position], pods[second][target] = pods[second][target], pods[first][position]
        # Only the two pods change, so the difference of their costs is that of the whole draw.
        change = _swap_cost(pods, first, position, second, target, met) - cost_before
        # An equal cost is kept too: on a plateau, refusing it would leave the search stuck.
        if change > 0:
            pods[first][position], pods[second][target] = pods[second][target], pods[first][position]
        else:
            meetings_left += change
    return tuple(tuple(pod) for pod in pods), meetings_left


def _swap_cost(pods: Sequence[Sequence[str]], first: int, position: int, second: int, target: int, met: Met) -> int:
    mover = pods[first][position]
    exchanged = pods[second][target]
    cost = sum(met.get(frozenset((mover, name)), 0) for name in pods[first] if name != mover)
    return cost + sum(met.get(frozenset((exchanged, name)), 0) for name in pods[second] if name != exchanged)
