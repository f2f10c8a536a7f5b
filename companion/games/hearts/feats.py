"""Feats worth remembering in Hearts."""

from collections.abc import Mapping
from typing import Any

FEW = 13


def feats(table: Mapping[str, Any]) -> Mapping[str, list[int]]:
    """Return the feats and who did them."""
    points = table["history"][-1] if table["history"] else {}
    return {
        "moon": sorted({*table["moons"]}),
        "few": [int(seat) for seat, number in points.items() if len(table["history"]) > 1 and number <= FEW],
    }
