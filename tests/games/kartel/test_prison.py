"""Bosses: where they are jailed, what that turns, and the fifth."""

import itertools

import pytest

from tests.games.kartel.table import BOSSES, COLOURS, Table


@pytest.mark.parametrize("boss", BOSSES)
@pytest.mark.parametrize("spot", ["prison", "centre", 1])
def test_a_boss_is_jailed_in_the_prison_at_the_centre_or_at_the_movers_seat(spot: int | str, boss: str) -> None:
    table = Table()
    table.tap(spot, boss)
    assert table.jailed == {boss}
    assert table.turn == [2]
    assert table.misplays == []


def test_a_boss_is_nobodys_token() -> None:
    """The worked example ka-18."""
    table = Table()
    table.tap(1, "red-boss")
    table.tap(2, "red-3")
    table.tap("centre", "red-1")
    second = table.tap(3, "blue-2a")
    table.tap(1, "red-money")
    assert table.points == {1: 0, 2: 3, 3: 1}
    assert table.misplays == [second]


@pytest.mark.parametrize("seat", [2, 3])
def test_nobody_jails_a_boss_out_of_turn(seat: int) -> None:
    table = Table()
    wrong = table.tap(seat, "red-boss")
    assert table.misplays == [wrong]
    assert table.turn == [1]
    assert table.jailed == set()


@pytest.mark.parametrize("pad", ["discard", "row"])
def test_no_other_pad_is_the_prison(pad: str) -> None:
    table = Table()
    wrong = table.tap(pad, "red-boss")
    assert table.misplays == [wrong]
    assert table.turn == [1]
    assert table.jailed == set()


def test_a_boss_refused_is_still_free() -> None:
    table = Table()
    table.tap(1, "red-3")
    wrong = table.tap(3, "red-boss")
    assert table.points[1] == -3
    table.tap(2, "red-boss")
    assert table.points[1] == 3
    assert table.misplays == [wrong]


def test_a_boss_takes_the_turn() -> None:
    table = Table()
    table.tap("prison", "red-boss")
    assert table.tap(1, "red-1") in table.misplays
    assert table.turn == [2]


def test_a_jailed_boss_turns_the_gang_of_every_player() -> None:
    table = Table()
    table.tap(1, "red-1")
    table.tap(2, "red-2a")
    table.tap(3, "red-3")
    table.tap(1, "green-2a")
    table.tap(2, "red-money")
    assert table.points == {1: -3, 2: 1, 3: -3}
    table.tap("prison", "red-boss")
    assert table.points == {1: -1, 2: 2, 3: 3}


def test_a_token_of_a_jailed_gang_is_turned_at_once() -> None:
    table = Table()
    table.tap("prison", "red-boss")
    table.tap(2, "red-2b")
    table.tap(3, "red-money")
    assert table.points == {1: 0, 2: 2, 3: 0}


@pytest.mark.parametrize("colour", COLOURS)
def test_a_jailed_boss_turns_no_other_gang(colour: str) -> None:
    table = Table(1, 2)
    table.play(*(f"{c}-{n}" for c in COLOURS if c != colour for n in ("1", "3")))
    before = table.points
    table.tap("prison", f"{colour}-boss")
    assert table.points == before


@pytest.mark.parametrize("spot", ["prison", "centre", 1])
def test_a_boss_is_jailed_only_once(spot: int | str) -> None:
    table = Table()
    table.tap("prison", "red-boss")
    table.tap(2, "green-1")
    table.tap(3, "green-3")
    table.tap(1, "red-3")
    table.tap(2, "yellow-1")
    table.tap(3, "yellow-3")
    wrong = table.tap(spot, "red-boss")
    assert table.misplays == [wrong]
    assert table.turn == [1]
    assert not table.over


def test_a_boss_jailed_by_another_is_not_jailed_again_next_turn() -> None:
    table = Table()
    table.tap("prison", "red-boss")
    wrong = table.tap(2, "red-boss")
    assert table.misplays == [wrong]
    assert table.turn == [2]


# The end.


def test_four_bosses_do_not_end_it() -> None:
    table = Table()
    table.play(*BOSSES[:4])
    assert not table.over
    assert table.winners == []
    assert table.turn == [2]


@pytest.mark.parametrize("free", list(itertools.combinations(BOSSES, 2))[::4])
def test_any_five_bosses_end_it(free: tuple[str, str]) -> None:
    table = Table()
    table.play(*(boss for boss in BOSSES if boss not in free))
    assert table.over


@pytest.mark.parametrize("spot", ["prison", "centre", 1])
def test_the_fifth_boss_ends_it_at_once_wherever_he_is_tapped(spot: int | str) -> None:
    table = Table(1, 2, 3, 4)
    table.play(*BOSSES[:4])
    table.tap(spot, BOSSES[4])
    assert table.over
    assert table.misplays == []


def test_the_fifth_boss_ends_it_in_the_middle_of_the_round() -> None:
    """The worked example ka-07."""
    table = Table(1, 2, 3, 4)
    table.tap("prison", "red-boss")
    table.tap(2, "green-boss")
    table.tap(3, "red-2a")
    table.tap(4, "green-3")
    table.tap(1, "orange-1")
    table.tap(2, "blue-boss")
    table.tap(3, "red-1")
    table.tap(4, "blue-money")
    table.tap("prison", "yellow-boss")
    assert not table.over
    table.tap(2, "violet-boss")
    assert table.over
    assert table.points == {1: -1, 2: 0, 3: 3, 4: 3}
    assert table.winners == [3, 4]
    assert table.misplays == []


def test_a_boss_refused_does_not_end_it() -> None:
    table = Table()
    table.play(*BOSSES[:4])
    wrong = table.tap(1, BOSSES[4])
    assert table.misplays == [wrong]
    assert not table.over


def test_the_fifth_boss_turns_his_gang_too() -> None:
    table = Table(1, 2)
    table.play("red-3", "green-1", "red-2a", *BOSSES[1:5])
    assert table.points == {1: -5, 2: 1}
    table.play("red-boss")
    assert table.points == {1: 5, 2: 1}
    assert table.winners == [1]


def test_everything_after_the_end_is_a_misplay() -> None:
    table = Table(1, 2)
    table.play("red-1", "red-2a", *BOSSES[:5])
    scores = table.points
    late = [
        table.tap(2, "green-3"),
        table.tap("prison", BOSSES[5]),
        table.tap("centre", BOSSES[6]),
        table.tap(1, "green-3"),
        table.roll(2, 3),
        table.done(),
        table.say("host", "hello"),
        table.press(1),
        table.elapse("supper"),
        table.tap(4, "green-3"),
        table.tap(1, "gangster-3"),
    ]
    assert table.misplays == late
    assert table.points == scores
    assert table.winners == [2]


@pytest.mark.parametrize("card", ["red-1", "red-2a", BOSSES[0]])
@pytest.mark.parametrize("spot", [1, 2])
def test_a_token_at_the_wrong_place_after_the_end_is_a_misplay(card: str, spot: int) -> None:
    table = Table(1, 2, 3)
    table.play("green-1", "red-1", "red-2a", *BOSSES[:5])
    late = table.tap(spot, "orange-3")
    anothers = table.tap(1, card)
    assert table.misplays == [late, anothers]
    assert table.over
