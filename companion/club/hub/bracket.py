"""A single-elimination bracket of duels. Pure.

The pairings are derived from the results every time, so a correction moves the real winner on and changes nothing else.
The best seeds meet last, and get the byes of the first round.

A duel's result is that of the first match between exactly its two people, won by one of them, that began after the
bracket and that the hub received after it knew that they meet, at any table. A result that the keeper enters from paper
takes precedence.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion import player_names
from companion.club.hub.draw import CupFault
from companion.club.hub.tournament import PlayedMatch, TablesThen, by_people, distinct_names, is_later

MOST_DUELLISTS = 128
NOBODY = ""

How = Literal["open", "bye", "walk-over", "paper", "played"]


class Bracket(Struct, frozen=True):
    """A bracket, with the keeper's entries."""

    people: tuple[str, ...]
    """By seed, the best first."""
    after: int
    """The newest result at the hub when the bracket began: only later ones can be its own."""
    tables: tuple[str, ...] = ()
    lot: int | None = None
    """The random seed of the draw; None: people are in the order in which the keeper entered them."""
    left: tuple[str, ...] = ()
    """People who have withdrawn; their opponents advance."""
    by_hand: tuple[tuple[str, str], ...] = ()
    """Winner and loser of each duel that the keeper entered from paper."""
    then: TablesThen | None = None
    """None: an older companion began it."""
    moved: tuple[tuple[str, str, str], ...] = ()
    """Two opponents, and the table to which the keeper has moved them."""


class Duel(Struct, frozen=True):
    """A place of the bracket where two people meet, or will."""

    people: tuple[str | None, str | None]
    """None: not known yet; `NOBODY`: a bye."""
    winner: str | None
    """Who advances; None: not known yet; `NOBODY`: both have left."""
    how: How
    table: str
    """The table's id; "": any free table."""
    since: int
    """The newest of the results that led to this duel."""


def begun(
    people: Sequence[str],
    after: int,
    tables: Sequence[str],
    lot: int | None = None,
    then: TablesThen | None = None,
) -> Bracket:
    """Begin a bracket of people by seed or, given a lot, in its random order. Raises `CupFault`."""
    entrants = list(distinct_names(people, MOST_DUELLISTS))
    if len(entrants) < 2:
        raise CupFault("two", number=len(entrants))
    if lot is not None:
        entrants.sort()  # so that the lot decides, and not the order in which they were typed
        random.Random(lot).shuffle(entrants)
    return Bracket(tuple(entrants), after, tuple(tables), lot, then=then)


def withdrawn(bracket: Bracket, name: str) -> Bracket:
    """Withdraw a person. Raises `CupFault`."""
    still_in_it = back(bracket, name)
    return replace(still_in_it, left=(*still_in_it.left, name))


def back(bracket: Bracket, name: str) -> Bracket:
    """Undo a person's withdrawal. Raises `CupFault`."""
    if name not in bracket.people:
        raise CupFault("nobody", name=name)
    return replace(bracket, left=tuple(absent for absent in bracket.left if absent != name))


def entered_won(bracket: Bracket, winner: str, loser: str) -> Bracket:
    """Enter a duel's winner from paper. Raises `CupFault`."""
    cleared = cleared_won(bracket, winner, loser)
    return replace(cleared, by_hand=(*cleared.by_hand, (winner, loser)))


def cleared_won(bracket: Bracket, winner: str, loser: str) -> Bracket:
    """Remove a duel's entry from paper. Raises `CupFault`."""
    _see_that_two_are_in_it(bracket, winner, loser)
    return replace(bracket, by_hand=tuple(result for result in bracket.by_hand if {*result} != {winner, loser}))


def moved(bracket: Bracket, people: Sequence[str], table: str) -> Bracket:
    """Move two opponents to a table; "": any free one. Raises `CupFault`."""
    if len(people) != 2:
        raise CupFault("no-duel")
    upper, lower = people
    _see_that_two_are_in_it(bracket, upper, lower)
    other_moves = tuple(duel for duel in bracket.moved if {*duel[:2]} != {*people})
    return replace(bracket, moved=(*other_moves, (upper, lower, table)))


