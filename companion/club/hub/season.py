"""The club's season: everybody's matches at all tables together, by name, and where the club wants it, their skill.

Demonstrations and simulated matches count nowhere, nor does what was ended before its end.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from companion import games, names
from companion.club.hub.store import HubFault, KeptResult, Store
from companion.club.payloads import MatchResult
from companion.history.standings import Result, Seated, Standing, by_game

if TYPE_CHECKING:
    from companion.club.hub.skill import Skill

Standings = Sequence[tuple[str | None, Sequence[Standing]]]


class SeasonNow(Struct, frozen=True):
    """What follows from all results that count."""

    number: int = 0
    """The newest result in it."""
    played: int = 0
    tables: Standings = ()
    """As `by_game` gives them."""
    skills: dict[str, float] = {}
    """Of everybody who has played enough, by the key of their name: what they are at least worth, as good as surely."""


class SeasonBook:
    """Sums up what is in the hub's file; only what has come since is read. Any thread may use it."""

    def __init__(self, store: Store, *, ratings: bool):
        """Sum up this file; `ratings`: people's skill as well. Raises `HubFault` where nobody can work it out."""
        self._store = store
        self._lock = threading.Lock()
        self._counted: dict[tuple[str, int], tuple[int, Result]] = {}
        self._skill = _skill() if ratings else None
        self._now = SeasonNow()

    def now(self) -> SeasonNow:
        """Return the season as it stands."""
        with self._lock:
            if self._store.last_number() != self._now.number:
                self._now = self._summed()
            return self._now

    def _summed(self) -> SeasonNow:
        number, older = self._now.number, False
        newest = max((first for first, _ in self._counted.values()), default=0)
        for kept in self._store.results(number):
            number = kept.number
            key = kept.table, kept.match
            older = older or kept.first <= newest
            self._counted.pop(key, None)
            result = counted(kept)
            if result is not None:
                self._counted[key] = kept.first, result
        results = [result for _, result in sorted(self._counted.values(), key=lambda one: one[0])]
        if self._skill is not None:
            if older:
                self._skill = _skill()
            for result in results[self._skill.rated :]:
                self._skill.rate(result)
        skills = self._skill.told() if self._skill else {}
        return SeasonNow(number, len(results), by_game(results), skills)


def _skill() -> "Skill":
    """Return nobody's skill yet; what works it out is there only where a club wants it."""
    try:
        from companion.club.hub.skill import Skill
    except ModuleNotFoundError as wrong:
        raise HubFault(f"ratings need {wrong.name}: pip install {wrong.name}, or leave ratings out") from wrong
    return Skill()


def counted(kept: KeptResult) -> Result | None:
    """Return a result as the standings take it; None: it counts in none."""
    told = msgspec.json.decode(kept.told, type=dict)
    found = msgspec.convert({**told, "match": kept.match, "revision": kept.revision}, MatchResult)
    if not found.over or found.demo or found.simulated:
        return None
    places, known = places_of(found), found.game in games.known()
    players = tuple(
        Seated(player.seat, player.name, found.scores.get(str(player.seat)) if known else None, places[player.seat])
        for player in sorted(found.players, key=lambda player: places[player.seat])
        if not names.is_bots(player.name)
    )
    return Result(found.match, found.began, False, found.game, players, over=True)


def places_of(result: MatchResult) -> dict[int, int]:
    """Place the winners first, then by points. Equals share a place, as do all whose points are not told."""
    game = games.known().get(result.game)
    sign = 1 if game is not None and game.fewest_win else -1
    others = [player.seat for player in result.players if player.seat not in result.winners]
    worth = {seat: sign * (result.scores.get(str(seat)) or 0) for seat in others}
    ahead = {seat: sum(other < own for other in worth.values()) for seat, own in worth.items()}
    return dict.fromkeys(result.winners, 1) | {seat: len(result.winners) + 1 + ahead[seat] for seat in others}
