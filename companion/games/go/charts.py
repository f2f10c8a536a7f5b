"""What is worth drawing of a match of ¡Go!: the penalty of every hand that was divided.

A void round has no hands to tell of, and a perfect one only its caller's.
"""

from collections.abc import Mapping
from typing import Any

from companion.game import Chart


def charts(table: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Draw the rounds that were scored or perfect, by their numbers in the match."""
    played = [(number, entry) for number, entry in enumerate(table["rounds"], 1) if not entry["void"]]
    seats = sorted({int(seat) for _, entry in played for seat in entry["points"]})
    penalties = {seat: tuple(_penalty(entry, seat) for _, entry in played) for seat in seats}
    return (Chart("penalties", "lines", tuple({"number": number} for number, _ in played), penalties),)


def _penalty(entry: Mapping[str, Any], seat: int) -> int | None:
    divided = entry["divisions"].get(str(seat))
    return divided["penalty"] if divided else None
