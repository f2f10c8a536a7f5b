"""The hub's bracket: stored in its database, with the results so far."""

import secrets
from collections.abc import Callable, Sequence
from itertools import chain

from msgspec import Struct

from companion.club.hub import bracket
from companion.club.hub.bracket import Bracket, Duel
from companion.club.hub.draw import CupFault
from companion.club.hub.people import ClubPeople, PeopleBook
from companion.club.hub.store import KeptValue, Store
from companion.club.hub.tournament_book import LARGEST_SEED, LookAtTables, played, unless_on


class BracketNow(Struct, frozen=True):
    """A bracket, and its results so far."""

    of: Bracket
    rounds: tuple[tuple[Duel, ...], ...]

    @property
    def winner(self) -> str | None:
        """The winner of the final; None: nobody yet."""
        return self.rounds[-1][0].winner or None


class BracketBook:
    """The club's bracket, if it has one. Any thread may use it."""

    def __init__(self, store: Store, people: PeopleBook, look: LookAtTables):
        self._store = store
        self._people = people
        self._look = look
        self._kept = KeptValue[Bracket | None](store, "bracket", Bracket | None, None)
        self._looked: tuple[Bracket, int, ClubPeople, BracketNow] | None = None

    def now(self) -> BracketNow | None:
        """Return the bracket and its results, cached until one of them changes; None if there is none."""
        current = self._kept.now
        number = self._store.last_number()
        people = self._people.now
        if current is None:
            return None
        cached = self._looked
        if cached is None or cached[0] is not current or cached[1:3] != (number, people):
            standing = BracketNow(current, self._rounds(current, people))
            cached = self._looked = current, number, people, standing
        return cached[3]

    def begin(self, people: Sequence[str], tables: Sequence[str], *, by_lot: bool) -> None:
        """Begin a bracket. Raises `CupFault`, also if there is one already."""
        lot = secrets.randbelow(LARGEST_SEED) if by_lot else None
        newest = self._store.last_number()
        tables_then = self._look()
        self._kept.change(unless_on("duels-on", lambda: bracket.begun(people, newest, tables, lot, tables_then)))

    def _rounds(self, current: Bracket, people: ClubPeople) -> tuple[tuple[Duel, ...], ...]:
        """Return the state of every duel of a bracket."""
        return bracket.rounds(current, played(self._store, current.after, people))

    def change(self, step: Callable[[Bracket], Bracket]) -> None:
        """Apply a keeper's change. Raises `CupFault`."""

        def stepped(current: Bracket | None) -> Bracket:
            if current is None:
                raise CupFault("none")
            return step(current)

        self._kept.change(stepped)

    def enter_won(self, winner: str, loser: str) -> None:
        """Enter a duel's winner from paper. Raises `CupFault`, also for two who are not opponents now."""

        def entered(current: Bracket) -> Bracket:
            rounds = self._rounds(current, self._people.now)
            bracket.see_that_they_meet(chain.from_iterable(rounds), winner, loser)
            return bracket.entered_won(current, winner, loser)

        self.change(entered)

    def end(self) -> None:
        """End the bracket."""
        self._kept.change(lambda _: None)
