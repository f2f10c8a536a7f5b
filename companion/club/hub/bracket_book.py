"""The hub's bracket: kept in its file, and as far as it has been played."""

import secrets
from collections.abc import Callable, Sequence

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
        """Who has won it; None: nobody yet."""
        return self.rounds[-1][0].winner or None


class BracketBook:
    """Any thread may use it."""

    def __init__(self, store: Store, people: PeopleBook, look: LookAtTables):
        self._store, self._people, self._look = store, people, look
        self._kept = KeptValue[Bracket | None](store, "bracket", Bracket | None, None)
        self._looked: tuple[Bracket, int, ClubPeople, BracketNow] | None = None

    def now(self) -> BracketNow | None:
        """Return the bracket as it stands, or None."""
        of, number, known = self._kept.now, self._store.last_number(), self._people.now
        if of is None:
            return None
        looked = self._looked
        if looked is None or looked[0] is not of or looked[1:3] != (number, known):
            found = BracketNow(of, bracket.rounds(of, played(self._store, of.after, known)))
            looked = self._looked = of, number, known, found
        return looked[3]

    def begin(self, people: Sequence[str], tables: Sequence[str], *, by_lot: bool) -> None:
        """Begin a bracket. Raises `CupFault`, also while another is there."""
        lot = secrets.randbelow(LARGEST_SEED) if by_lot else None
        after, then = self._store.last_number(), self._look()
        self._kept.change(unless_on("duels-on", lambda: bracket.begun(people, after, tables, lot, then)))

    def change(self, step: Callable[[Bracket], Bracket]) -> None:
        """Change what the keeper knows of it. Raises `CupFault`."""

        def stepped(now: Bracket | None) -> Bracket:
            if now is None:
                raise CupFault("none")
            return step(now)

        self._kept.change(stepped)

    def end(self) -> None:
        """Put the bracket away."""
        self._kept.change(lambda _: None)
