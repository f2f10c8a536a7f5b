"""The club's season: standings over the matches at all tables, with skill ratings if the club wants them.

Demonstrations, simulated matches and matches ended early do not count. The sums are updated incrementally by a thread
of its own, so a result costs the same after a hundred thousand others; pages only read them.
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
    """Key, name and place of each player."""


class Sum(Struct):
    """A person's sums, while they are added up."""

    name: str = ""
    played: int = 0
    won: int = 0
    places: int = 0


class SeasonStanding(Struct, frozen=True):
    """A person's standing in one game, or in all."""

    name: str
    """As it was typed last."""
    key: str
    """The person's key, as `ClubPeople.who` returns it."""
    played: int
    won: int
    place: float
    """Mean place."""
    skill: float | None = None
    """A conservative estimate of their skill; None: too few matches, or a club without ratings."""


class SeasonNow(Struct, frozen=True):
    """The season's standings at one moment."""

    number: int = 0
    """The number of the newest result in it."""
    played: int = 0
    tables: Sequence[tuple[str | None, Sequence[SeasonStanding]]] = ()
    """The standings of all games together (None), and of each by slug where there are several."""
    rated: bool = False


class SeasonBook:
    """Sums up the results in the hub's database, reading only new ones."""

    def __init__(self, store: Store, people: PeopleBook, *, ratings: bool):
        """Prepare to sum up a store. `ratings`: rate skill too; raises `HubFault` if its library is missing."""
        self._store = store
        self._people = people
        self._of = people.now
        """The people that the current sums are based on."""
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
        """Keep the sums up to date in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop updating the sums."""
        self._thread.stop(self._woken.set)

    def look(self) -> None:
        """Have the thread read new results soon. Never blocks; from any thread."""
        self._woken.set()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher`, from the season's thread, whenever the sums have changed."""
        self._watchers.append(watcher)

    def sum_up(self) -> SeasonNow:
        """Add new results in the caller's thread; start over if the keeper has renamed or merged people."""
        people_changed = self._of is not self._people.now
        if people_changed:
            self._of = self._people.now
            self._newest = 0
            self._counted.clear()
            self._sums.clear()
            self._skill = _skill() if self._skill is not None else None
        number = 0 if people_changed else self.now.number
        rates_anew = people_changed
        added: list[CountedMatch] = []
        for kept_result in self._store.results(number):
            if self._thread.rounds.is_set():
                break
            number = kept_result.number
            key = kept_result.table, kept_result.match
            earlier = self._counted.pop(key, None)
            match = counted(kept_result, self._of)
            # Ratings depend on the order of matches: a changed or older one needs all of them again.
            rates_anew = rates_anew or earlier is not None or (match is not None and match.first < self._newest)
            if earlier is not None:
                self._add(earlier, -1)
            if match is not None:
                self._counted[key] = match
                self._add(match, 1)
                added.append(match)
                self._newest = max(self._newest, match.first)
        if people_changed or number != self.now.number:
            self._rate(added, again=rates_anew)
            self.now = SeasonNow(number, len(self._counted), self._tables(), self._skill is not None)
        return self.now

    def _keep(self, rounds: Rounds) -> None:
        while not rounds.is_set():
            earlier = self.now
            self.sum_up()
            if self.now is not earlier:
                for watcher in self._watchers:
                    watcher()
            with rounds.resting():
                self._woken.wait()
            self._woken.clear()

    def _add(self, match: CountedMatch, times: int) -> None:
        for scope in (None, match.game):
            sums = self._sums[scope]
            for key, name, place in match.players:
                person_sum = sums[key]
                person_sum.name = name
                person_sum.played += times
                person_sum.won += times * (place == 1)
                person_sum.places += times * place
                if not person_sum.played:
                    del sums[key]

    def _rate(self, added: list[CountedMatch], *, again: bool) -> None:
        """Rate the added matches; with `again`, rate all of them from the start."""
        if self._skill is not None:
            if again:
                self._skill = _skill()
                added = sorted(self._counted.values(), key=lambda match: match.first)
            for match in added:
                self._skill.rate([(key, place) for key, _, place in match.players])

    def _tables(self) -> list[tuple[str | None, list[SeasonStanding]]]:
        skills = self._skill.of_experienced() if self._skill else {}
        played = sorted(game for game, sums in self._sums.items() if game is not None and sums)
        scopes: list[str | None] = [None, *played] if len(played) > 1 else [*played]
        everybody = self._sums[None]
        return [
            (scope, _standings(self._sums[scope], everybody, {} if scope and scopes[1:] else skills))
            for scope in scopes
        ]


def counted(kept_result: KeptResult, people: ClubPeople) -> CountedMatch | None:
    """Return a result as the standings count it; None if it does not count.

    Left out are bots, players without a name, and people who sit at two seats of the match.
    """
    result = kept_result.result
    if result is None or not result.over or result.demo or result.simulated or len(result.players) < 2:
        return None
    places = places_of(result)
    players = [(*people.who(player), places[player.seat]) for player in result.players]
    seats = Counter(key for key, _, _ in players)
    return CountedMatch(
        kept_result.first,
        result.game,
        tuple(
            player for player in players if player[0] and seats[player[0]] == 1 and not player_names.is_bots(player[1])
        ),
    )


def places_of(result: MatchResult) -> dict[int, int]:
    """Return each seat's place, as `standings.places` does."""
    game = games.known().get(result.game)
    scores = {player.seat: result.scores.get(str(player.seat)) for player in result.players}
    return places(scores, result.winners, fewest_win=game is not None and game.fewest_win)


def _standings(
    sums: Mapping[str, Sum], everybody: Mapping[str, Sum], skills: Mapping[str, float]
) -> list[SeasonStanding]:
    """Return the sorted standings; each person has the name typed last in any game."""
    standings = [
        SeasonStanding(
            everybody[key].name,
            key,
            person_sum.played,
            person_sum.won,
            person_sum.places / person_sum.played,
            skills.get(key),
        )
        for key, person_sum in sums.items()
    ]
    return sorted(
        standings,
        key=lambda standing: (-standing.won, standing.place, -standing.played, player_names.plain(standing.name)),
    )


def _skill() -> "Skill":
    """Return an empty rating. Imported late: its library is installed only where a club wants ratings."""
    try:
        from companion.club.hub.skill import Skill
    except ModuleNotFoundError as wrong:
        raise HubFault(f"ratings need {wrong.name}. Run {PIP} install {wrong.name}, or leave ratings out") from wrong
    return Skill()
