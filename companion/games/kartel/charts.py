"""What is worth drawing of a match of Kartel: everybody's tokens by colour. Nothing is sealed."""

from collections.abc import Mapping
from typing import Any

from companion.game import Chart
from companion.games.kartel.cards import COLOURS, DECK


def charts(table: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Draw the tokens that were won, money included."""
    won = {
        int(seat): [DECK[card].colour for card in (*held["open"], *held["closed"])]
        for seat, held in table["holdings"].items()
    }
    tokens = {seat: tuple(colours.count(colour) for colour in COLOURS) for seat, colours in won.items()}
    return (Chart("tokens", "bars", tuple({"colour": colour} for colour in COLOURS), tokens),)
