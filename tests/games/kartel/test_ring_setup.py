"""The ring, told before the first turn."""

import pytest

from companion.kit.table_for_tests import cases
from tests.games.kartel.table import BOX, YOUNG, Table


def laid(*ring_tokens: str, **options: object) -> Table:
    """A ring that is tapped so far."""
    table = Table(ring=True, **options)
    table.tap("centre", *ring_tokens)
    return table


@pytest.mark.parametrize("by", [1, 2, 3, "host"])
@pytest.mark.parametrize(("box", "money"), [(BOX, True), (YOUNG, False)], ids=["42 tokens", "35 without money"])
def test_the_ring_is_done_when_every_token_was_tapped_and_that_is_said(
    by: int | str, box: tuple[str, ...], money: bool
) -> None:
    table = laid(*box, money=money)
    assert table.rollers == []
    table.acts(f"!1: roll 3; {by}: done")
    assert table.rollers == [1]
    assert table.points == {1: 0, 2: 0, 3: 0}


@cases(
    "tokens, money",
    ("an empty ring", (), True),
    ("a token read twice replaces no missing one", (*BOX[:-1], BOX[-2]), True),
    ("35 with money", YOUNG, True),
    ("34 without money", YOUNG[1:], False),
)
def test_too_few_tokens_are_not_done(tokens: tuple[str, ...], money: bool) -> None:
    table = laid(*tokens, money=money)
    table.acts("!host: done")
    assert table.rollers == []


@pytest.mark.parametrize("spot", [1, 2, "prison", "row", "discard"])
@pytest.mark.parametrize("card", ["red-1", "red-boss"])
def test_the_ring_is_tapped_at_the_centre(spot: int | str, card: str) -> None:
    table = Table(ring=True).acts(f"!{spot}: {card}")
    table.tap("centre", *(other for other in BOX if other != card))
    table.acts(f"!{spot}: {card}; !host: done; centre: {card}; host: done")
    assert table.rollers == [1]
