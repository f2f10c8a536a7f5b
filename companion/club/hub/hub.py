"""A club's hub: what its tables say, what is kept of it, and what its keeper wants to show."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from companion.club.hub.bracket_book import BracketBook
from companion.club.hub.club_toml import ClubFile
from companion.club.hub.follower import Follower
from companion.club.hub.keeper_rights import Keeper
from companion.club.hub.people import PeopleBook
from companion.club.hub.season import SeasonBook
from companion.club.hub.store import HubFault, Store
from companion.club.hub.tournament_book import TournamentBook
from companion.club_settings import ClubSettings
from companion.storage import files


class Hub(Struct, frozen=True, eq=False):
    """All that the hub's pages show."""

    club: ClubSettings
    store: Store
    follower: Follower
    keeper: Keeper
    people: PeopleBook
    season: SeasonBook
    tournament: TournamentBook
    bracket: BracketBook
    address: str
    """Where phones find its page."""


@contextmanager
def opened(file: ClubFile, address: str) -> Iterator[Hub]:
    """Open a club's hub and follow its tables until the block ends. Raises `HubFault`."""
    with _alone(file.store):
        store = Store(file.store)
        follower = Follower(file.club, store)
        people = PeopleBook(store)
        season = SeasonBook(store, people, ratings=file.season.ratings)
        heard = follower.newest_matches
        tournament, bracket = TournamentBook(store, people, heard), BracketBook(store, people, heard)
        hub = Hub(file.club, store, follower, Keeper(store), people, season, tournament, bracket, address)
        follower.watch(season.look)
        season.start()
        follower.start()
        try:
            yield hub
        finally:
            follower.stop()
            season.stop()
            store.close()


@contextmanager
def _alone(store: Path) -> Iterator[None]:
    """Keep a second hub from the same file: both would be the broker's one client, and each cut the other off. The lock
    goes with the process, however that ends. Raises `HubFault`.
    """
    try:
        lock = files.private(store.with_name(f"{store.name}.lock"))
    except OSError as wrong:
        raise HubFault(f"can't write beside {store}: {wrong.strerror}. Choose another folder for CLUB.toml") from wrong
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise HubFault(f"another hub already uses {store}. Stop it first: a club has one") from None
        yield
