"""What the pages of a tournament show: its rounds, and how people stand."""

from typing import Any

from companion.club.hub.draw import SMALLEST
from companion.club.hub.hub import Hub


def tournament_context(of: Hub) -> dict[str, Any]:
    """Return what the pages of a tournament show."""
    tables = of.follower.tables()
    return {
        "cup": of.tournament.now(),
        "smallest": SMALLEST,
        "table_of": lambda table: tables[table].name if table in tables else "",
        "ordered": lambda pod, own: sorted(zip(own, pod.people, strict=True)) if own else [],
    }
