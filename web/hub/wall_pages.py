"""Which tables are on one page of the wall: all, or, if there are very many, as many as people can take in.

With several pages, the first shows what is new in the room: matches just over, then those just begun. The other
pages are all tables by name.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from companion.club.hub.known_table import KnownTable
from companion.player_names import plain

PICTURED = 12
"""The most tables on one page with a picture each; with more, a television has room only for words."""
A_PAGE = 20
"""The most tables on one page: these fill a television."""
FRONT = 0
_NUMBER = re.compile("([0-9]+)")


def by_name(tables: Iterable[KnownTable]) -> list[KnownTable]:
    """Return tables in the order people expect: the second before the tenth."""
    return sorted(tables, key=lambda table: (_order(table.name), table.table))


def last_page(many: int) -> int:
    """Return the number of the last page for this many tables; `FRONT` if there is no other."""
    return FRONT if many <= A_PAGE else -(-many // A_PAGE)


def leaf(tables: Sequence[KnownTable], page: int) -> Sequence[KnownTable]:
    """Return the tables on a page, given all by name."""
    if len(tables) <= A_PAGE:
        return tables
    if page == FRONT:
        newest_first = sorted(
            tables, key=lambda table: (table.state == "ready", table.over, table.turned_at), reverse=True
        )
        return newest_first[:A_PAGE]
    return tables[(page - 1) * A_PAGE : page * A_PAGE]


def found(tables: Iterable[KnownTable], text: str) -> list[KnownTable]:
    """Return the tables whose name, or a player's, contains this."""
    key = plain(text)
    if not key:
        return []

    def names(table: KnownTable) -> list[str]:
        return [table.name, *(player.name for player in table.players)]

    return [table for table in tables if any(key in plain(name) for name in names(table))][:A_PAGE]


def sought(text: str) -> Callable[[str], bool]:
    """Return a test for whether a name contains this text, which may be as long as an address allows."""
    key = plain(text)
    return lambda name: key in plain(name)


@lru_cache(8192)
def _order(name: str) -> tuple[str | int, ...]:
    """Return its text and numbers alternately."""
    parts = _NUMBER.split(plain(name))
    return tuple(int(part) if at % 2 else part for at, part in enumerate(parts))
