"""The club's season: everybody's matches at all tables together, by name, and where the club wants it, their skill.

Demonstrations and simulated matches count nowhere, nor does what was ended before its end.
"""

import threading
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct
from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from companion import games, names
from companion.club.hub.store import KeptResult, Store
from companion.club.payloads import MatchResult
from companion.history.standings import Result, Seated, Standing, by_game

ENOUGH = 8
"""Matches after which a skill says something."""

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
        self._store, self._ratings = store, ratings
        self._lock = threading.Lock()
        self._counted: dict[tuple[str, int], tuple[int, Result]] = {}
        self._skill = Skill()
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
        if self._ratings:
            if older:
                self._skill = Skill()
            for result in results[self._skill.rated :]:
                self._skill.rate(result)
        return SeasonNow(number, len(results), by_game(results), self._skill.told())


class Skill:
    """Everybody's skill, match by match in the order in which they were first told."""

    def __init__(self) -> None:
        self.rated = 0
        self._model = PlackettLuce()
        self._of: dict[str, PlackettLuceRating] = {}
        self._played: Counter[str] = Counter()

    def rate(self, result: Result) -> None:
        """Learn from one more match."""
        self.rated += 1
        seated = [(names.key(one.name), one.place or 1) for one in result.players]
        people = [(key, place) for key, place in seated if key]
        if len(people) < 2 or len({key for key, _ in people}) < len(people):
            return
        teams = [[self._of.get(key) or self._model.rating()] for key, _ in people]
        after = self._model.rate(teams, ranks=[float(place) for _, place in people])
        self._of.update((key, team[0]) for (key, _), team in zip(people, after, strict=True))
        self._played.update(key for key, _ in people)

    def told(self) -> dict[str, float]:
        """Return the skill of everybody who has played enough."""
        return {key: rating.ordinal() for key, rating in self._of.items() if self._played[key] >= ENOUGH}


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
