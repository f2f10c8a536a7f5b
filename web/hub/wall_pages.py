"""The pages of the wall: all tables on one, or as many on each as people can take in.

Of several pages, the first shows the latest news: matches just over, then those just begun. The others show all tables
by name.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from companion.club.hub.known_table import KnownTable
from companion.player_names import plain

PICTURED = 12
"""Most tables on a page with a picture each; with more, a television has room only for words."""
A_PAGE = 20
"""Most tables on a page: these fill a television."""
FRONT = 0
_NUMBER = re.compile("([0-9]+)")


def by_name(tables: Iterable[KnownTable]) -> list[KnownTable]:
    """Sort tables by name in natural order: "Table 2" before "Table 10"."""
    return sorted(tables, key=lambda table: (_order(table.name), table.table))


def last_page(many: int) -> int:
    """Return the number of the last page for this many tables; `FRONT` if that is the only one."""
    return FRONT if many <= A_PAGE else math.ceil(many / A_PAGE)


def leaf(tables: Sequence[KnownTable], page: int) -> Sequence[KnownTable]:
    """Return the tables on a page; `tables` are all, sorted by name."""
    if len(tables) <= A_PAGE:
        return tables
    if page == FRONT:
        newest_first = sorted(
            tables, key=lambda table: (table.state == "ready", table.over, table.turned_at), reverse=True
        )
        return newest_first[:A_PAGE]
    return tables[(page - 1) * A_PAGE : page * A_PAGE]


def found(tables: Iterable[KnownTable], text: str) -> list[KnownTable]:
    """Return the tables whose name, or a player's, contains a text."""
    key = plain(text)
    if not key:
        return []

    def names(table: KnownTable) -> list[str]:
        return [table.name, *(player.name for player in table.players)]

    return [table for table in tables if any(key in plain(name) for name in names(table))][:A_PAGE]


def sought(text: str) -> Callable[[str], bool]:
    """Return a test of whether a name contains a text."""
    key = plain(text)  # once: the text may be as long as a URL allows
    return lambda name: key in plain(name)


@lru_cache(8192)
def _order(name: str) -> tuple[str | int, ...]:
    """Split a name into text and numbers, alternately."""
    parts = _NUMBER.split(plain(name))
    return tuple(int(part) if at % 2 else part for at, part in enumerate(parts))
