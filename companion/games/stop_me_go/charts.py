"""What is worth drawing of a match of STOP me GO: who captured whom, and how the tokens were won.

Captures and the number of tokens are public; what a token is worth is not here.
"""

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from companion.game import Chart
from companion.games.stop_me_go.cards import DECK


def charts(table: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Draw the rounds whose token is taken."""
    rounds = table["rounds"]
    columns = tuple({"number": number} for number in range(1, len(rounds) + 1))
    seats = [int(seat) for seat in table["tokens"]]
    captured = {seat: tuple(_value(entry["owned"][str(seat)]) for entry in rounds) for seat in seats}
    tokens = {seat: tuple(accumulate(int(entry["won"]["seat"] == seat) for entry in rounds)) for seat in seats}
    return (Chart("captured", "bars", columns, captured), Chart("tokens", "lines", columns, tokens))


def _value(gangster: str | None) -> int | None:
    return DECK[gangster].value if gangster else None
