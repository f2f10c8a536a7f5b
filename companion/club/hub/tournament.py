"""A tournament: people, rounds, pods, and their results. Pure.

A pod's result is that of the first match begun after its draw in which exactly its people played, at any table; a
result that the keeper enters from paper takes precedence. Pods follow from the people present, their earlier meetings
and, in Swiss rounds only, the standings at the draw: a result that is late or corrected changes the standings but no
draw.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from companion import player_names
from companion.club.hub.draw import LARGEST, SMALLEST, CupFault, Draw, Pod, draw, meetings, mended, met, sizes
from companion.club.hub.round_robin import (
    FEWEST_IN_GROUP,
    MOST_IN_GROUP,
    drawn_groups,
    group_sizes,
    mended_pairs,
    rounds_left,
)
from companion.club.hub.swiss import PAIR, draw_swiss, mended_swiss

Kind = Literal["groups", "swiss", "round-robin"]
"""`groups`: few meet twice, whatever the results; `swiss`: people with similar points meet; `round-robin`: everybody
meets everybody of their group, two at a table.
"""
KINDS: tuple[Kind, ...] = get_args(Kind)
POD_SIZES: Mapping[Kind, tuple[int, int]] = {
    "groups": (SMALLEST, LARGEST),
    "swiss": (PAIR, LARGEST),
    "round-robin": (FEWEST_IN_GROUP, MOST_IN_GROUP),
}
"""The smallest and largest pod that may be chosen: people at a table or, in a round robin, in a group."""
USUAL_PODS: Mapping[Kind, int] = {"groups": 4, "swiss": 4, "round-robin": 6}
"""The default sizes."""
MOST_ROUNDS = 20
MOST_PEOPLE = 500
MOST_MINUTES = 600
LONGEST_NAME = 40


class TablesThen(Struct, frozen=True):
    """What the hub knew of the tables at a draw."""

    at: float
    """By the hub's clock, in seconds since 1970."""
    newest: dict[str, int]
    """The newest match's number, or 0, of each table that was online."""


class SeatedPod(Struct, frozen=True):
    """People who play with one another in a round."""

    people: tuple[str, ...]
    table: str = ""
    """The table's id; "": any free table."""
    by_hand: tuple[int, ...] | None = None
    """Their places, if the keeper entered them from paper."""


class DrawnRound(Struct, frozen=True):
    """A round of a tournament."""

    after: int
    """The newest result at the hub when the round was drawn: only later ones can be its own."""
    pods: tuple[SeatedPod, ...]
    again: int
    fewest: bool
    """See `Draw`."""
    then: TablesThen | None = None
    """None: an older companion drew it."""


class Timetable(Struct, frozen=True):
    """The rounds' times, as the keeper has set them."""

    first: int
    """The round, from 0, that begins at `begins`; the others follow."""
    begins: float
    """In seconds since 1970."""
    minutes: int
    """For each match."""


class Tournament(Struct, frozen=True):
    """The state of a tournament."""

    people: tuple[str, ...]
    """Everybody who takes part now."""
    rounds: int
    """Planned rounds; in a round robin, as many as are needed."""
    pod: int
    """Wished people in a pod; in a round robin, in a group."""
    left: tuple[str, ...] = ()
    """People who took part, and have left."""
    drawn: tuple[DrawnRound, ...] = ()
    kind: Kind = "groups"
    groups: tuple[tuple[str, ...], ...] = ()
    """The groups of a round robin once its first round is drawn, with those who have left."""
    timetable: Timetable | None = None
    """None: no times are set."""


class PlayedMatch(Struct, frozen=True):
    """A match that may be a pod's."""

    first: int
    """The number under which the hub first heard of it."""
    table: str
    number: int
    """The match's number at its table."""
    began: float
    """By its table's clock, in seconds since 1970."""
    places: Mapping[str, int]
    """By the key of each player's name."""


