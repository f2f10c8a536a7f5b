"""Feats worth remembering in Speed."""

from collections.abc import Mapping
from typing import Any

BY_FAR = 8
"""Cards that the loser still has."""


def feats(table: Mapping[str, Any]) -> Mapping[str, list[int]]:
    """Return the feats and who did them."""
    left = {int(seat): number for seat, number in table["left"].items()}
    winners = [seat for seat, number in left.items() if number == 0]
    behind = max(left.values())
    return {
        "far-ahead": winners if behind >= BY_FAR else [],
        "by-a-card": winners if behind == 1 else [],
        "never-stuck": winners if table["stuck_times"] == 0 else [],
    }
