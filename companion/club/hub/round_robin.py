"""A round robin: in each group everybody plays everybody once, two at a table. Pure.

Rounds follow from a circle of places, the first of which stays while the others move on (Schurig's tables). Leavers
keep their place, so nobody else's opponents change; a newcomer takes the free place of an odd group. In a round that
has begun, two of a group who have no opponent play each other.
"""

import random
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from companion.club.hub.draw import Met, Pod, TooFew, cut

FEWEST_IN_GROUP = 2
MOST_IN_GROUP = 12


def drawn_groups(people: Sequence[str], wished: int, seed: int) -> tuple[tuple[str, ...], ...]:
    """Divide people at random into groups of at most this size, as even as possible. Raises `TooFew`."""
    by_lot = sorted(people)
    random.Random(seed).shuffle(by_lot)
    return tuple(map(tuple, cut(by_lot, group_sizes(len(by_lot), wished))))


def group_sizes(people: int, wished: int) -> tuple[int, ...]:
    """Return the sizes of the groups. Raises `TooFew`.

    >>> group_sizes(24, 6), group_sizes(11, 4)
    ((6, 6, 6, 6), (4, 4, 3))
    """
    if people < FEWEST_IN_GROUP:
        raise TooFew(people, FEWEST_IN_GROUP)
    # At most as many groups as have two people each: three people in groups of two are one group.
    groups = min(-(-people // wished), people // FEWEST_IN_GROUP)
    smallest, more = divmod(people, groups)
    return tuple(smallest + (group < more) for group in range(groups))


def rounds_left(group: Sequence[str], left: Collection[str], met: Met) -> list[list[Pod]]:
    """Return the pairs of each round still to come: people present who have not met.

    >>> rounds_left(["a", "b", "c", "d"], [], {frozenset("ad"): 1, frozenset("bc"): 1})
    [[('a', 'c'), ('d', 'b')], [('a', 'b'), ('c', 'd')]]
    """
    rounds: list[list[Pod]] = []
    for pair in chain(*circle(group)):
        if met.get(frozenset(pair)) or {*pair} & {*left}:
            continue
        # Where people left or came, rounds have gaps: a pair plays as soon as both are free.
        free_round = next((pairs for pairs in rounds if not any({*pair} & {*other} for other in pairs)), None)
        if free_round is None:
            rounds.append([pair])
        else:
            free_round.append(pair)
    return rounds


def mended_pairs(
    pods: Sequence[Pod],
    present: AbstractSet[str],
    has_played: AbstractSet[str],
    groups: Iterable[Sequence[str]],
    met: Met,
) -> tuple[Pod, ...]:
    """Return the pairs of a round that have not played, after some left and others came.

    Two of a group who are without an opponent play each other if they have not met.

    >>> mended_pairs([("a", "b"), ("c", "d")], {*"acdef"}, set(), ["abcdef"], {frozenset("af"): 1})
    (('c', 'd'), ('a', 'e'))
    """
    whole = [people for people in pods if {*people} <= present]
    free = present - has_played - {*chain(*whole)}
    to_come = [rounds_left(group, {*group} - free, met) for group in groups]
    return (*whole, *chain(*(pairs for rounds in to_come for pairs in rounds[:1])))


def circle(group: Sequence[str]) -> list[list[Pod]]:
    """Return every round of a group; in an odd one, each person has one round without an opponent.

    >>> circle(["a", "b", "c"])
    [[('b', 'c')], [('a', 'c')], [('a', 'b')]]
    """
    places: list[str | None] = [*group]
    if len(places) % 2:
        places.append(None)
    rounds: list[list[Pod]] = []
    for _ in range(len(places) - 1):
        upper = places[: len(places) // 2]
        lower = places[: len(places) // 2 - 1 : -1]
        rounds.append([(first, second) for first, second in zip(upper, lower, strict=True) if first and second])
        places = [places[0], places[-1], *places[1:-1]]
    return rounds
