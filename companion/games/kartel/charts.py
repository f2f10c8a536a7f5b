"""What is worth drawing of a match of Kartel: everybody's tokens, and what they brought. Nothing is sealed."""

from collections.abc import Mapping
from typing import Any

from companion.game import Chart
from companion.games.kartel.cards import COLOURS, DECK


def charts(table: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Draw what was won, money included; what cost points brought none."""
    columns = tuple({"colour": colour} for colour in COLOURS)
    holdings = {int(seat): held for seat, held in table["holdings"].items()}
    worth = {seat: tuple(_brought(held, colour) for colour in COLOURS) for seat, held in holdings.items()}
    tokens = {seat: tuple(_won(held, colour) for colour in COLOURS) for seat, held in holdings.items()}
    return Chart("worth", "bars", columns, worth), Chart("tokens", "bars", columns, tokens)


def _brought(held: Mapping[str, Any], colour: str) -> int:
    points: int = sum(gang["points"] for gang in held["gangs"] if gang["colour"] == colour)
    return max(0, points)


def _won(held: Mapping[str, Any], colour: str) -> int:
    return sum(DECK[card].colour == colour for card in (*held["open"], *held["closed"]))
