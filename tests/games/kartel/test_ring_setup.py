"""The ring, told before the first turn."""

import pytest

from tests.games.kartel.table import BOX, MONEY, YOUNG, Table, ring, ring_of


def laid(*ring_tokens: str, seats: tuple[int, ...] = (), **options: object) -> Table:
    """A ring that is tapped so far."""
    table = Table(*seats, ring=True, **options)
    table.tap("centre", *ring_tokens)
    return table


@pytest.mark.parametrize("by", [1, 2, 3, "host"])
def test_the_ring_is_done_when_every_token_was_tapped(by: int | str) -> None:
    table = laid(*BOX)
    table.done(by)
    assert table.rollers == [1]
    assert table.misplays == []
    assert table.points == {1: 0, 2: 0, 3: 0}


def test_done_may_come_with_a_null() -> None:
    table = laid(*BOX)
    table.say(1, "ring-done", None)
    assert table.rollers == [1]
    assert table.misplays == []


def test_the_ring_is_not_done_before_it_is_said() -> None:
    table = laid(*BOX)
    assert table.rollers == []
    assert table.roll(1, 3) in table.misplays


@pytest.mark.parametrize("missing", ["red-boss", "blue-1", "turquoise-money"])
def test_with_a_token_missing_the_ring_is_not_done(missing: str) -> None:
    table = laid(*(card for card in BOX if card != missing))
    early = table.done()
    assert table.rollers == []
    table.tap("centre", missing)
    assert table.rollers == []
    table.done()
    assert table.rollers == [1]
    assert table.misplays == [early]


def test_an_empty_ring_is_not_done() -> None:
    table = Table(ring=True)
    assert table.done() in table.misplays
    assert table.rollers == []


def test_the_ring_is_done_once() -> None:
    table = ring()
    again = table.done()
    table.roll(1, 2)
    and_again = table.done(1)
    assert table.misplays == [again, and_again]
    assert table.reach == set(BOX[:2])


def test_a_token_of_the_ring_is_nobodys() -> None:
    table = laid(*BOX[:20])
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.misplays == []


@pytest.mark.parametrize("spot", [1, 2, "prison", "row", "discard"])
@pytest.mark.parametrize("card", ["red-1", "red-boss"])
def test_the_ring_is_tapped_at_the_centre(spot: int | str, card: str) -> None:
    table = Table(ring=True)
    wrong = table.tap(spot, card)
    table.tap("centre", *(other for other in BOX if other != card))
    early = table.done()
    assert table.misplays == [wrong, early]
    table.tap("centre", card)
    table.done()
    assert table.rollers == [1]


def test_a_token_read_twice_is_in_the_ring_once() -> None:
    table = Table(ring=True)
    table.tap("centre", "red-1", "red-1", *BOX[1:4], "red-1", *BOX[4:])
    table.done()
    table.move(1, 4, BOX[3])
    table.roll(2, 4)
    assert table.misplays == []
    assert table.reach == set(BOX[4:8])


def test_a_token_read_twice_replaces_no_missing_one() -> None:
    table = laid(*BOX[:-1], BOX[-2])
    assert table.done() in table.misplays
    assert table.rollers == []


def test_no_die_before_the_ring_is_done() -> None:
    table = laid(*BOX[:7])
    early = table.roll(1, 3)
    table.tap("centre", *BOX[7:])
    table.done()
    assert table.misplays == [early]
    assert table.rollers == [1]
    assert table.reach == set()


def test_without_money_the_ring_has_35_tokens() -> None:
    table = laid(*YOUNG, money=False)
    table.done()
    assert table.rollers == [1]
    assert table.misplays == []


@pytest.mark.parametrize("card", MONEY)
def test_without_money_no_money_lies_in_the_ring(card: str) -> None:
    table = laid(card, *YOUNG, money=False)
    table.done()
    table.roll(1, 2)
    assert table.misplays == [2]
    assert table.reach == set(YOUNG[:2])


def test_without_money_34_tokens_are_too_few() -> None:
    table = laid(*YOUNG[1:], MONEY[0], money=False)
    wrong = len(table.match.events)
    early = table.done()
    assert table.misplays == [wrong, early]


def test_with_money_35_tokens_are_too_few() -> None:
    table = laid(*YOUNG)
    assert table.done() in table.misplays


def test_a_foreign_card_is_no_part_of_the_ring() -> None:
    table = laid(*BOX[:10])
    wrong = [table.tap("centre", "gangster-3"), table.tap("centre", "?", tag="04:11"), table.tap(5, "red-boss")]
    table.tap("centre", *BOX[10:])
    table.done()
    assert table.misplays == wrong
    assert table.rollers == [1]


def test_a_token_taken_back_and_tapped_again_comes_later() -> None:
    table = Table(ring=True)
    misread = table.tap("centre", "red-boss")
    table.tap("centre", "green-3")
    table.retract(misread)
    table.tap("centre", *(card for card in ring_of("blue-1") if card not in ("green-3", "red-boss")), "red-boss")
    table.done()
    table.roll(1, 2)
    assert table.reach == {"green-3", "blue-1"}
    assert table.misplays == []


def test_a_ring_whose_token_is_taken_back_is_not_done_any_more() -> None:
    table = Table(ring=True)
    table.tap("centre", *BOX)
    third = 4
    done = table.done()
    roll = table.roll(1, 3)
    table.retract(third)
    assert table.misplays == [done, roll]
    table.tap("centre", BOX[2])
    table.done()
    table.roll(1, 4)
    assert table.reach == {BOX[0], BOX[1], BOX[3], BOX[4]}


def test_without_a_ring_a_token_at_the_centre_is_won() -> None:
    table = Table(ring=False)
    table.tap("centre", "red-3")
    assert table.points[1] == -3


def test_without_a_ring_there_is_none_to_be_done() -> None:
    table = Table()
    wrong = table.done()
    table.tap(1, "red-3")
    assert table.misplays == [wrong]
    assert table.points[1] == -3
