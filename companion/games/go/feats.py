"""Feats worth remembering in ¡Go!, from the hands that everybody saw."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

CALLS = 3


def feats(table: Mapping[str, Any]) -> Mapping[str, list[int]]:
    """Return the feats and who did them; a void round has no hands to tell of."""
    rounds = [one for one in table["rounds"] if not one["void"]]
    points = Counter[int]()
    for one in rounds:
        points.update({int(seat): won for seat, won in one["points"].items()})
    held = Counter(one["caller"] for one in rounds if one["points"].get(str(one["caller"]), 0) > 0)
    scored = [seat for seat, won in points.items() if won > 0]
    return {
        "perfect": [one["caller"] for one in rounds if one["perfect"]],
        "clean-hand": sorted(
            {int(seat) for one in rounds for seat, own in one["divisions"].items() if not own["penalty"]}
        ),
        "calls": [seat for seat, number in held.items() if number >= CALLS],
        "alone": scored if len(scored) == 1 else [],
    }
