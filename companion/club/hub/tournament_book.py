"""The hub's tournament: kept in its file, and what was played in it."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from companion import player_names
from companion.club.hub import tournament
from companion.club.hub.draw import CupFault
from companion.club.hub.people import ClubPeople, PeopleBook
from companion.club.hub.season import places_of
from companion.club.hub.store import KeptResult, KeptValue, Store
from companion.club.hub.tournament import PlayedMatch, TablesThen, Tournament, TournamentStanding
from companion.club.payloads import instant

T = TypeVar("T")
LARGEST_SEED = 10**9

LookAtTables = Callable[[], TablesThen]
"""Returns what the hub knows of the tables now."""
Places = tuple[tuple[tuple[int, ...] | None, ...], ...]


class TournamentNow(Struct, frozen=True):
    """A tournament, and what was played in it."""

    of: Tournament
    places: Places
    """For each pod of each round; None: it has not played."""
    standings: Sequence[TournamentStanding]

    @property
    def finished(self) -> list[int]:
        """The pods of the last round that have played."""
        return [at for at, own in enumerate(self.places[-1]) if own is not None] if self.places else []

    @property
    def unplayed(self) -> int:
        """How many pods of the last round have not played."""
        return self.places[-1].count(None) if self.places else 0

    @property
    def winners(self) -> list[str]:
        """Who has won, once every pod of the last of all rounds has played; several if they tie."""
        if len(self.places) < self.of.rounds or self.unplayed:
            return []
        return [one.name for one in self.standings if one.place == 1 and one.played]


class TournamentBook:
    """Any thread may use it."""

    def __init__(self, store: Store, people: PeopleBook, look: LookAtTables):
        self._store, self._people, self._look = store, people, look
        self._kept = KeptValue[Tournament | None](store, "tournament", Tournament | None, None)
        self._looked: tuple[Tournament, int, ClubPeople, TournamentNow] | None = None

    def now(self) -> TournamentNow | None:
        """Return the tournament as it stands, or None."""
        of, number, known = self._kept.now, self._store.last_number(), self._people.now
        if of is None:
            return None
        looked = self._looked
        if looked is None or looked[0] is not of or looked[1:3] != (number, known):
            places = tournament.results(of, played(self._store, of.drawn[0].after, known) if of.drawn else ())
            looked = self._looked = of, number, known, TournamentNow(of, places, tournament.standings(of, places))
        return looked[3]

    def begin(self, people: Sequence[str], rounds: int, pod: int) -> None:
        """Begin a tournament. Raises `CupFault`, also while another is there."""
        self._kept.change(unless_on("on", lambda: tournament.new(people, rounds, pod)))

    def change(self, step: Callable[[Tournament], Tournament]) -> None:
        """Change the tournament, and fit the drawn round to those then present. Raises `CupFault`."""

        def stepped(_: Tournament | None) -> Tournament:
            now = self.now()
            if now is None:
                raise CupFault("none")
            changed = step(now.of)
            if changed.drawn and len(changed.drawn) == len(now.of.drawn) and changed.people != now.of.people:
                return tournament.fitted(changed, now.finished)
            return changed

        self._kept.change(stepped)

    def draw(self, tables: Sequence[str], given_up: int = 0) -> None:
        """Draw the next round, for these tables. Raises `CupFault`, also while a group of the present round has not
        played, unless the keeper has said that this round, by its number from 1, may stay so.
        """
        seed, after, then = secrets.randbelow(LARGEST_SEED), self._store.last_number(), self._look()

        def drawn(now: Tournament) -> Tournament:
            stands, number = self.now(), len(now.drawn)
            unplayed = stands.unplayed if stands else 0
            if unplayed and number != given_up and number < now.rounds:
                raise CupFault("unplayed", round=number, number=unplayed)
            return tournament.next_round(now, seed, after, tables, then)

        self.change(drawn)

    def end(self) -> None:
        """Put the tournament away."""
        self._kept.change(lambda _: None)


def unless_on(code: str, begin: Callable[[], T]) -> Callable[[T | None], T]:
    """Return the step that begins a cup where none is; it raises `CupFault` with this code if one is there: the page
    that wished it may be older than that.
    """

    def step(now: T | None) -> T:
        if now is not None:
            raise CupFault(code)
        return begin()

    return step


def played(store: Store, after: int, known: ClubPeople) -> Iterator[PlayedMatch]:
    """Yield the matches that may belong to a tournament."""
    for kept in store.results(after):
        found = _match(kept, known)
        if found is not None:
            yield found


def _match(kept: KeptResult, known: ClubPeople) -> PlayedMatch | None:
    """Return a match as a pod's, also one at a virtual table: whoever drew a tournament there means it.

    Where two have one name, nobody knows whose place is whose.
    """
    result = kept.result
    if result is None or not result.over or result.demo:
        return None
    came = places_of(result)
    places = {player_names.key(known.who(one)[1]): came[one.seat] for one in result.players}
    if len(places) < len(result.players):
        return None
    return PlayedMatch(kept.first, kept.table, kept.match, instant(result.began) or 0.0, places)
