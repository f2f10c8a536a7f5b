"""Taking an event back: it counts as never having happened, and everything after it is judged again."""

import pytest

from tests.games.kartel.table import BOSSES, BOX, Table, ring


def test_a_token_taken_back_in_the_middle_leaves_the_next_player_out_of_turn() -> None:
    table = Table()
    table.tap(1, "red-1")
    middle = table.tap(2, "red-2a")
    after = table.tap(3, "red-3")
    table.retract(middle)
    assert table.misplays == [after]
    assert table.points == {1: -1, 2: 0, 3: 0}
    table.tap(2, "red-2b")
    table.tap(3, "red-3")
    assert table.points == {1: -1, 2: -2, 3: -3}


def test_a_token_taken_back_in_the_middle_moves_what_was_won_at_the_centre() -> None:
    table = Table()
    table.play("red-1")
    middle = table.play("red-2a")
    table.play("red-3", "green-1")
    table.retract(middle)
    assert table.points == {1: -1, 2: -3, 3: -1}
    assert table.turn == [1]
    assert table.misplays == []


def test_a_boss_taken_back_lets_what_came_after_the_end_stand() -> None:
    table = Table(1, 2)
    boss = table.play(BOSSES[0])
    table.play(*BOSSES[1:5])
    late = table.play("blue-1")
    assert table.misplays == [late]
    table.retract(boss)
    assert table.misplays == []
    assert table.points == {1: 1, 2: 0}
    assert not table.over


def test_of_a_token_read_twice_the_second_reading_stands_for_the_first() -> None:
    table = Table()
    first = table.tap(1, "red-3")
    table.tap(1, "red-3")
    table.retract(first)
    assert table.points[1] == -3
    assert table.turn == [2]
    assert table.misplays == []


@pytest.mark.parametrize("die", [2, 3, 4])
def test_at_a_ring_a_token_taken_back_lies_where_it_lay(die: int) -> None:
    table = ring()
    table.acts(f"1:roll=4 1:{BOX[2]} 2:roll={die}")
    table.retract(table.tap(2, BOX[4]))
    assert table.reach == set(BOX[3 : 3 + die])


def test_at_a_ring_a_die_taken_back_takes_the_token_with_it() -> None:
    table = ring()
    die = table.roll(1, 3)
    later = [table.tap(1, BOX[2]), table.roll(2, 3), table.tap(2, BOX[3])]
    table.retract(die)
    assert table.misplays == later
    assert table.rollers == [1]