def see_that_they_meet(duels: Iterable[Duel], person: str, opponent: str) -> None:
    """Raise `CupFault` unless these two have one of the duels; a page from before a correction may offer another."""
    if not any({*duel.people} == {person, opponent} for duel in duels):
        raise CupFault("no-duel")


def _see_that_two_are_in_it(bracket: Bracket, person: str, opponent: str) -> None:
    """Raise `CupFault` unless these are two of the bracket's people."""
    if person == opponent or not {person, opponent} <= {*bracket.people}:
        raise CupFault("no-duel")


def places(people: int) -> list[int]:
    """Return the seed of each place of the first round, from 0; seeds from `people` on are byes.

    >>> places(4)
    [0, 3, 1, 2]
    """
    seeds = [0]
    while len(seeds) < people:
        # Each round before pairs every seed with its complement, so that the best two meet only in the final.
        last = 2 * len(seeds) - 1
        seeds = [paired for seed in seeds for paired in (seed, last - seed)]
    return seeds


def rounds(bracket: Bracket, played: Iterable[PlayedMatch]) -> tuple[tuple[Duel, ...], ...]:
    """Return the state of every duel of every round."""
    matches = by_people(match for match in played if is_later(match, bracket.after, bracket.then))
    first = [bracket.people[seed] if seed < len(bracket.people) else NOBODY for seed in places(len(bracket.people))]
    waiting: list[tuple[str | None, int]] = [(name, bracket.after) for name in first]
    where = _where(bracket, first)
    rounds_so_far: list[tuple[Duel, ...]] = []
    while len(waiting) > 1:
        pairs = zip(waiting[::2], waiting[1::2], where, strict=True)
        duels = [_duel(bracket, upper, lower, table, matches) for upper, lower, (_, table) in pairs]
        rounds_so_far.append(tuple(duel for duel, _ in duels))
        waiting = [(duel.winner, since) for duel, since in duels]
        where = [min(two) for two in zip(where[::2], where[1::2], strict=False)]
    return tuple(rounds_so_far)


def _duel(
    bracket: Bracket,
    upper: tuple[str | None, int],
    lower: tuple[str | None, int],
    table: str,
    matches: Mapping[frozenset[str], Sequence[PlayedMatch]],
) -> tuple[Duel, int]:
    """Return a duel, and the newest of the results that lead on from it."""
    upper_name, upper_since = upper
    lower_name, lower_since = lower
    pair = (upper_name, lower_name)
    table = next((where for *names, where in bracket.moved if {*names} == {*pair}), table)
    since = max(upper_since, lower_since)
    if upper_name is None or lower_name is None:
        return Duel(pair, None, "open", table, since), since
    if not upper_name or not lower_name:
        return Duel(pair, upper_name or lower_name, "bye", table, since), since
    entered = next((winner for winner, loser in bracket.by_hand if {winner, loser} == {upper_name, lower_name}), None)
    if entered is not None:
        return Duel(pair, entered, "paper", table, since), since
    keys = player_names.key(upper_name), player_names.key(lower_name)
    for match in matches.get(frozenset(keys), ()):
        upper_place = match.places[keys[0]]
        lower_place = match.places[keys[1]]
        if match.first > since and upper_place != lower_place:
            winner = upper_name if upper_place < lower_place else lower_name
            return Duel(pair, winner, "played", table, since), match.first
    still_there = [name for name in (upper_name, lower_name) if name not in bracket.left]
    if len(still_there) < 2:
        return Duel(pair, still_there[0] if still_there else NOBODY, "walk-over", table, since), since
    return Duel(pair, None, "open", table, since), since


def _where(bracket: Bracket, first: Sequence[str]) -> list[tuple[int, str]]:
    """Assign the first round's duels to the tables in turn; return (turn, table) for each duel.

    A later duel gets the table of the earlier of its feeders. So with enough tables, no two duels that can be played at
    once share one.
    """
    duels = range(len(first) // 2)
    # Byes last: they need no table, so the duels that are played get different ones.
    order = sorted(duels, key=lambda duel: NOBODY in first[2 * duel : 2 * duel + 2])
    turns = [order.index(duel) for duel in duels]
    return [(turn, bracket.tables[turn % len(bracket.tables)] if bracket.tables else "") for turn in turns]
