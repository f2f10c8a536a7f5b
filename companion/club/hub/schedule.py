"""The schedule: each pod's table, and its time if the keeper has set one. Pure.

Where there are fewer tables than pods, several pods share a table and play there one after the other.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion import player_names
from companion.club.hub.bracket_book import BracketNow
from companion.club.hub.draw import CupFault
from companion.club.hub.tournament import DrawnRound, Tournament, find_pod
from companion.club.hub.tournament_book import TournamentNow

Turn = Literal["played", "playing", "now", "next"]
"""`playing`: they sit at their table; `now`: it is their turn; `next`: others play there first."""

AtTables = Mapping[str, Collection[str]]
"""By table id, the name keys of the people who play there."""


class Appointment(Struct, frozen=True):
    """A match to be played: by whom, where and when."""

    people: tuple[str, ...]
    table: str
    """"": any free table."""
    at: float | None
    """Seconds since 1970; None: as soon as the table is free."""
    turn: Turn


def appointments(tournament: TournamentNow, at_tables: AtTables) -> list[Appointment]:
    """Return the appointments of the last round's pods, in their order; a bye has none."""
    if not tournament.of.drawn:
        return []
    drawn = tournament.of.drawn[-1]
    start = round_starts(tournament.of).get(len(tournament.of.drawn) - 1)
    length = 60 * tournament.of.timetable.minutes if tournament.of.timetable else 0
    sittings: Counter[str] = Counter()
    busy: set[str] = set()
    listed = []
    for pod, places in zip(drawn.pods, tournament.places[-1], strict=True):
        if len(pod.people) == 1:
            continue
        at = start + sittings[pod.table] * length if start is not None else None
        turn: Turn = "played" if places is not None else _turn(pod.people, pod.table, busy, at_tables)
        if pod.table:
            sittings[pod.table] += 1
        listed.append(Appointment(pod.people, pod.table, at, turn))
    return listed


def moved(tournament: Tournament, people: Sequence[str], table: str) -> Tournament:
    """Move a pod of the last round to a table, after those that are there already; "": any free table.

    Raises `CupFault`.
    """
    if not tournament.drawn:
        raise CupFault("no-pod")
    last = tournament.drawn[-1]
    number = find_pod(last, people)
    other_pods = (*last.pods[:number], *last.pods[number + 1 :])
    in_order = (*other_pods, replace(last.pods[number], table=table))
    pods = sorted(in_order, key=lambda pod: len(pod.people) == 1)  # a bye stays last
    return replace(tournament, drawn=(*tournament.drawn[:-1], replace(last, pods=tuple(pods))))


def duels(bracket: BracketNow, at_tables: AtTables) -> list[Appointment]:
    """Return the appointments of the duels that can be played, in the bracket's order."""
    busy: set[str] = set()
    listed = []
    for duel in chain(*bracket.rounds):
        people = tuple(name for name in duel.people if name)
        if duel.winner is None and len(people) == len(duel.people):
            listed.append(Appointment(people, duel.table, None, _turn(people, duel.table, busy, at_tables)))
    return listed


def round_starts(tournament: Tournament) -> dict[int, float]:
    """Return when each round begins, by number from 0, starting with the one whose time the keeper has set."""
    timetable = tournament.timetable
    if timetable is None:
        return {}
    starts = {}
    start = timetable.begins
    for number in range(timetable.first, tournament.rounds):
        starts[number] = start
        start += 60 * timetable.minutes * _sittings(tournament.drawn[: number + 1])
    return starts


def _sittings(drawn: Sequence[DrawnRound]) -> int:
    """Return how many pods of the last of these rounds play one after the other at the busiest table."""
    tables = Counter(pod.table for pod in drawn[-1].pods if pod.table) if drawn else Counter()
    return max(tables.values(), default=1)


def _turn(people: Collection[str], table: str, busy: set[str], at_tables: AtTables) -> Turn:
    """Return whether these people play, may begin, or must wait; mark their table as `busy`."""
    keys = {player_names.key(name) for name in people}
    if any(keys == {*at_table} for at_table in at_tables.values()):
        busy.add(table)
        return "playing"
    if table and table in busy:
        return "next"
    busy.add(table)
    return "now"
