"""A reading twice is neither a misplay nor an act."""

import pytest

from tests.games.kartel.table import BOSSES, BOX, Table, ring


@pytest.mark.parametrize("spot", [1, "centre"])
@pytest.mark.parametrize("token", ["red-3", "red-money", "red-boss"])
def test_a_token_read_twice_is_one_act(spot: int | str, token: str) -> None:
    table = Table()
    table.tap(spot, token)
    before = table.sees()
    table.tap(spot, token, token)
    assert table.sees() == before
    assert table.misplays == []
    assert table.turn == [2]


@pytest.mark.parametrize(("first", "second"), [(1, "centre"), ("centre", 1)])
@pytest.mark.parametrize("token", ["red-3", "red-money", "red-boss"])
def test_a_token_sensed_at_the_seat_and_at_the_centre_is_one_act(
    first: int | str, second: int | str, token: str
) -> None:
    table = Table()
    table.tap(first, token)
    before = table.sees()
    table.tap(second, token)
    assert table.sees() == before
    assert table.misplays == []
    assert table.turn == [2]


@pytest.mark.parametrize("first", ["prison", "centre", 1])
@pytest.mark.parametrize("second", ["prison", "centre", 1])
@pytest.mark.parametrize("third", ["prison", "centre", 1])
def test_a_boss_on_his_way_to_the_prison_is_jailed_once(first: int | str, second: int | str, third: int | str) -> None:
    table = Table()
    for spot in (first, second, third):
        table.tap(spot, "red-boss")
    assert table.misplays == []
    assert table.turn == [2]


@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3), (6, 5, 4, 3)])
def test_the_turn_went_on_only_once(seats: tuple[int, ...]) -> None:
    table = Table(*seats)
    first, second = seats[:2]
    table.tap("centre", "red-3", "red-3")
    table.tap(first, "red-3")
    table.tap("centre", "red-1", "red-1")
    assert table.misplays == []
    assert table.points[first] == -3
    assert table.points[second] == -1


def test_a_token_taken_at_the_centre_is_not_the_next_players() -> None:
    table = Table()
    table.tap("centre", "red-3")
    wrong = table.tap(2, "red-3")
    assert table.misplays == [wrong]
    assert table.points == {1: -3, 2: 0, 3: 0}
    assert table.turn == [2]


@pytest.mark.parametrize("pad", ["prison", "row", "discard"])
def test_a_token_taken_is_not_sensed_at_another_pad(pad: str) -> None:
    table = Table()
    table.tap(1, "red-3")
    assert table.tap(pad, "red-3") in table.misplays


def test_a_token_that_still_lies_there_is_read_twice_after_the_next_act() -> None:
    table = Table()
    table.tap(1, "red-3")
    table.tap(2, "green-3")
    table.tap(1, "red-3")
    assert table.misplays == []
    assert table.turn == [3]


def test_a_token_that_still_lies_there_is_read_twice_after_a_misplay() -> None:
    table = Table()
    table.tap(1, "red-3")
    wrong = table.tap(2, "red-3")
    table.tap(1, "red-3")
    assert table.misplays == [wrong]
    assert table.turn == [2]


def test_a_boss_that_still_lies_in_prison_is_read_twice_after_the_next_act() -> None:
    table = Table()
    table.tap("prison", "red-boss")
    table.tap(2, "green-3")
    table.tap("prison", "red-boss")
    assert table.misplays == []
    assert table.turn == [3]


def test_a_token_is_read_twice_until_its_players_next_turn() -> None:
    table = Table(1, 2, 3, 4)
    table.tap(1, "red-3")
    for seat, token in ((2, "green-1"), (3, "green-3")):
        table.tap(seat, token)
        table.tap(1, "red-3")
    assert table.misplays == []
    table.tap(4, "blue-3")
    assert table.tap(1, "red-3") in table.misplays
    assert table.turn == [1]


def test_in_a_later_round_a_token_is_not_won_again_where_it_lies() -> None:
    table = Table()
    table.tap(1, "red-3")
    table.tap(2, "green-3")
    table.tap(3, "blue-3")
    wrong = table.tap(1, "red-3")
    assert table.misplays == [wrong]
    assert table.turn == [1]


