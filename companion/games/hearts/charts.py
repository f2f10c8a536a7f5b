"""What is worth drawing of a match of Hearts: everybody's points, round by round."""

from collections.abc import Mapping
from typing import Any

from companion.game import Chart


def charts(table: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Draw how the points rose."""
    rounds = table["history"]
    columns = tuple({"number": number} for number in range(1, len(rounds) + 1))
    rows = {int(seat): tuple(points[seat] for points in rounds) for seat in table["taken"]}
    return (Chart("points", "lines", columns, rows),)
