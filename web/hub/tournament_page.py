"""What the pages of a tournament show: its rounds, and how people stand; or its bracket."""

from typing import Any

from companion.club.hub import tournament
from companion.club.hub.draw import SMALLEST
from companion.club.hub.hub import Hub
from companion.web.hub.wall_pages import sought

MOST_PEOPLE = 50
"""The most people in a list; others, and those to be removed, are searched for by name."""


def tournament_context(of: Hub, wanted: str = "") -> dict[str, Any]:
    """Return what the pages of a tournament show; `wanted` is part of the names searched for."""
    tables, now, is_sought = of.follower.tables(), of.tournament.now(), sought(wanted)
    here = now.of.people if now else ()
    found = {name for name in (*here, *(now.of.left if now else ())) if is_sought(name)}
    return {
        "cup": now,
        "wanted": wanted,
        "more": bool(wanted) or len(here) > MOST_PEOPLE,
        "most": MOST_PEOPLE,
        "waiting": tournament.waiting(now.of) if now else [],
        "here": [name for name in here if name in found],
        "standing": [one for one in now.standings if one.name in found] if now else [],
        "pods_of": lambda one: [(at, pod) for at, pod in enumerate(one.pods) if not wanted or found & {*pod.people}],
        "smallest": SMALLEST,
        "table_of": lambda table: tables[table].name if table in tables else "",
        "ordered": lambda pod, own: sorted(zip(own, pod.people, strict=True)) if own else [],
    }


MOST_DRAWN = 8
"""The most duels below each other that can be read across a room."""


def bracket_context(of: Hub) -> dict[str, Any]:
    """Return what the pages of a bracket show."""
    tables, now = of.follower.tables(), of.bracket.now()
    rounds = now.rounds if now else ()
    open_now = [duel for one in rounds for duel in one if duel.winner is None and None not in duel.people]
    called = {duel.table: duel for duel in reversed(open_now)}
    going_on = next((at for at, one in enumerate(rounds) if any(duel.winner is None for duel in one)), len(rounds) - 1)
    return {
        "bracket": now,
        "rounds": rounds,
        "open_now": sorted(open_now, key=lambda duel: duel not in called.values()),
        "called": [*called.values()],
        "going_on": going_on,
        "drawn_from": next((at for at, one in enumerate(rounds) if len(one) <= MOST_DRAWN), 0),
        "table_of": lambda table: tables[table].name if table in tables else "",
    }