def new(people: Sequence[str], rounds: int, pod: int, kind: Kind = "groups") -> Tournament:
    """Begin a tournament. Raises `CupFault`."""
    smallest, largest = POD_SIZES[kind]
    if not 1 <= rounds <= MOST_ROUNDS or not smallest <= pod <= largest:
        raise CupFault("shape", rounds=MOST_ROUNDS, smallest=smallest, largest=largest)
    return _with_all_rounds(Tournament(distinct_names(people, MOST_PEOPLE), rounds, pod, kind=kind))


def next_shape(tournament: Tournament) -> tuple[int, ...]:
    """Return the sizes of the tables, or of a round robin's groups, that a draw would make now. Raises `TooFew`."""
    many = len(tournament.people)
    match tournament.kind:
        case "swiss" if tournament.pod == PAIR:
            return (PAIR,) * (many // PAIR)
        case "groups" | "swiss":
            return sizes(many, tournament.pod)
        case "round-robin":
            return group_sizes(many, tournament.pod)


def distinct_names(people: Sequence[str], most: int) -> tuple[str, ...]:
    """Return these names, cleaned. Raises `CupFault` if two are the same, or there are too many."""
    keys = [player_names.key(name) for name in people]
    equal = {keys[at]: " ".join(name.split()) for at, name in enumerate(people) if keys[at] in keys[:at]}
    if equal:
        raise CupFault("equal", names=", ".join(equal.values()))
    if len(people) > most:
        raise CupFault("most", most=most)
    return tuple(map(_named, people))


def entered(tournament: Tournament, name: str) -> Tournament:
    """Add a person, even between rounds. Raises `CupFault`.

    A person who took part before keeps the spelling of their name, by which their results are found.
    """
    name = _named(name)
    if any(player_names.same(name, present) for present in tournament.people):
        raise CupFault("twice", name=name)
    if len(tournament.people) >= MOST_PEOPLE:
        raise CupFault("most", most=MOST_PEOPLE)
    former = chain(tournament.left, *tournament.groups)
    name = next((absent for absent in former if player_names.same(absent, name)), name)
    left = tuple(absent for absent in tournament.left if absent != name)
    groups = list(tournament.groups)
    if groups and not any(name in group for group in groups):
        smallest = min(range(len(groups)), key=lambda number: len({*groups[number]} & {*tournament.people}))
        groups[smallest] = (*groups[smallest], name)
    return _with_all_rounds(replace(tournament, people=(*tournament.people, name), left=left, groups=tuple(groups)))


def gone(tournament: Tournament, name: str) -> Tournament:
    """Remove a person; their results stay. Raises `CupFault`."""
    if name not in tournament.people:
        raise CupFault("nobody", name=name)
    people = tuple(person for person in tournament.people if person != name)
    left = (*tournament.left, name) if tournament.drawn else tournament.left
    return _with_all_rounds(replace(tournament, people=people, left=left))


def removed(tournament: Tournament, name: str) -> Tournament:
    """Remove a person who has played nothing without a trace. Raises `CupFault`."""
    drawn = tuple(
        replace(drawn, pods=tuple(pod for pod in drawn.pods if pod.people != (name,))) for drawn in tournament.drawn
    )
    remaining = replace(gone(tournament, name), left=tournament.left, drawn=drawn)
    return _with_all_rounds(remaining)


def timed(tournament: Tournament, begins: float, minutes: int) -> Tournament:
    """Set when the drawn round (or else the first) begins, and how long a match takes. Raises `CupFault`."""
    if not 1 <= minutes <= MOST_MINUTES:
        raise CupFault("time", most=MOST_MINUTES)
    return replace(tournament, timetable=Timetable(max(len(tournament.drawn) - 1, 0), begins, minutes))


def fitted(tournament: Tournament, finished: Iterable[int]) -> Tournament:
    """Fit the drawn round to the people now present; `finished` are its pods that have played.

    Finished pods stay; every other pod changes as little as possible. Once all have played, newcomers wait.
    """
    last = tournament.drawn[-1]
    done = set(finished)
    if any(number not in done for number, pod in enumerate(last.pods) if len(pod.people) > 1):
        # A person with a bye plays after all if somebody is left without an opponent.
        done -= {number for number, pod in enumerate(last.pods) if len(pod.people) == 1}
    open_pods = [pod for number, pod in enumerate(last.pods) if number not in done]
    if not open_pods:
        return tournament
    present = set(tournament.people)
    newcomers = waiting(tournament)
    leavers = [name for pod in open_pods for name in pod.people if name not in present]
    if not leavers and not newcomers:
        return tournament
    earlier_meetings = met([pod.people for pod in drawn.pods] for drawn in tournament.drawn[:-1])
    people_together = [pod.people for pod in open_pods]
    match tournament.kind:
        case "groups":
            pods = mended(people_together, leavers, newcomers, earlier_meetings)
        case "swiss":
            pods = mended_swiss(people_together, leavers, newcomers, earlier_meetings, tournament.pod)
        case "round-robin":
            has_played = {name for number in done for name in last.pods[number].people}
            pods = mended_pairs(people_together, present, has_played, tournament.groups, earlier_meetings)
    new_pods = _with_tables(pods, open_pods)
    played = [pod for number, pod in enumerate(last.pods) if number in done]
    all_pods = (*played, *new_pods)
    repeated_meetings = meetings([pod.people for pod in all_pods], earlier_meetings)
    fitted_round = replace(last, pods=all_pods, again=repeated_meetings, fewest=repeated_meetings == 0)
    return _with_all_rounds(replace(tournament, drawn=(*tournament.drawn[:-1], fitted_round)))


def _with_tables(pods: Sequence[Pod], former_pods: Sequence[SeatedPod]) -> list[SeatedPod]:
    """Return these pods seated, each at the table of the former pod that it continues."""
    by_name = {name: pod for pod in former_pods for name in pod.people}
    unchanged = {pod.people: pod for pod in former_pods}
    continued = {pod.people for pod in former_pods if pod.people in pods}
    seated = []
    for people in pods:
        former = by_name.get(people[0])
        if people in unchanged:
            seated.append(unchanged[people])
        elif former is None or former.people in continued or len(people) == 1:
            seated.append(SeatedPod(people))
        else:
            continued.add(former.people)
            seated.append(SeatedPod(people, former.table))
    return seated


def waiting(tournament: Tournament) -> list[str]:
    """Return the people present who are in no pod of the drawn round."""
    sitting = (
        {name for pod in tournament.drawn[-1].pods for name in pod.people} if tournament.drawn else {*tournament.people}
    )
    return [name for name in tournament.people if name not in sitting]


def is_later(match: PlayedMatch, after: int, tables_then: TablesThen | None) -> bool:
    """Return whether a match began after a draw, when `after` was the hub's newest result.

    A table's clock may be wrong, and its times have only seconds. So it decides only for a table that was not online at
    the draw, where the match's number tells nothing.
    """
    if match.first <= after:
        return False
    if tables_then is None:
        return True
    newest = tables_then.newest.get(match.table)
    return match.began >= int(tables_then.at) if newest is None else match.number > newest


def next_round(
    tournament: Tournament,
    seed: int,
    after: int,
    tables: Sequence[str],
    tables_then: TablesThen | None = None,
    points: Mapping[str, int] | None = None,
) -> Tournament:
    """Draw the next round; `points` are the scores so far, for Swiss rounds.

    Raises `TooFew`, and `CupFault` if all rounds are drawn.
    """
    if len(tournament.drawn) >= tournament.rounds:
        raise CupFault("all-drawn", rounds=tournament.rounds)
    if tournament.kind == "round-robin" and not tournament.groups:
        tournament = replace(tournament, groups=drawn_groups(tournament.people, tournament.pod, seed))
    next_draw = _drawn(tournament, seed, points or {})
    # Tables in turn: if there are more pods, they play one after the other. A bye comes last, and needs no table.
    pods = tuple(
        SeatedPod(people, tables[number % len(tables)] if tables and len(people) > 1 else "")
        for number, people in enumerate(next_draw.pods)
    )
    drawn_round = DrawnRound(after, pods, next_draw.again, next_draw.fewest, tables_then)
    return _with_all_rounds(replace(tournament, drawn=(*tournament.drawn, drawn_round)))


def find_pod(drawn: DrawnRound, people: Sequence[str]) -> int:
    """Return the number of the pod with exactly these people. Raises `CupFault`.

    Pods are identified by their people: on a page from before somebody came or left, numbers may differ.
    """
    for number, pod in enumerate(drawn.pods):
        if pod.people == tuple(people):
            return number
    raise CupFault("no-pod")


def results(tournament: Tournament, played: Iterable[PlayedMatch]) -> tuple[tuple[tuple[int, ...] | None, ...], ...]:
    """Return the places of each pod of each round; None: it has not played."""
    unused = by_people(played)
    return tuple(tuple(_of(pod, drawn, unused) for pod in drawn.pods) for drawn in tournament.drawn)


def by_people(played: Iterable[PlayedMatch]) -> dict[frozenset[str], list[PlayedMatch]]:
    """Group matches by their people's name keys, each in the order in which the hub heard of them."""
    matches: dict[frozenset[str], list[PlayedMatch]] = {}
    for match in sorted(played, key=lambda match: match.first):
        matches.setdefault(frozenset(match.places), []).append(match)
    return matches


def byes(tournament: Tournament) -> Counter[str]:
    """Count each person's rounds without an opponent."""
    return Counter(pod.people[0] for drawn in tournament.drawn for pod in drawn.pods if len(pod.people) == 1)


def _drawn(tournament: Tournament, seed: int, points: Mapping[str, int]) -> Draw:
    earlier_meetings = met([pod.people for pod in drawn.pods] for drawn in tournament.drawn)
    match tournament.kind:
        case "groups":
            return draw(tournament.people, earlier_meetings, tournament.pod, seed)
        case "swiss":
            had_byes = byes(tournament)
            return draw_swiss(tournament.people, points, earlier_meetings, had_byes, tournament.pod, seed)
        case "round-robin":
            pairs = [pair for rounds in _all_rounds_left(tournament) for pair in rounds[:1]]
            return Draw(tuple(chain(*pairs)), again=0, fewest=True)


def _all_rounds_left(tournament: Tournament) -> list[list[list[Pod]]]:
    """Return the pairs of every round still to come, for each group of a round robin."""
    meetings_so_far = met([pod.people for pod in drawn.pods] for drawn in tournament.drawn)
    return [rounds_left(group, {*group} - {*tournament.people}, meetings_so_far) for group in tournament.groups]


def _with_all_rounds(tournament: Tournament) -> Tournament:
    """Set a round robin's number of rounds to what its people need; other kinds are returned unchanged."""
    if tournament.kind != "round-robin":
        return tournament
    if tournament.groups:
        rounds = len(tournament.drawn) + max(map(len, _all_rounds_left(tournament)))
    else:
        largest = max(group_sizes(max(len(tournament.people), FEWEST_IN_GROUP), tournament.pod))
        rounds = largest - 1 + largest % 2
    return replace(tournament, rounds=rounds)


def _named(name: str) -> str:
    name = " ".join(name.split())
    if not player_names.key(name) or len(name) > LONGEST_NAME:
        raise CupFault("name", most=LONGEST_NAME, name=name[: 2 * LONGEST_NAME])
    return name


def _of(
    pod: SeatedPod, drawn: DrawnRound, unused: Mapping[frozenset[str], list[PlayedMatch]]
) -> tuple[int, ...] | None:
    """Return a pod's places, and remove its match from `unused`: a match belongs to one round only."""
    if len(pod.people) == 1:
        return (1,)
    matches = unused.get(frozenset(map(player_names.key, pod.people)), [])
    match = next((candidate for candidate in matches if is_later(candidate, drawn.after, drawn.then)), None)
    if match is not None:
        matches.remove(match)
    if pod.by_hand is not None:
        return pod.by_hand
    return tuple(match.places[player_names.key(name)] for name in pod.people) if match else None
