"""A club's hub, assembled: follower, store, keeper, season and tournaments."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from msgspec import Struct

from companion.club.hub.bracket_book import BracketBook
from companion.club.hub.club_toml import ClubFile
from companion.club.hub.follower import Follower
from companion.club.hub.keeper_rights import Keeper
from companion.club.hub.people import PeopleBook
from companion.club.hub.season import SeasonBook
from companion.club.hub.store import HubFault, Store
from companion.club.hub.tournament import TablesThen
from companion.club.hub.tournament_book import TournamentBook
from companion.club_settings import ClubSettings
from companion.network.page_address import PageAddress
from companion.storage import files


class Hub(Struct, frozen=True, eq=False):
    """The parts of a hub, for its pages."""

    club: ClubSettings
    store: Store
    follower: Follower
    keeper: Keeper
    people: PeopleBook
    season: SeasonBook
    tournament: TournamentBook
    bracket: BracketBook
    found_at: PageAddress
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies whose `X-Forwarded-…` headers are trusted."""

    @property
    def address(self) -> str:
        """The URL of its page."""
        return self.found_at.url


@contextmanager
def opened(file: ClubFile, found_at: PageAddress) -> Iterator[Hub]:
    """Open a club's hub, and follow its tables until the block ends. Raises `HubFault`."""
    with _alone(file.store):
        store = Store(file.store)
        follower = Follower(file.club, store)
        people = PeopleBook(store)
        season = SeasonBook(store, people, ratings=file.season.ratings)
        look = partial(_look, follower)
        tournament = TournamentBook(store, people, look)
        bracket = BracketBook(store, people, look)
        hub = Hub(
            file.club, store, follower, Keeper(store), people, season, tournament, bracket, found_at, file.page.proxies
        )
        follower.watch(season.look)
        season.start()
        follower.start()
        try:
            yield hub
        finally:
            follower.stop()
            season.stop()
            store.close()


def _look(follower: Follower) -> TablesThen:
    return TablesThen(time.time(), follower.newest_matches())


def _alone(store: Path) -> IO[bytes]:
    """Lock the hub's file against a second hub: both would have one client id, and cut each other off.

    Raises `HubFault`.
    """
    try:
        return files.held(store.with_name(f"{store.name}.lock"))
    except BlockingIOError:
        raise HubFault(f"another hub already uses {store}. Stop it first: a club has one") from None
    except OSError as wrong:
        raise HubFault(f"can't write beside {store}: {wrong.strerror}. Choose another folder for CLUB.toml") from wrong
