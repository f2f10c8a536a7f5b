"""Feats worth remembering in stop it!, from what everybody saw."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

HAIRSBREADTH = 5_000
QUICK = 3_000_000
"""Microseconds."""
MANY_CALLS = 4
TOGETHER = 3


def feats(table: Mapping[str, Any]) -> Mapping[str, list[int]]:
    """Return the feats and who did them. A press by phone is not a feat of speed: nobody knows how late it came."""
    calls = table["rounds"]
    led = [call for call in calls if call["lead"] and call["sure"] is not None]
    called = Counter(call["caller"] for call in calls)
    seats = {int(seat) for call in calls for seat in call["points"]}
    paid = {int(seat) for call in calls for seat, points in call["points"].items() if points}
    quick = {
        int(seat)
        for call in calls
        if call["sure"] is not None
        for seat, reaction in call["reactions"].items()
        if reaction < QUICK
    }
    return {
        "hairsbreadth": [
            call["caller"] for call in led if not call["lead"]["dead_heat"] and call["lead"]["margin"] < HAIRSBREADTH
        ],
        "dead-heat": [call["caller"] for call in led if call["lead"]["dead_heat"]],
        "quick": sorted(quick),
        "calls": [seat for seat, number in called.items() if number >= MANY_CALLS],
        "spotless": sorted(seats - paid),
        "together": _most_who_paid(calls),
    }


def _most_who_paid(calls: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the seats that took penalty cards at one stop, of the stop where most did, if that is many."""
    paid = [[int(seat) for seat, points in call["points"].items() if points] for call in calls]
    most = max(paid, key=len, default=[])
    return most if len(most) >= TOGETHER else []
