"""A player over all the matches they played: form, favourite game, records, and how they do against others. Pure."""

import functools
import hashlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

import msgspec

from companion import player_names
from companion.history.achievements import Achieved, Own, achieved
from companion.history.evening import Award, bests_of
from companion.history.standings import Result, Standing, by_game

FORM = 10
"""How many of the last matches show how somebody is doing."""


class Rival(msgspec.Struct, frozen=True):
    """How often somebody played against another, and who came out ahead."""

    name: str
    played: int
    ahead: int
    behind: int


class Profile(msgspec.Struct, frozen=True):
    """All that is told of a player."""

    name: str
    """As last typed."""
    of: tuple[Result, ...]
    """Their matches, oldest first."""
    standings: Sequence[tuple[str | None, Standing]]
    """Over all games (None), and in each."""
    form: tuple[Own, ...]
    """The last matches, oldest first."""
    favourite: str
    """The game they played most."""
    records: tuple[Award, ...]
    rivals: tuple[Rival, ...]
    """Those they met most often come first."""
    achieved: tuple[Achieved, ...]


@functools.lru_cache(4096)
def mark(name: str) -> str:
    """Return the key of a person's page: the same however the name is typed."""
    return hashlib.sha256(player_names.key(name).encode()).hexdigest()[:12]


def profile(results: Iterable[Result], marked: str, hidden: Container[str] = ()) -> Profile | None:
    """Return the profile of the person with this mark, from matches that count, oldest first; None if they played none.

    Opponents whose mark is `hidden` are left out.
    """
    mine = tuple(_own(results, marked))
    if not mine:
        return None
    played = tuple(one.of for one in mine)
    standings = [(game, next(one for one in found if mark(one.name) == marked)) for game, found in by_game(played)]
    favourite, _ = Counter(one.of.game for one in reversed(mine)).most_common(1)[0]
    records = tuple(bests_of(played, lambda name: mark(name) == marked))
    rivals = tuple(_rivals(mine, hidden))
    return Profile(
        standings[0][1].name, played, standings, mine[-FORM:], favourite, records, rivals, tuple(achieved(mine))
    )


def _own(results: Iterable[Result], marked: str) -> Iterator[Own]:
    for one in results:
        for player in one.players:
            if player_names.is_persons(player.name) and mark(player.name) == marked:
                yield Own(one, player)


def _rivals(mine: Sequence[Own], hidden: Container[str]) -> Iterator[Rival]:
    written: dict[str, str] = {}
    played, ahead, behind = Counter[str](), Counter[str](), Counter[str]()
    for own in mine:
        for other in own.of.players:
            key = player_names.key(other.name)
            if other.seat == own.me.seat or not player_names.is_persons(other.name) or mark(other.name) in hidden:
                continue
            written[key] = other.name
            played[key] += 1
            ahead[key] += (own.me.place or 0) < (other.place or 0)
            behind[key] += (own.me.place or 0) > (other.place or 0)
    for key, number in played.most_common():
        yield Rival(written[key], number, ahead[key], behind[key])
