"""What the hub knows of each table, folded from what it tells. Pure: time is the hub's own, handed in.

A table's clock may be years off, so only differences count: of its messages, the quickest to arrive gives the smallest
difference between its clock and ours, and a slower one is late by the excess.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.club.payloads import About, MatchResult, PublicView, Scores, SeatedPlayer, TableState, TableStatus

REMEMBERED = 64
"""Arrivals by which a table's clock is compared: few enough that its drift does not show."""
STEPPED = 60.0
"""Seconds by which no message is ever late: the table's clock must have been set."""
RETOLD = 10.0
"""Seconds after which, on a new connection, a table whose retained words have not come again is forgotten."""
LAST_VIEW = 2.0
"""Seconds within which a view from before an early end may still follow it: a table sends no more than two a second."""


class Shown(Struct, frozen=True):
    """The part of a public view that the hub itself shows; the rest is the game's."""

    game: str
    players: tuple[SeatedPlayer, ...]
    over: bool
    scores: Scores
    winners: tuple[int, ...] = ()


class KnownTable(Struct, frozen=True):
    """A table as the hub knows it."""

    table: str
    state: TableState = "lost"
    birth: int = 0
    state_at: float = 0.0
    """When its state was told, by the hub's clock."""
    since: float | None = None
    """When its state was told, if the hub heard that; None: it was so before."""
    told_at: float = 0.0
    """When it was last heard of."""
    about: About | None = None
    match: int | None = None
    view: Mapping[str, Any] | None = None
    """The whole public view, for its picture."""
    shown: Shown | None = None
    ended: bool = False
    """Whether its match was ended early, as its result says and no view does."""
    result: MatchResult | None = None
    """The standing result of its match, if that has one."""
    apart: tuple[float, ...] = ()
    """The difference of its clock to the hub's, by each of the last arrivals."""
    late: float = 0.0
    """Seconds by which the newest view was late."""
    turned_at: float = 0.0
    """When its match began or was over, by the hub's clock."""
    changed: int = 0
    """Counts what came and was new, so that whoever shows it notices a change."""

    @property
    def over(self) -> bool:
        """Whether a match is on the table that is finished, or was ended early."""
        return self.ended or (self.shown is not None and self.shown.over)

    @property
    def players(self) -> tuple[SeatedPlayer, ...]:
        """Who plays; once the match is over, under the names of its result, which have been put right since. A view has
        them as they were typed.
        """
        if self.shown is None:
            return ()
        players, result = self.shown.players, self.result if self.over else None
        if result is None or result.game != self.shown.game:
            return players
        right = {one.seat: one for one in result.players}  # of another match by this number, where seats differ
        return tuple(right[one.seat] for one in players) if right.keys() == {one.seat for one in players} else players

    @property
    def name(self) -> str:
        """What people call it; until it has said, its id."""
        return self.about.name.strip()[:60] or self.table if self.about else self.table


def with_status(before: KnownTable, status: TableStatus, now: float, *, retained: bool = False) -> KnownTable:
    """Take what a table says of itself, or the broker of it. The end of an older birth is ignored."""
    told_before = retained and before.changed and (status.state, status.birth) == (before.state, before.birth)
    if told_before or (status.state != "ready" and status.birth < before.birth):
        return replace(before, told_at=now)
    apart = before.apart if status.birth == before.birth else ()  # restarted, its clock may be different
    return replace(
        before,
        state=status.state,
        birth=status.birth,
        state_at=now,
        since=None if retained else now,
        told_at=now,
        apart=apart,
        changed=before.changed + 1,
    )


def with_about(before: KnownTable, about: About, now: float) -> KnownTable:
    """Take what kind of table it is."""
    return replace(before, about=about, told_at=now, changed=before.changed + (about != before.about))


def with_public(
    before: KnownTable, public: PublicView, shown: Shown | None, now: float, *, retained: bool
) -> KnownTable:
    """Take a newer public view. A retained one does not tell how late it came. A match that was ended early and is seen
    to change goes on.
    """
    news = (public.match, public.view) != (before.match, before.view)
    goes_on = public.match != before.match or (news and now > before.turned_at + LAST_VIEW)
    known = replace(
        before,
        match=public.match,
        view=public.view,
        shown=shown,
        ended=before.ended and not goes_on and not (shown and shown.over),
        result=before.result if public.match == before.match else None,
        told_at=now,
        changed=before.changed + news,
    )
    if (known.match, known.over) != (before.match, before.over):
        known = replace(known, turned_at=now)
    if retained:
        return replace(known, late=0.0)
    apart = now - public.at
    if before.apart and abs(apart - before.apart[-1]) > STEPPED:
        return replace(known, apart=(apart,), late=0.0)
    known_apart = (*before.apart[1 - REMEMBERED :], apart)
    return replace(known, apart=known_apart, late=apart - min(known_apart))


def with_result(before: KnownTable, result: MatchResult, now: float) -> KnownTable:
    """Take the standing result of a match, if it is the one on the table. It may say that it was ended early."""
    if before.match != result.match:
        return before
    known = replace(before, result=result, changed=before.changed + 1)
    return known if result.over or before.over else replace(known, ended=True, turned_at=now)


def behind(one: KnownTable, now: float, cut_at: float | None) -> float:
    """Return how many seconds what is shown may be behind the table; `cut_at`: since when the hub hears nothing.

    While its table is there, a view that has not changed is as new as can be. Once it is not, all since is unknown.
    """
    known_until = min([now, *([] if one.state == "ready" else [one.state_at]), *([] if cut_at is None else [cut_at])])
    return round(max(0.0, one.late + now - known_until), 1)


def still_told(known: Mapping[str, KnownTable], connected_at: float | None, now: float) -> dict[str, KnownTable]:
    """Leave out the tables whose messages the broker no longer retains."""
    if connected_at is None or now < connected_at + RETOLD:
        return dict(known)
    return {table: one for table, one in known.items() if one.told_at >= connected_at}
