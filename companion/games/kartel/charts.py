"""What is worth drawing of a match of Kartel: everybody's tokens, and their points. Nothing is sealed."""

from collections.abc import Mapping
from typing import Any

from companion.game import Chart
from companion.games.kartel.cards import COLOURS, DECK


def charts(table: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Draw what was won, and what it brought or cost."""
    columns = tuple({"colour": colour} for colour in COLOURS)
    holdings = {int(seat): held for seat, held in table["holdings"].items()}
    worth = {seat: tuple(_points(held, colour) for colour in COLOURS) for seat, held in holdings.items()}
    tokens = {seat: tuple(_won(held, colour) for colour in COLOURS) for seat, held in holdings.items()}
    return Chart("worth", "bars", columns, worth), Chart("tokens", "bars", columns, tokens)


def _points(held: Mapping[str, Any], colour: str) -> int:
    return sum(gang["points"] for gang in held["gangs"] if gang["colour"] == colour)


def _won(held: Mapping[str, Any], colour: str) -> int:
    return sum(DECK[card].colour == colour for card in (*held["open"], *held["closed"]))
