"""What is worth drawing of a match of Kartel: everybody's tokens by colour, and what they bring. Nothing is sealed."""

from collections.abc import Mapping
from typing import Any

from companion.game import Chart
from companion.games.kartel.cards import COLOURS, DECK


def charts(table: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Draw what was won, money included."""
    won = {
        int(seat): [DECK[card].colour for card in (*held["open"], *held["closed"])]
        for seat, held in table["holdings"].items()
    }
    tokens = {seat: tuple(colours.count(colour) for colour in COLOURS) for seat, colours in won.items()}
    brought = {
        int(seat): {gang["colour"]: gang["points"] for gang in held["gangs"]}
        for seat, held in table["holdings"].items()
    }
    worth = {seat: tuple(points.get(colour) for colour in COLOURS) for seat, points in brought.items()}
    columns = tuple({"colour": colour} for colour in COLOURS)
    return Chart("worth", "dots", columns, worth), Chart("tokens", "bars", columns, tokens)
