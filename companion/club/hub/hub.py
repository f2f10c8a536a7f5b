"""A club's hub: what its tables say, what is kept of it, and what its keeper wants to show."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from companion.club.hub.bracket_book import BracketBook
from companion.club.hub.club_toml import ClubFile
from companion.club.hub.follower import Follower
from companion.club.hub.keeper_rights import Keeper
from companion.club.hub.people import PeopleBook
from companion.club.hub.season import SeasonBook
from companion.club.hub.store import Store
from companion.club.hub.tournament_book import TournamentBook
from companion.club_settings import ClubSettings


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
