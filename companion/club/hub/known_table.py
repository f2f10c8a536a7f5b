"""What the hub knows of a table, folded from its messages. Pure: times are the hub's own, passed in.

A table's clock may be years off, so only differences count: the message that was quickest to arrive gives the smallest
difference between its clock and the hub's, and a slower one is late by the excess.
"""

from collections.abc import Mapping
from typing import Any, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from companion.club.payloads import About, MatchResult, PublicView, Scores, SeatedPlayer, TableState, TableStatus

REMEMBERED = 64
"""Arrivals by which clocks are compared: few enough that their drift does not matter."""
STEPPED = 60.0
"""Seconds by which no message is late: a greater difference means that a clock was set."""
RETOLD = 10.0
"""Seconds after a new connection in which a table's retained messages must come again, or it is forgotten."""
LAST_VIEW = 2.0
"""Seconds within which a view from before an early end may still arrive: a table sends at most two a second."""


class Shown(Struct, frozen=True):
    """The part of a public view that the hub itself reads; the rest is the game's."""

    game: str
    players: tuple[SeatedPlayer, ...]
    over: bool
    scores: Scores
    winners: tuple[int, ...] = ()
    drawable: bool = False
    """Whether the view is complete enough to draw; set by the reader, never by the message."""


class KnownTable(Struct, frozen=True):
    """A table as the hub knows it."""

    table: str
    state: TableState = "lost"
    birth: int = 0
    state_at: float = 0.0
    """When its state was reported, by the hub's clock."""
    since: float | None = None
    """The same, if the hub was connected then; None: the state is from before."""
    told_at: float = 0.0
    """When it was last heard."""
    about: About | None = None
    match: int | None = None
    view: Mapping[str, Any] | None = None
    """The whole public view, for its picture."""
    shown: Shown | None = None
    ended: bool = False
    """Whether its match was ended early."""
    tells_end: bool = False
    """Whether the table's views say that; of an earlier version's match only the result does."""
    result: MatchResult | None = None
    """The latest result of its match, if it has one."""
    apart: tuple[float, ...] = ()
    """The differences between the hub's clock and its own at the last arrivals."""
    late: float = 0.0
    """Seconds by which the newest view was late."""
    turned_at: float = 0.0
    """When its match began or was over, by the hub's clock."""
    changed: int = 0
    """Counts changes, by which the screens notice one."""

    @property
    def over(self) -> bool:
        """Whether the current match is finished or was ended early."""
        return self.ended or (self.shown is not None and self.shown.over)

    @property
    def players(self) -> tuple[SeatedPlayer, ...]:
        """The players; once the match is over, with the names of its result, which may have been corrected since."""
        if self.shown is None:
            return ()
        players = self.shown.players
        result = self.result if self.over else None
        if result is None or result.game != self.shown.game:
            return players
        by_seat = {player.seat: player for player in result.players}
        if by_seat.keys() != {player.seat for player in players}:
            return players  # the result is of another match by this number
        return tuple(by_seat[player.seat] for player in players)

    @property
    def name(self) -> str:
        """The table's name; its id until it has sent one."""
        return self.about.name.strip()[:60] or self.table if self.about else self.table


def with_status(known_table: KnownTable, status: TableStatus, at: float, *, retained: bool = False) -> KnownTable:
    """Apply a table's status, its own or its will's. The end of an older birth is ignored."""
    is_repeated = (
        retained and known_table.changed and (status.state, status.birth) == (known_table.state, known_table.birth)
    )
    if is_repeated or (status.state != "ready" and status.birth < known_table.birth):
        return replace(known_table, told_at=at)
    apart = known_table.apart if status.birth == known_table.birth else ()  # restarted, its clock may be different
    return replace(
        known_table,
        state=status.state,
        birth=status.birth,
        state_at=at,
        since=None if retained else at,
        told_at=at,
        apart=apart,
        changed=known_table.changed + 1,
    )


def with_about(known_table: KnownTable, about: About, at: float) -> KnownTable:
    """Apply a table's description."""
    return replace(known_table, about=about, told_at=at, changed=known_table.changed + (about != known_table.about))


def with_public(
    known_table: KnownTable, public: PublicView, on_screen: Shown | None, at: float, *, retained: bool
) -> KnownTable:
    """Apply a newer public view; a retained one does not show how late it came.

    A view of an earlier version does not say whether its match was ended early; if a match that was still changes, it
    has gone on.
    """
    changed = (public.match, public.view) != (known_table.match, known_table.view)
    goes_on = public.match != known_table.match or (changed and at > known_table.turned_at + LAST_VIEW)
    ended = known_table.ended and not goes_on if public.ended is None else public.ended
    updated = replace(
        known_table,
        match=public.match,
        view=public.view,
        shown=on_screen,
        ended=ended and not (on_screen and on_screen.over),
        tells_end=public.ended is not None,
        result=known_table.result if public.match == known_table.match else None,
        told_at=at,
        changed=known_table.changed + (changed or ended != known_table.ended),
    )
    if (updated.match, updated.over) != (known_table.match, known_table.over):
        updated = replace(updated, turned_at=at)
    if retained:
        return replace(updated, late=0.0)
    delay = at - public.at
    # One of the two clocks was set, so the earlier differences no longer hold.
    if known_table.apart and abs(delay - known_table.apart[-1]) > STEPPED:
        return replace(updated, apart=(delay,), late=0.0)
    # The clocks differ by an unknown constant, so the smallest delay counts as none.
    delays = (*known_table.apart[1 - REMEMBERED :], delay)
    return replace(updated, apart=delays, late=delay - min(delays))


def with_result(known_table: KnownTable, result: MatchResult, at: float) -> KnownTable:
    """Apply the latest result of a match, if that is the current one.

    It shows that the match was ended early, if the table's views do not.
    """
    if known_table.match != result.match:
        return known_table
    updated = replace(known_table, result=result, changed=known_table.changed + 1)
    if result.over or known_table.over or known_table.tells_end:
        return updated
    return replace(updated, ended=True, turned_at=at)


def behind(known_table: KnownTable, at: float, cut_at: float | None) -> float:
    """Return by how many seconds the shown state may lag; `cut_at`: when the hub lost its connection, if it has none.

    While a table is online, an unchanged view is up to date; once it is not, anything since is unknown.
    """
    known_until = min(
        [at, *([] if known_table.state == "ready" else [known_table.state_at]), *([] if cut_at is None else [cut_at])]
    )
    return round(max(0.0, known_table.late + at - known_until), 1)


def is_all_told(connected_at: float | None, at: float) -> TypeGuard[float]:
    """Return whether all retained messages have come since the hub connected (None: it is not connected)."""
    return connected_at is not None and at >= connected_at + RETOLD


def still_told(known_tables: Mapping[str, KnownTable], connected_at: float | None, at: float) -> dict[str, KnownTable]:
    """Leave out tables whose messages the broker no longer retains."""
    if not is_all_told(connected_at, at):
        return dict(known_tables)
    return {table: known_table for table, known_table in known_tables.items() if known_table.told_at >= connected_at}
