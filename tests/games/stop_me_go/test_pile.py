"""The pile of gangsters, and what happens when it is empty."""

import pytest

from companion.kit.table_for_tests import cases
from tests.games.stop_me_go.table import Table

both = pytest.mark.parametrize("reshuffle", ["lazy", "eager"])


def fled(flights: int, **options: str) -> Table:
    """Everybody lays GO; gangsters 1, 2, 3 … come, and 1, 2, 3 … have fled, so many of them."""
    table = Table(1, 2, **options)
    for number in range(1, flights + 4):
        if number > 4:
            table.flip()
        table.misdeed(number)
    table.flip()
    return table


@both
@pytest.mark.parametrize("flights", range(1, 7))
def test_while_the_pile_lasts_no_gangster_comes_back(flights: int, reshuffle: str) -> None:
    assert fled(flights, reshuffle=reshuffle).awaited == list(range(flights + 4, 11))


@cases(
    "options, verdict, pile",
    ("as its cards are needed", {}, "fled-nobody card=gangster-7; reshuffled", [1, 2, 3, 4, 5, 6, 7]),
    ("eager, at once", {"reshuffle": "eager"}, "fled-nobody card=gangster-7", [1, 2, 3, 4, 5, 6]),
)
def test_the_pile_is_made_anew(options: dict[str, str], verdict: str, pile: list[int]) -> None:
    """Of all seven that do not lie there; eager, the one that flees next is not among them."""
    table = fled(7, **options)
    assert (table.verdict, table.awaited) == (verdict, pile)
    assert table.view["discard"] == (["gangster-7"] if options else [])
