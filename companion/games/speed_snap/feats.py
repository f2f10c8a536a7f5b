"""Feats worth remembering in Speed Snap."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

MANY_CARDS = 26
OFTEN = 3


def feats(table: Mapping[str, Any]) -> Mapping[str, list[int]]:
    """Return the feats and who did them."""
    snaps = table["snaps"]
    times = Counter(snap["seat"] for snap in snaps)
    return {
        "half": sorted({snap["seat"] for snap in snaps if snap["number"] >= MANY_CARDS}),
        "often": sorted(seat for seat, number in times.items() if number >= OFTEN),
    }
