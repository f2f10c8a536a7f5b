"""Feats worth remembering in ¡Go!, from the hands that everybody saw."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

CALLS = 3


def feats(table: Mapping[str, Any]) -> Mapping[str, list[int]]:
    """Return the feats and who did them; a void round has no hands to tell of."""
    rounds = [entry for entry in table["rounds"] if not entry["void"]]
    points = Counter[int]()
    for entry in rounds:
        points.update({int(seat): won for seat, won in entry["points"].items()})
    held = Counter(entry["caller"] for entry in rounds if entry["points"].get(str(entry["caller"]), 0) > 0)
    scored = [seat for seat, won in points.items() if won > 0]
    return {
        "perfect": [entry["caller"] for entry in rounds if entry["perfect"]],
        "clean-hand": sorted(
            {int(seat) for entry in rounds for seat, division in entry["divisions"].items() if not division["penalty"]}
        ),
        "calls": [seat for seat, number in held.items() if number >= CALLS],
        "alone": scored if len(scored) == 1 else [],
    }
