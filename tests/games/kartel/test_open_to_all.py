"""Nothing is sealed in Kartel: everybody sees the same, and all that was won."""

from collections.abc import Callable

import pytest

from tests.games.kartel.table import BOSSES, BOX, Table, ring
from tests.games.table import EVERYBODY

Acts = Callable[[Table], object]


def after(acts: Acts) -> str:
    table = Table()
    acts(table)
    (seen,) = {table.sees(who) for who in EVERYBODY}
    return seen


def test_everybody_sees_the_same_all_along() -> None:
    table = Table(ring=True)
    steps: list[Callable[[], object]] = [
        lambda: table.tap("centre", *BOX[:20]),
        lambda: table.done(),
        lambda: table.tap("centre", *BOX[20:]),
        lambda: table.tap(2, "red-3"),
        lambda: table.done(),
        lambda: table.tap(3, "red-3"),
        lambda: table.roll(2, 3),
        lambda: table.roll(1, 3),
        lambda: table.tap(1, BOX[7]),
        lambda: table.tap(1, BOX[2]),
        lambda: table.say(3, "hello"),
    ]
    for step in steps:
        step()
        assert len({table.sees(who) for who in EVERYBODY}) == 1


def test_everybody_sees_the_same_at_the_end() -> None:
    assert '"over": true' in after(lambda table: table.play("red-3", *BOSSES[:5]))


def test_it_is_seen_which_token_was_won() -> None:
    assert after(lambda table: table.tap(1, "red-2a")) != after(lambda table: table.tap(1, "red-1"))
    assert after(lambda table: table.tap(1, "red-2a")) != after(lambda table: table.tap(1, "green-2a"))


def test_it_is_seen_who_is_jailed() -> None:
    assert after(lambda table: table.tap(1, "red-boss")) != after(lambda table: table.tap(1, "green-boss"))
    assert "red-boss" in after(lambda table: table.tap(1, "red-boss"))


def test_an_open_token_is_seen_before_its_owner() -> None:
    tokens = ["red-3", "green-money", "blue-1", "red-2a"]
    seen = after(lambda table: table.play(*tokens))
    for token in tokens:
        assert token in seen


def test_the_die_is_seen() -> None:
    def at(die: int) -> str:
        table = ring()
        table.roll(1, die)
        return table.sees()

    assert at(2) != at(3)


@pytest.mark.parametrize("card", ["red-3", "red-money", "red-boss"])
def test_it_makes_no_difference_where_it_was_sensed(card: str) -> None:
    seat, centre = after(lambda table: table.tap(1, card)), after(lambda table: table.tap("centre", card))
    assert seat == centre


def test_it_makes_no_difference_whether_the_boss_was_sensed_in_the_prison() -> None:
    assert after(lambda table: table.tap(1, "red-boss")) == after(lambda table: table.tap("prison", "red-boss"))


@pytest.mark.parametrize("card", ["red-3", "red-boss"])
def test_it_makes_no_difference_who_told_it_nor_when(card: str) -> None:
    by_hand = after(lambda table: table.tap(1, card, by="phone", tag="04:11", at=4000.5))
    assert by_hand == after(lambda table: table.tap(1, card))


def test_a_reading_twice_is_not_seen() -> None:
    once = after(lambda table: table.play("red-3", "red-boss"))
    assert once == after(lambda table: table.play("red-3", "red-3", "red-boss", "red-boss"))


def test_what_was_taken_back_is_not_seen() -> None:
    def misread(table: Table) -> None:
        table.retract(table.tap(1, "red-3"))
        table.tap(1, "red-1")

    assert after(misread) == after(lambda table: table.tap(1, "red-1"))
