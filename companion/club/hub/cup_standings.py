"""The standings of a tournament, and its tie-breaks. Pure.

Ties in points are broken, in groups, by tables won. In Swiss rounds the strength of opponents comes first: for every
table played, the mean of the points that the others at it have by now, summed and rounded (Buchholz, for tables of any
size); a bye counts as an opponent with one's own points. In a round robin, where all meet the same opponents, the
points scored against those with as many come first. A table whose first place is shared is won by nobody. Where all of
that is equal, the place is shared.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct, field

from companion import player_names
from companion.club.hub.tournament import Tournament

WORTH = 120
"""Points for winning a pod; the last gets none, the others are spaced evenly, so pods of every size count alike. 120 is
divisible by the number of opponents at any table. A bye is worth as much, and so is, in a round robin, an opponent who
left before the match.
"""

Places = Sequence[Sequence[tuple[int, ...] | None]]
"""For each pod of each round; None: it has not played."""


class TournamentStanding(Struct, frozen=True):
    """A person's standing in a tournament."""

    place: int
    """In a round robin, in their group."""
    shared: bool
    """Whether others have the same place."""
    name: str
    points: int
    wins: int
    """Tables won by nobody else."""
    played: int
    left: bool
    byes: int
    """Rounds that brought points without an opponent."""
    tie_break: int | None
    """The tie-break that comes before tables won, as this module's docstring says; None in groups."""
    group: int
    """Of a round robin, from 0."""


class _Sum(Struct):
    """A person's scores, while they are added up."""

    points: int = 0
    wins: int = 0
    byes: int = 0
    against: list[tuple[Sequence[str], int]] = field(default_factory=list)
    """The others at each table played, and the points scored there."""


def standings(tournament: Tournament, places: Places) -> list[TournamentStanding]:
    """Return all standings, the best first; in a round robin, group after group."""
    everybody = (*tournament.people, *tournament.left)
    groups = tournament.groups or (everybody,)
    sums = _sums(tournament, places)
    return [
        standing
        for number, group in enumerate(groups)
        for standing in _ranked(tournament, number, [name for name in group if name in sums], sums)
    ]


def worth(places: Sequence[int]) -> list[int]:
    """Return the points of each place: a share for each opponent beaten, half of it for each tie.

    >>> worth([1, 2, 3]), worth([1, 1]), worth([1])
    ([120, 60, 0], [60, 60], [120])
    """
    opponents = len(places) - 1
    if not opponents:
        return [WORTH]
    beaten = [sum(2 * (place < rival) + (place == rival) for rival in places) - 1 for place in places]
    return [WORTH * twice // (2 * opponents) for twice in beaten]


def _sums(tournament: Tournament, places: Places) -> dict[str, _Sum]:
    sums = {name: _Sum() for name in (*tournament.people, *tournament.left)}
    names = {player_names.key(name): name for name in sums}
    for people, pod_places in _played(tournament, places):
        known_names = [names.setdefault(player_names.key(name), name) for name in people]
        for name, points, place in zip(known_names, worth(pod_places), pod_places, strict=True):
            person = sums.setdefault(name, _Sum())
            person.points += points
            if len(known_names) == 1:
                person.byes += 1
            else:
                person.wins += place == 1 and pod_places.count(1) == 1
                person.against.append(([rival for rival in known_names if rival != name], points))
    for group in tournament.groups:
        for leaver in {*group} & {*tournament.left}:
            for name in {*group} & {*tournament.people}:
                if not any(leaver in rivals for rivals, _ in sums[name].against):
                    sums[name].points += WORTH
                    sums[name].byes += 1
    return sums


def _played(tournament: Tournament, places: Places) -> Iterator[tuple[Sequence[str], tuple[int, ...]]]:
    for drawn, round_places in zip(tournament.drawn, places, strict=True):
        for pod, pod_places in zip(drawn.pods, round_places, strict=True):
            if pod_places is not None:
                yield pod.people, pod_places


def _ranked(
    tournament: Tournament, number: int, group: Sequence[str], sums: Mapping[str, _Sum]
) -> Iterator[TournamentStanding]:
    tie_breaks = {name: _tie_break(tournament, name, sums) for name in group}
    ranks = {name: (-sums[name].points, -(tie_breaks[name] or 0), -sums[name].wins) for name in group}
    in_order = sorted(ranks.values())
    for name in sorted(group, key=lambda name: (ranks[name], player_names.plain(name))):
        yield TournamentStanding(
            place=1 + in_order.index(ranks[name]),
            shared=in_order.count(ranks[name]) > 1,
            name=name,
            points=sums[name].points,
            wins=sums[name].wins,
            played=len(sums[name].against),
            left=name in tournament.left,
            byes=sums[name].byes,
            tie_break=tie_breaks[name],
            group=number,
        )


def _tie_break(tournament: Tournament, name: str, sums: Mapping[str, _Sum]) -> int | None:
    person = sums[name]
    match tournament.kind:
        case "groups":
            return None
        case "swiss":
            strengths = [
                Fraction(sum(sums[rival].points for rival in rivals), len(rivals)) for rivals, _ in person.against
            ]
            return round_half_up(sum(strengths, Fraction(person.byes * person.points)))
        case "round-robin":
            return sum(points for (rival,), points in person.against if sums[rival].points == person.points)


def round_half_up(number: Fraction) -> int:
    """Round as people do by hand.

    >>> round_half_up(Fraction(5, 2)), round_half_up(Fraction(7, 3))
    (3, 2)
    """
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)
