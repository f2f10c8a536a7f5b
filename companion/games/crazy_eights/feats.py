"""Feats worth remembering in Crazy Eights."""

from collections.abc import Mapping
from typing import Any

ROUNDS = 3


def feats(table: Mapping[str, Any]) -> Mapping[str, list[int]]:
    """Return the feats and who did them."""
    wins = table["wins"]
    points = table["history"][-1] if table["history"] else {}
    return {
        "thrice": sorted({seat for seat in wins if wins.count(seat) >= ROUNDS}),
        "alone": [int(seat) for seat, number in points.items() if number and number == sum(points.values())],
    }
