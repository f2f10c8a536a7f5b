"""What is worth drawing of a match of stop it!: the margins of the calls, and how soon everybody shouted."""

from collections.abc import Mapping
from typing import Any

from companion.game import Chart
from companion.game.head_starts import REACTIONS


def charts(table: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Draw the scored calls. Presses entered by hand are left out: nobody knows how late they came."""
    calls = [(number, call) for number, call in enumerate(table["rounds"], 1) if call["sure"] is not None]
    columns = tuple({"number": number} for number, _ in calls)
    seats = sorted({int(seat) for call in table["rounds"] for seat in call["counts"]})
    margins = {seat: tuple(_margin(call, seat) for _, call in calls) for seat in seats}
    reactions = {seat: tuple(call["reactions"].get(str(seat)) for _, call in calls) for seat in seats}
    return (
        Chart("margins", "dots", columns, margins, "microseconds"),
        Chart(REACTIONS, "dots", columns, reactions, "microseconds"),
    )


def _margin(call: Mapping[str, Any], seat: int) -> int | None:
    """Return how far apart a call's first two presses were; in a dead heat for both. None: nobody else wanted it."""
    lead = call["lead"]
    seats_timed = (call["caller"], lead["other"] if lead["dead_heat"] else None) if lead else ()
    return abs(lead["margin"]) if seat in seats_timed else None
