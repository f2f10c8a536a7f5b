"""A hand tapped in haste at readers with slow radios: every card counts, or the last one is asked for again."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from companion.devices.sensing import Appeared, Hurried
from tests.devices.readers import SIX, Table, count, on_i2c, on_spi, on_uart, uids

HAND = [f"04{number:012X}" for number in range(100, 112)]


def tapping(table: Table, place: str) -> Iterator[float]:
    yield 1.03  # the polls are not in step with the hand
    for uid in HAND:
        table.chips[place].put(uid)
        yield 0.4
        table.chips[place].take(uid)
        yield 0.1
    yield 3.0


@pytest.mark.parametrize("begin", [on_uart, on_spi, on_i2c])
@pytest.mark.parametrize("radio", [0.03, 0.05, 0.07])
def test_of_twelve_cards_at_two_a_second_none_is_lost_in_silence(begin: Callable[..., Table], radio: float) -> None:
    with begin(turns="pads", radio=radio).set_up() as table:
        polls: list[float] = []
        table.chips[SIX[0]].looked = lambda _: polls.append(table.time.now)
        over: list[bool] = []

        def play() -> Iterator[float]:
            yield from tapping(table, SIX[0])
            over.append(True)

        table.time.go(play())
        table.until(lambda: over, within=60.0)
        sparse = max(later - earlier for earlier, later in pairwise(polls[2:]))
    counted = uids(table.told, Appeared)
    assert counted == HAND or (sparse > 0.35 and count(table.told, Hurried) and counted == sorted(set(counted)))
