"""Feats worth remembering in Kartel."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.games.kartel.cards import DECK

BOSSES = 3
GANG = 5
RICH = 15


def feats(table: Mapping[str, Any]) -> Mapping[str, list[int]]:
    """Return the feats and who did them."""
    holdings = {int(seat): held for seat, held in table["holdings"].items()}
    jailed = Counter(cell["seat"] for cell in table["cells"])
    return {
        "bosses": [seat for seat, number in jailed.items() if number >= BOSSES],
        "gang": [seat for seat, held in holdings.items() if _largest(held) >= GANG],
        "rich": [seat for seat, held in holdings.items() if held["points"] >= RICH],
        "no-loss": [seat for seat, held in holdings.items() if held["gangs"] and _least(held) >= 0],
    }


def _largest(held: Mapping[str, Any]) -> int:
    colours = Counter(DECK[token].colour for token in (*held["open"], *held["closed"]))
    return max(colours.values(), default=0)


def _least(held: Mapping[str, Any]) -> int:
    least: int = min(gang["points"] for gang in held["gangs"])
    return least
