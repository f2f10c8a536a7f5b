"""The ring, told before the first turn."""

import pytest

from tests.games.kartel.table import BOX, MONEY, YOUNG, Table, ring, ring_of


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
    table.acts(f"!1:roll=3 {by}:done")
    assert table.rollers == [1]
    assert table.points == {1: 0, 2: 0, 3: 0}


def test_done_may_come_with_a_null() -> None:
    table = laid(*BOX)
    table.say(1, "ring-done", None)
    assert table.rollers == [1]
    assert table.misplays == []


@pytest.mark.parametrize("missing", ["red-boss", "blue-1", "turquoise-money"])
def test_with_a_token_missing_the_ring_is_not_done(missing: str) -> None:
    table = laid(*(card for card in BOX if card != missing))
    table.acts("!host:done")
    assert table.rollers == []
    table.acts(f"centre:{missing} host:done")
    assert table.rollers == [1]


@pytest.mark.parametrize(
    ("tokens", "money"),
    [
        pytest.param((), True, id="an empty ring"),
        pytest.param((*BOX[:-1], BOX[-2]), True, id="a token read twice replaces no missing one"),
        pytest.param(YOUNG, True, id="35 with money"),
        pytest.param(YOUNG[1:], False, id="34 without money"),
    ],
)
def test_too_few_tokens_are_not_done(tokens: tuple[str, ...], money: bool) -> None:
    table = laid(*tokens, money=money)
    table.acts("!host:done")
    assert table.rollers == []


def test_the_ring_is_done_once() -> None:
    table = ring()
    table.acts("!host:done 1:roll=2 !1:done")
    assert table.reach == set(BOX[:2])


@pytest.mark.parametrize("spot", [1, 2, "prison", "row", "discard"])
@pytest.mark.parametrize("card", ["red-1", "red-boss"])
def test_the_ring_is_tapped_at_the_centre(spot: int | str, card: str) -> None:
    table = Table(ring=True)
    table.acts(f"!{spot}:{card}")
    table.tap("centre", *(other for other in BOX if other != card))
    table.acts(f"!{spot}:{card} !host:done centre:{card} host:done")
    assert table.rollers == [1]


def test_a_token_read_twice_is_in_the_ring_once() -> None:
    table = laid("red-1", "red-1", *BOX[1:4], "red-1", *BOX[4:])
    table.acts(f"host:done 1:roll=4 1:{BOX[3]} 2:roll=4")
    assert table.reach == set(BOX[4:8])


def test_a_token_of_the_ring_is_nobodys_and_no_die_is_rolled_before_it_is_done() -> None:
    table = laid(*BOX[:7])
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.acts("!1:roll=3")
    table.tap("centre", *BOX[7:])
    table.done()
    assert table.rollers == [1]
    assert table.reach == set()


@pytest.mark.parametrize("card", MONEY)
def test_without_money_no_money_lies_in_the_ring(card: str) -> None:
    table = laid(card, *YOUNG, money=False)
    assert table.misplays == [2]
    table.acts("host:done 1:roll=2")
    assert table.reach == set(YOUNG[:2])


def test_a_token_taken_back_and_tapped_again_comes_later() -> None:
    table = Table(ring=True)
    misread = table.tap("centre", "red-boss")
    table.tap("centre", "green-3")
    table.retract(misread)
    table.tap("centre", *(card for card in ring_of("blue-1") if card not in ("green-3", "red-boss")), "red-boss")
    table.acts("host:done 1:roll=2")
    assert table.reach == {"green-3", "blue-1"}


def test_a_ring_whose_token_is_taken_back_is_not_done_any_more() -> None:
    table = laid(*BOX)
    third = 4
    late = [table.done(), table.roll(1, 3)]
    table.retract(third)
    assert table.misplays == late
    table.acts(f"centre:{BOX[2]} host:done 1:roll=4")
    assert table.reach == {BOX[0], BOX[1], BOX[3], BOX[4]}


def test_without_a_ring_a_token_at_the_centre_is_won_and_there_is_none_to_be_done() -> None:
    table = Table(ring=False)
    table.acts("!host:done centre:red-3")
    assert table.points[1] == -3
