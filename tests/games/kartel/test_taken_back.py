"""Taking an event back: it counts as never having happened, and everything after it is judged again."""

import pytest

from tests.games.kartel.table import BOSSES, BOX, Table, ring


def test_a_token_taken_back_is_nobodys_and_its_turn_is_back() -> None:
    table = Table()
    token = table.tap(1, "red-3")
    table.retract(token)
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.turn == [1]
    table.tap(1, "red-3")
    assert table.points[1] == -3
    assert table.misplays == []


def test_the_token_itself_may_be_won_by_another_then() -> None:
    table = Table()
    table.tap(1, "green-1")
    token = table.tap(2, "red-3")
    table.retract(token)
    table.tap(2, "blue-1")
    table.tap(3, "red-3")
    assert table.points == {1: -1, 2: -1, 3: -3}
    assert table.misplays == []


def test_a_token_taken_back_in_the_middle_leaves_the_next_player_out_of_turn() -> None:
    table = Table()
    table.tap(1, "red-1")
    middle = table.tap(2, "red-2a")
    after = table.tap(3, "red-3")
    assert table.misplays == []
    table.retract(middle)
    assert table.misplays == [after]
    assert table.points == {1: -1, 2: 0, 3: 0}
    assert table.turn == [2]
    table.tap(2, "red-2b")
    table.tap(3, "red-3")
    assert table.points == {1: -1, 2: -2, 3: -3}


def test_a_token_taken_back_in_the_middle_moves_what_was_won_at_the_centre() -> None:
    table = Table()
    table.tap("centre", "red-1")
    middle = table.tap("centre", "red-2a")
    table.tap("centre", "red-3", "green-1")
    assert table.points == {1: -2, 2: -2, 3: -3}
    table.retract(middle)
    assert table.points == {1: -1, 2: -3, 3: -1}
    assert table.turn == [1]
    assert table.misplays == []


def test_a_boss_taken_back_is_free_again() -> None:
    table = Table()
    table.tap(1, "red-3")
    boss = table.tap("prison", "red-boss")
    assert table.points[1] == 3
    table.retract(boss)
    assert table.points[1] == -3
    assert table.turn == [2]
    table.tap("prison", "red-boss")
    assert table.points[1] == 3
    assert table.misplays == []


def test_the_fifth_boss_taken_back_opens_the_match_again() -> None:
    table = Table()
    table.play("red-3", *BOSSES[:4])
    fifth = table.play(BOSSES[4])
    late = table.tap(1, "blue-1")
    assert table.over
    assert table.misplays == [late]
    table.retract(fifth)
    assert not table.over
    assert table.winners == []
    assert table.turn == [3]
    assert table.misplays == [late]


def test_a_boss_taken_back_lets_what_came_after_the_end_stand() -> None:
    table = Table(1, 2)
    boss = table.play(BOSSES[0])
    table.play(*BOSSES[1:5])
    late = table.tap("centre", "blue-1")
    assert table.misplays == [late]
    table.retract(boss)
    assert table.misplays == []
    assert table.points == {1: 1, 2: 0}
    assert not table.over


def test_taking_back_can_be_taken_back() -> None:
    table = Table()
    token = table.tap(1, "red-3")
    back = table.retract(token)
    table.retract(back)
    assert table.points[1] == -3
    assert table.turn == [2]


def test_a_misplay_may_be_taken_back() -> None:
    table = Table()
    wrong = table.tap(2, "red-3")
    assert table.misplays == [wrong]
    table.retract(wrong)
    assert table.misplays == []
    assert table.sees() == Table().sees()


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
    table.move(1, 4, BOX[2])
    table.roll(2, die)
    wrong = table.tap(2, BOX[5])
    table.retract(wrong)
    token = table.tap(2, BOX[4])
    table.retract(token)
    assert table.reach == set(BOX[3 : 3 + die])


def test_at_a_ring_a_die_taken_back_takes_the_token_with_it() -> None:
    table = ring()
    die = table.roll(1, 3)
    token = table.tap(1, BOX[2])
    after = table.roll(2, 3)
    last = table.tap(2, BOX[3])
    table.retract(die)
    assert table.misplays == [token, after, last]
    assert table.rollers == [1]
    table.roll(1, 2)
    assert table.reach == set(BOX[:2])


def test_at_a_ring_a_token_replaced_by_another_moves_the_commissioner() -> None:
    table = ring()
    table.roll(1, 4)
    wrong = table.tap(1, BOX[3])
    table.retract(wrong)
    table.tap(1, BOX[0])
    table.roll(2, 3)
    assert table.reach == set(BOX[1:4])
    assert table.misplays == []
