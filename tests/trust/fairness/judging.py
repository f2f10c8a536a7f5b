"""What the table says of two presses: the real table, from the driver's word to the judge's."""

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from companion.config import Table
from companion.devices.sensing import Buzzed
from companion.events import Player
from companion.game import Ruling
from tests.web.table import living

_PEOPLE = tuple(Player(seat, f"Seat {seat}") for seat in range(1, 7))
_BEFORE_S = 1.0
"""The start comes so long before the shouts: half a second nothing is heard."""


class Verdict(StrEnum):
    """Who was first, says the judge."""

    RIGHT = "right"
    DEAD_HEAT = "dead heat"
    WRONG = "wrong"


Judge = Callable[[int, Sequence[Buzzed]], tuple[Verdict, float]]
"""Judge two presses, of which this seat's was first: the verdict, and that seat's lead as it is told, in seconds."""


@contextlib.contextmanager
def judging(folder: Path, table: Table, options: dict[str, float], chance: random.Random) -> Iterator[Judge]:
    """Return a judge. Every round is a match of its own; who hears of the later press first is a matter of chance."""
    with living(folder, clock=lambda: 0.0, press_window=0.0, apart=table.apart) as live:

        def judge(first: int, told: Sequence[Buzzed]) -> tuple[Verdict, float]:
            live.begin("stop-it", _PEOPLE, options)
            live.tell(Buzzed(first, min(press.at for press in told) - _BEFORE_S, 0.0, ""))
            for press in chance.sample(told, len(told)):
                live.tell(press)
            ruling = live.ask(lambda match: match.public[-1])
            assert isinstance(ruling, Ruling)
            return _verdict(first, ruling)

        yield judge


def _verdict(first: int, ruling: Ruling) -> tuple[Verdict, float]:
    facts = ruling.facts
    margin = ruling.facts["margin"] / 1e6
    match ruling.code:
        case "dead-heat":
            return Verdict.DEAD_HEAT, margin
        case "shouted-earlier":
            right = facts["seat"] == first
        case "shouted-later":
            right = facts["other"] == first
        case other:
            raise AssertionError(other)
    return (Verdict.RIGHT, margin) if right else (Verdict.WRONG, -margin)
