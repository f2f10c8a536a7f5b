"""The profile of a player over all their matches: form, favourite game, records, and rivals. Pure."""

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
"""How many of the last matches show a player's form."""


class Rival(msgspec.Struct, frozen=True):
    """How often a player met another, and who was placed ahead."""

    name: str
    played: int
    ahead: int
    behind: int


class Profile(msgspec.Struct, frozen=True):
    """The content of a player's page."""

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
    """Return the key of a person's page, the same for all spellings of the name."""
    return hashlib.sha256(player_names.key(name).encode()).hexdigest()[:12]


def profile(results: Iterable[Result], marked: str, hidden: Container[str] = ()) -> Profile | None:
    """Return the profile of the person with this `mark`, from matches that count, oldest first; None without a match.

    Opponents whose mark is `hidden` are left out.
    """
    matches = tuple(_own(results, marked))
    if not matches:
        return None
    played = tuple(match.of for match in matches)
    standings = [
        (game, next(standing for standing in ranking if mark(standing.name) == marked))
        for game, ranking in by_game(played)
    ]
    favourite, _ = Counter(match.of.game for match in reversed(matches)).most_common(1)[0]
    records = tuple(bests_of(played, lambda name: mark(name) == marked))
    rivals = tuple(_rivals(matches, hidden))
    return Profile(
        standings[0][1].name, played, standings, matches[-FORM:], favourite, records, rivals, tuple(achieved(matches))
    )


def _own(results: Iterable[Result], marked: str) -> Iterator[Own]:
    for result in results:
        for player in result.players:
            if player_names.is_persons(player.name) and mark(player.name) == marked:
                yield Own(result, player)


def _rivals(matches: Sequence[Own], hidden: Container[str]) -> Iterator[Rival]:
    written: dict[str, str] = {}
    played = Counter[str]()
    ahead = Counter[str]()
    behind = Counter[str]()
    for match in matches:
        for opponent in match.of.players:
            key = player_names.key(opponent.name)
            if (
                opponent.seat == match.me.seat
                or not player_names.is_persons(opponent.name)
                or mark(opponent.name) in hidden
            ):
                continue
            written[key] = opponent.name
            played[key] += 1
            ahead[key] += (match.me.place or 0) < (opponent.place or 0)
            behind[key] += (match.me.place or 0) > (opponent.place or 0)
    for key, number in played.most_common():
        yield Rival(written[key], number, ahead[key], behind[key])