def test_a_jailed_boss_at_a_seat_long_after_is_no_reading_twice() -> None:
    table = Table()
    table.tap("prison", "red-boss")
    table.play("red-1", "red-3", "green-1", "green-3", "blue-1")
    wrong = table.tap(1, "red-boss")
    assert table.misplays == [wrong]
    assert table.turn == [1]


def test_lifting_does_not_make_it_another_act() -> None:
    table = Table()
    table.tap(1, "red-3")
    table.lift(1, "red-3")
    table.tap(1, "red-3")
    assert table.misplays == []
    assert table.turn == [2]


def test_the_fifth_boss_is_read_twice_after_the_end() -> None:
    table = Table()
    table.play(*BOSSES[:5])
    table.tap("centre", BOSSES[4])
    table.tap("prison", BOSSES[4])
    assert table.misplays == []
    assert table.over


@pytest.mark.parametrize(("first", "second"), [(2, "prison"), ("prison", 2), ("centre", 2), (2, "centre")])
def test_the_fifth_boss_sensed_at_the_seat_and_in_the_prison_ends_it_once(first: int | str, second: int | str) -> None:
    table = Table()
    table.play(*BOSSES[:4])
    table.tap(first, BOSSES[4])
    table.tap(second, BOSSES[4])
    assert table.misplays == []
    assert table.over


# A misplayed tap.


@pytest.mark.parametrize(
    ("spot", "card"),
    [(2, "red-3"), (2, "red-boss"), ("row", "red-3"), ("prison", "red-3"), (1, "gangster-3"), (5, "red-1")],
)
def test_a_misplayed_tap_read_twice_is_one_misplay(spot: int | str, card: str) -> None:
    table = Table()
    wrong = table.tap(spot, card)
    table.tap(spot, card, card)
    assert table.misplays == [wrong]
    assert table.turn == [1]


def test_another_misplay_in_between_makes_it_a_misplay_again() -> None:
    table = Table()
    wrong = [table.tap(2, "red-3"), table.tap(3, "green-3"), table.tap(2, "red-3")]
    assert table.misplays == wrong


def test_a_misplayed_tap_put_its_token_nowhere() -> None:
    table = Table()
    wrong = [table.tap(3, "red-3")]
    table.tap(1, "green-3")
    wrong.append(table.tap(3, "red-3"))
    table.tap(2, "blue-3")
    table.tap(3, "red-3")
    assert table.misplays == wrong
    assert table.points == {1: -3, 2: -3, 3: -3}


def test_a_second_token_in_a_turn_is_the_next_turns_when_it_comes() -> None:
    table = Table(1, 2)
    table.tap(1, "red-3")
    wrong = table.tap(1, "green-3")
    table.tap(2, "blue-3")
    table.tap(1, "green-3")
    assert table.misplays == [wrong]
    assert table.points == {1: -6, 2: -3}


# At a ring.


def test_the_ring_at_the_centre_is_no_first_reading_of_what_is_won_there() -> None:
    table = ring()
    table.move(1, 3, BOX[2], "centre")
    assert table.rollers == [2]
    assert table.points[1] == -1


def test_the_last_token_of_the_ring_is_won_at_the_centre_too() -> None:
    box = [card for card in BOX if card != "red-3"]
    table = ring(*box, "red-3", seats=(1, 2))
    for at, card in enumerate(box[3:41:4]):
        table.move(1 + at % 2, 4, card)
    table.move(1, 4, "red-3", "centre")
    assert table.rollers == [2]
    assert table.misplays == []


@pytest.mark.parametrize("second", [1, "centre"])
def test_a_token_won_is_read_twice_before_and_after_the_next_die(second: int | str) -> None:
    table = ring()
    table.move(1, 3, BOX[0], "centre")
    table.tap(second, BOX[0])
    table.roll(2, 3)
    table.tap("centre", BOX[0])
    assert table.misplays == []
    assert table.reach == set(BOX[1:4])


def test_the_last_token_of_the_ring_is_read_twice_after_done_too() -> None:
    table = ring()
    table.tap("centre", BOX[-1])
    assert table.misplays == []
    assert table.rollers == [1]


def test_an_earlier_token_of_the_ring_is_not_read_twice_after_done() -> None:
    table = ring()
    assert table.tap("centre", BOX[0]) in table.misplays
    assert table.rollers == [1]
