"""The club's season: everybody's matches at all tables together, by name, and their skill if the club wants it.

Demonstrations and simulated matches count nowhere, nor do matches that were ended early. Sums grow with each result,
so a season of a hundred thousand costs no more than the last of them; a thread of its own keeps the sums, and pages
read them.
"""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from companion import games, player_names
from companion.club.hub.people import ClubPeople, PeopleBook
from companion.club.hub.store import HubFault, KeptResult, Store
from companion.club.payloads import MatchResult
from companion.errors import PIP
from companion.history.standings import places
from companion.threads import LastingThread, Rounds

if TYPE_CHECKING:
    from companion.club.hub.skill import Skill


class CountedMatch(Struct, frozen=True):
    """A match as the standings count it."""

    first: int
    """The number under which the hub first heard of it."""
    game: str
    players: tuple[tuple[str, str, int], ...]
    """For each player, their key, name and place."""


class Sum(Struct):
    """How somebody did in their matches, while it is added up."""

    name: str = ""
    played: int = 0
    won: int = 0
    places: int = 0


class SeasonStanding(Struct, frozen=True):
    """How somebody did in their matches."""

    name: str
    """As it was typed last."""
    key: str
    """Their key."""
    played: int
    won: int
    place: float
    """On average."""
    skill: float | None = None
    """Their skill is almost certainly at least this; None: they have not played enough, or the club wants none."""


class SeasonNow(Struct, frozen=True):
    """What follows from all results that count."""

    number: int = 0
    """The newest result in it."""
    played: int = 0
    tables: Sequence[tuple[str | None, Sequence[SeasonStanding]]] = ()
    """All games together (None), and each by its slug where there are several."""
    rated: bool = False


class SeasonBook:
    """Sums up what is in the hub's file, reading only what is new."""

    def __init__(self, store: Store, people: PeopleBook, *, ratings: bool):
        """Sum up this file; `ratings`: people's skill too. Raises `HubFault` if that can't be worked out."""
        self._store, self._people = store, people
        self._of = people.now
        """Who is who, as of the last sums."""
        self._counted: dict[tuple[str, int], CountedMatch] = {}
        self._sums: dict[str | None, dict[str, Sum]] = defaultdict(lambda: defaultdict(Sum))
        self._skill = _skill() if ratings else None
        self._newest = 0
        """The highest `first` of all that count."""
        self._woken = threading.Event()
        self._watchers: list[Callable[[], None]] = []
        self._thread = LastingThread("season", self._keep)
        self.now = SeasonNow()
        """The season as of the last sums."""

    def start(self) -> None:
        """Keep the sums up to date from now on, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop updating the sums."""
        self._thread.stop(self._woken.set)

    def look(self) -> None:
        """Look soon for what is new. Quick, from any thread."""
        self._woken.set()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call this, from the season's thread, whenever the sums have changed."""
        self._watchers.append(watcher)

    def sum_up(self) -> SeasonNow:
        """Add what is new, here and now; sum everything up again if who is who has changed."""
        anew = self._of is not self._people.now
        if anew:
            self._of, self._newest = self._people.now, 0
            self._counted.clear()
            self._sums.clear()
            self._skill = _skill() if self._skill is not None else None
        number, again = 0 if anew else self.now.number, anew
        fresh: list[CountedMatch] = []
        for kept in self._store.results(number):
            if self._thread.rounds.is_set():
                break
            number = kept.number
            key = kept.table, kept.match
            before, after = self._counted.pop(key, None), counted(kept, self._of)
            again = again or before is not None or (after is not None and after.first < self._newest)
            if before is not None:
                self._add(before, -1)
            if after is not None:
                self._counted[key] = after
                self._add(after, 1)
                fresh.append(after)
                self._newest = max(self._newest, after.first)
        if anew or number != self.now.number:
            self._rate(fresh, again=again)
            self.now = SeasonNow(number, len(self._counted), self._tables(), self._skill is not None)
        return self.now

    def _keep(self, rounds: Rounds) -> None:
        while not rounds.is_set():
            before = self.now
            self.sum_up()
            if self.now is not before:
                for watcher in self._watchers:
                    watcher()
            with rounds.resting():
                self._woken.wait()
            self._woken.clear()

    def _add(self, match: CountedMatch, times: int) -> None:
        for scope in (None, match.game):
            sums = self._sums[scope]
            for key, name, place in match.players:
                own = sums[key]
                own.name, own.played = name, own.played + times
                own.won, own.places = own.won + times * (place == 1), own.places + times * place
                if not own.played:
                    del sums[key]

    def _rate(self, fresh: list[CountedMatch], *, again: bool) -> None:
        """Rate what is new; rate everything again if an already rated match changed, or something came before it."""
        if self._skill is not None:
            if again:
                self._skill = _skill()
                fresh = sorted(self._counted.values(), key=lambda one: one.first)
            for match in fresh:
                self._skill.rate([(key, place) for key, _, place in match.players])

    def _tables(self) -> list[tuple[str | None, list[SeasonStanding]]]:
        skills = self._skill.told() if self._skill else {}
        played = sorted(game for game, sums in self._sums.items() if game is not None and sums)
        scopes: list[str | None] = [None, *played] if len(played) > 1 else [*played]
        everybody = self._sums[None]
        return [
            (scope, _standings(self._sums[scope], everybody, {} if scope and scopes[1:] else skills))
            for scope in scopes
        ]


def counted(kept: KeptResult, known: ClubPeople) -> CountedMatch | None:
    """Return a result as the standings count it, or None if it does not count.

    A player without a name is nobody, and so is whoever would have played against themselves.
    """
    found = kept.result
    if found is None or not found.over or found.demo or found.simulated or len(found.players) < 2:
        return None
    came = places_of(found)
    people = [(*known.who(one), came[one.seat]) for one in found.players]
    seats = Counter(key for key, _, _ in people)
    return CountedMatch(
        kept.first,
        found.game,
        tuple(one for one in people if one[0] and seats[one[0]] == 1 and not player_names.is_bots(one[1])),
    )


def places_of(result: MatchResult) -> dict[int, int]:
    """Place everybody, as `standings.places` does."""
    game = games.known().get(result.game)
    scores = {player.seat: result.scores.get(str(player.seat)) for player in result.players}
    return places(scores, result.winners, fewest_win=game is not None and game.fewest_win)


def _standings(
    sums: Mapping[str, Sum], everybody: Mapping[str, Sum], skills: Mapping[str, float]
) -> list[SeasonStanding]:
    """Sort people by how they did; each has the name that was typed last, at whichever game."""
    found = [
        SeasonStanding(everybody[key].name, key, own.played, own.won, own.places / own.played, skills.get(key))
        for key, own in sums.items()
    ]
    return sorted(found, key=lambda one: (-one.won, one.place, -one.played, player_names.plain(one.name)))


def _skill() -> "Skill":
    """Return an empty rating; the library that works it out is installed only if a club wants it."""
    try:
        from companion.club.hub.skill import Skill
    except ModuleNotFoundError as wrong:
        raise HubFault(f"ratings need {wrong.name}. Run {PIP} install {wrong.name}, or leave ratings out") from wrong
    return Skill()
