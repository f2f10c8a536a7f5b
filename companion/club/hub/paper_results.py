"""Results of a tournament that the keeper enters from paper. Pure."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from companion.club.hub.draw import CupFault
from companion.club.hub.tournament import Tournament, find_pod


def written(tournament: Tournament, number: int, people: Sequence[str], places: Sequence[int]) -> Tournament:
    """Enter the places of the pod with these people; () removes them. Raises `CupFault`."""
    if number >= len(tournament.drawn):
        raise CupFault("no-pod")
    drawn = tournament.drawn[number]
    pod_number = find_pod(drawn, people)
    if places:
        if len(places) != len(people) or not all(1 <= place <= len(places) for place in places):
            raise CupFault("places", most=len(people))
        _check_ranking(places)
    pods = list(drawn.pods)
    pods[pod_number] = replace(pods[pod_number], by_hand=tuple(places) or None)
    return replace(
        tournament,
        drawn=(*tournament.drawn[:number], replace(drawn, pods=tuple(pods)), *tournament.drawn[number + 1 :]),
    )


def _check_ranking(places: Sequence[int]) -> None:
    """Raise `CupFault` unless these places begin with 1, and skip one only after a tie: 1, 1, 3 or 1, 1, 2."""
    counts = Counter(places)
    distinct = sorted(counts)
    if distinct[0] != 1:
        raise CupFault("no-first")
    for place, following in pairwise(distinct):
        if following not in (place + 1, place + counts[place]):
            raise CupFault("gap", place=place + 1, after=following)
