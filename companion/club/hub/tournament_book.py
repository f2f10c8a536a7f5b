"""The hub's tournament: stored in its database, with the results so far."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from companion import player_names
from companion.club.hub import cup_standings, tournament
from companion.club.hub.cup_standings import TournamentStanding
from companion.club.hub.draw import CupFault
from companion.club.hub.people import ClubPeople, PeopleBook
from companion.club.hub.season import places_of
from companion.club.hub.store import KeptResult, KeptValue, Store
from companion.club.hub.tournament import Kind, PlayedMatch, TablesThen, Tournament
from companion.club.payloads import instant

T = TypeVar("T")
LARGEST_SEED = 10**9

LookAtTables = Callable[[], TablesThen]
"""Returns the newest match of each online table."""
Places = tuple[tuple[tuple[int, ...] | None, ...], ...]


class TournamentNow(Struct, frozen=True):
    """A tournament, its results and its standings."""

    of: Tournament
    places: Places
    """The places of each pod of each round; None: it has not played."""
    standings: Sequence[TournamentStanding]

    @property
    def finished(self) -> list[int]:
        """The pods of the last round that have played."""
        return [pod for pod, pod_places in enumerate(self.places[-1]) if pod_places is not None] if self.places else []

    @property
    def unplayed(self) -> int:
        """The number of pods of the last round that have not played."""
        return self.places[-1].count(None) if self.places else 0

    @property
    def played(self) -> set[str]:
        """The people who have played at least one match."""
        return {standing.name for standing in self.standings if standing.played}

    @property
    def rounds_played(self) -> int:
        """The number of rounds that were drawn and are over."""
        return len(self.places) - (self.unplayed > 0)

    @property
    def winners(self) -> list[str]:
        """The winners, once every pod of the last planned round has played; several if they tie."""
        if len(self.places) < self.of.rounds or self.unplayed:
            return []
        return [standing.name for standing in self.standings if standing.place == 1 and standing.played]


class TournamentBook:
    """The club's tournament, if it has one. Any thread may use it."""

    def __init__(self, store: Store, people: PeopleBook, look: LookAtTables):
        self._store = store
        self._people = people
        self._look = look
        self._kept = KeptValue[Tournament | None](store, "tournament", Tournament | None, None)
        self._looked: tuple[Tournament, int, ClubPeople, TournamentNow] | None = None

    def now(self) -> TournamentNow | None:
        """Return the tournament and its results, cached until one of them changes; None if there is none."""
        of = self._kept.now
        number = self._store.last_number()
        people = self._people.now
        if of is None:
            return None
        cached = self._looked
        if cached is None or cached[0] is not of or cached[1:3] != (number, people):
            places = tournament.results(of, played(self._store, of.drawn[0].after, people) if of.drawn else ())
            cached = self._looked = of, number, people, TournamentNow(of, places, cup_standings.standings(of, places))
        return cached[3]

    def begin(self, people: Sequence[str], rounds: int, pod: int, kind: Kind = "groups") -> None:
        """Begin a tournament. Raises `CupFault`, also if there is one already."""
        self._kept.change(unless_on("on", lambda: tournament.new(people, rounds, pod, kind)))

    def change(self, step: Callable[[Tournament], Tournament]) -> None:
        """Apply a change, and fit the drawn round to the people then present. Raises `CupFault`."""

        def stepped(_: Tournament | None) -> Tournament:
            standing = self.now()
            if standing is None:
                raise CupFault("none")
            changed = step(standing.of)
            if changed.drawn and len(changed.drawn) == len(standing.of.drawn) and changed.people != standing.of.people:
                return tournament.fitted(changed, standing.finished)
            return changed

        self._kept.change(stepped)

    def leave(self, name: str) -> None:
        """Remove a person, without a trace if they have played nothing. Raises `CupFault`."""

        def left(current: Tournament) -> Tournament:
            standing = self.now()
            has_played = standing is not None and name in standing.played
            return tournament.gone(current, name) if has_played else tournament.removed(current, name)

        self.change(left)

    def draw(self, number: int, tables: Sequence[str], given_up: int = 0) -> None:
        """Draw the round of this number, from 1, for these tables.

        Raises `CupFault` if it is not the next, and while a pod of the present round has not played, unless `given_up`
        is that round's number.
        """
        seed = secrets.randbelow(LARGEST_SEED)
        newest = self._store.last_number()
        tables_then = self._look()

        def drawn(current: Tournament) -> Tournament:
            standing = self.now()
            present = len(current.drawn)
            if number != present + 1 and present < current.rounds:
                raise CupFault("drawn", round=number)
            unplayed = standing.unplayed if standing else 0
            if unplayed and present != given_up and present < current.rounds:
                raise CupFault("unplayed", round=present, number=unplayed)
            points = {person.name: person.points for person in standing.standings} if standing else {}
            return tournament.next_round(current, seed, newest, tables, tables_then, points)

        self.change(drawn)

    def end(self) -> None:
        """End the tournament."""
        self._kept.change(lambda _: None)


def unless_on(code: str, begin: Callable[[], T]) -> Callable[[T | None], T]:
    """Return the step that begins a tournament or bracket, and raises `CupFault` with this code if there is one.

    The form may come from a page that is older than the one begun meanwhile.
    """

    def step(current: T | None) -> T:
        if current is not None:
            raise CupFault(code)
        return begin()

    return step


def played(store: Store, after: int, people: ClubPeople) -> Iterator[PlayedMatch]:
    """Yield the matches that may belong to a tournament."""
    for kept_result in store.results(after):
        match = _match(kept_result, people)
        if match is not None:
            yield match


def _match(kept_result: KeptResult, people: ClubPeople) -> PlayedMatch | None:
    """Return a result as a pod's match; None if it is unfinished, a demonstration, or has two players of one name.

    Simulated matches count, unlike in the season: a tournament at a virtual table is meant as one.
    """
    result = kept_result.result
    if result is None or not result.over or result.demo:
        return None
    places_by_seat = places_of(result)
    places = {player_names.key(people.who(player)[1]): places_by_seat[player.seat] for player in result.players}
    if len(places) < len(result.players):
        return None
    return PlayedMatch(kept_result.first, kept_result.table, kept_result.match, instant(result.began) or 0.0, places)
