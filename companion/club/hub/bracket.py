"""A bracket of duels: whoever loses is out. Pure.

Who meets whom is derived from the results every time, so a correction moves the real winner on, as far as that leads,
and changes nothing else. The best seeds meet last, and have no opponent in the first round if places are free.

A duel's result is that of the first match between exactly its two people, won by one of them, that began after the
bracket and of which the hub heard after it knew that they meet, at whichever table; what the keeper enters from paper
takes precedence.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion import player_names
from companion.club.hub.draw import CupFault
from companion.club.hub.tournament import PlayedMatch, TablesThen, by_people, is_later, told_apart

MOST_DUELLISTS = 128
NOBODY = ""

How = Literal["open", "bye", "walk-over", "paper", "played"]


class Bracket(Struct, frozen=True):
    """A bracket, and what its keeper knows of it."""

    people: tuple[str, ...]
    """By their seeds, the best first."""
    after: int
    """The newest result that the hub had when it began: only later ones can be its own."""
    tables: tuple[str, ...] = ()
    lot: int | None = None
    """The seed by which the places were drawn; None: they are as the keeper entered them."""
    left: tuple[str, ...] = ()
    """Those who no longer play: whoever meets them goes on."""
    by_hand: tuple[tuple[str, str], ...] = ()
    """Winner and loser of each duel as the keeper entered it from paper."""
    then: TablesThen | None = None
    """None: an older companion began it."""


class Duel(Struct, frozen=True):
    """Two who meet, or will."""

    people: tuple[str | None, str | None]
    """None: not known yet; `NOBODY`: nobody comes."""
    winner: str | None
    """Who goes on; None: not known yet; `NOBODY`: both have left."""
    how: How
    table: str
    """Where they play; "": wherever there is room."""
    since: int
    """The newest of the results that led here."""


def begun(
    people: Sequence[str],
    after: int,
    tables: Sequence[str],
    lot: int | None = None,
    then: TablesThen | None = None,
) -> Bracket:
    """Begin a bracket, with the best first or, if there is a lot, as it draws them. Raises `CupFault`."""
    found = list(told_apart(people, MOST_DUELLISTS))
    if len(found) < 2:
        raise CupFault("two", number=len(found))
    if lot is not None:
        found.sort()
        random.Random(lot).shuffle(found)
    return Bracket(tuple(found), after, tuple(tables), lot, then=then)


def withdrawn(now: Bracket, name: str) -> Bracket:
    """Take somebody out, or let them play again. Raises `CupFault`."""
    if name not in now.people:
        raise CupFault("nobody", name=name)
    left = [one for one in now.left if one != name]
    return replace(now, left=tuple(left) if name in now.left else (*left, name))


def entered_won(now: Bracket, winner: str, loser: str) -> Bracket:
    """Enter who won a duel; entering the same again takes that back. Raises `CupFault`."""
    if winner == loser or not {winner, loser} <= {*now.people}:
        raise CupFault("no-duel")
    others = tuple(one for one in now.by_hand if {*one} != {winner, loser})
    return replace(now, by_hand=others if (winner, loser) in now.by_hand else (*others, (winner, loser)))


def places(people: int) -> list[int]:
    """Return the seed of each place of the first round, from 0; those from `people` on are free.

    >>> places(4)
    [0, 3, 1, 2]
    """
    order = [0]
    while len(order) < people:
        last = 2 * len(order) - 1
        order = [one for seed in order for one in (seed, last - seed)]
    return order


def rounds(now: Bracket, played: Iterable[PlayedMatch]) -> tuple[tuple[Duel, ...], ...]:
    """Return every duel of every round as it stands."""
    matches = by_people(match for match in played if is_later(match, now.after, now.then))
    first = [now.people[seed] if seed < len(now.people) else NOBODY for seed in places(len(now.people))]
    waiting: list[tuple[str | None, int]] = [(name, now.after) for name in first]
    where = _where(now, first)
    found: list[tuple[Duel, ...]] = []
    while len(waiting) > 1:
        pairs = zip(waiting[::2], waiting[1::2], where, strict=True)
        duels = [_duel(now, one, other, table, matches) for one, other, (_, table) in pairs]
        found.append(tuple(duel for duel, _ in duels))
        waiting = [(duel.winner, since) for duel, since in duels]
        where = [min(two) for two in zip(where[::2], where[1::2], strict=False)]
    return tuple(found)


def _duel(
    now: Bracket,
    one: tuple[str | None, int],
    other: tuple[str | None, int],
    table: str,
    matches: Mapping[frozenset[str], Sequence[PlayedMatch]],
) -> tuple[Duel, int]:
    """Return a duel, and the newest of the results that lead on from it."""
    (mine, mine_since), (theirs, theirs_since) = one, other
    pair, since = (mine, theirs), max(mine_since, theirs_since)
    if mine is None or theirs is None:
        return Duel(pair, None, "open", table, since), since
    if not mine or not theirs:
        return Duel(pair, mine or theirs, "bye", table, since), since
    entered = next((winner for winner, loser in now.by_hand if {winner, loser} == {mine, theirs}), None)
    if entered is not None:
        return Duel(pair, entered, "paper", table, since), since
    keys = player_names.key(mine), player_names.key(theirs)
    for match in matches.get(frozenset(keys), ()):
        here, there = match.places[keys[0]], match.places[keys[1]]
        if match.first > since and here != there:
            return Duel(pair, mine if here < there else theirs, "played", table, since), match.first
    here_still = [name for name in (mine, theirs) if name not in now.left]
    if len(here_still) < 2:
        return Duel(pair, here_still[0] if here_still else NOBODY, "walk-over", table, since), since
    return Duel(pair, None, "open", table, since), since


def _where(now: Bracket, first: Sequence[str]) -> list[tuple[int, str]]:
    """Return a table for each duel of the first round, in turn, beginning with those that are played; a later duel goes
    to the table of its first feeder. So no two that can be played at once share a table, if there are enough.
    """
    duels = range(len(first) // 2)
    order = sorted(duels, key=lambda at: NOBODY in first[2 * at : 2 * at + 2])
    turns = [order.index(at) for at in duels]
    return [(turn, now.tables[turn % len(now.tables)] if now.tables else "") for turn in turns]
