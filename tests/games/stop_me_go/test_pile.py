"""The pile of gangsters, and what happens when it is empty."""

import pytest

from tests.games.stop_me_go.table import GANGSTERS, Table
from tests.games.table import cases

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


def test_eager_the_last_gangster_makes_the_pile_anew() -> None:
    table = fled(6, reshuffle="eager")
    table.gangster(10)
    assert table.verdict == "turned-up card=gangster-10; reshuffled-at-once"


@cases(
    "reshuffle, drawn, pile",
    ("lazy", "lazy", (7, 6, 5, 4, 3, 2, 1), [4, 5, 6, 7, 8, 9, 10]),
    # 3, 2, 1 lie there; 7 to 10, 6 and 5 had fled when the 1 was drawn, 4 has fled since.
    ("eager", "eager", (6, 5, 4, 3, 2, 1), [5, 6, 7, 8, 9, 10]),
)
def test_the_second_pile_lasts_until_it_is_empty(reshuffle: str, drawn: tuple[int, ...], pile: list[int]) -> None:
    table = fled(7, reshuffle=reshuffle)
    for number in drawn:
        assert number in table.awaited
        table.misdeed(number)
        table.flip()
        assert number not in table.awaited
    assert (table.awaited, table.misplays) == (pile, [])


@both
def test_a_pile_does_not_reach_into_the_next_round(reshuffle: str) -> None:
    """Not even three gangsters discarded at the end of a round."""
    table = fled(7, reshuffle=reshuffle)
    table.misdeed(5, 1)
    while not table.takers:
        table.flip()
        if table.waits == "misdeed":
            table.misdeed(table.awaited[0])
    table.token(1)
    assert table.awaited == list(GANGSTERS)
    for number in GANGSTERS:
        if number > 4:
            table.flip()
        assert table.awaited == list(range(number, 11))
        table.misdeed(number)
