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


@pytest.mark.parametrize(
    ("acts", "points", "turn"),
    [
        pytest.param("!2:red-boss !3:red-boss", (0, 0, 0), 1, id="nobody jails one out of turn"),
        pytest.param("!discard:red-boss !row:red-boss", (0, 0, 0), 1, id="no other pad is the prison"),
        pytest.param("1:red-3 !3:red-boss", (-3, 0, 0), 2, id="a boss refused is still free"),
        pytest.param("1:red-3 !3:red-boss 2:red-boss", (3, 0, 0), 3, id="and jailed when the turn comes"),
        pytest.param("prison:red-boss !1:red-1", (0, 0, 0), 2, id="a boss takes the turn"),
        pytest.param("prison:red-boss !2:red-boss", (0, 0, 0), 2, id="he is not jailed again by the next"),
        pytest.param("1:red-1 2:red-2a 3:red-3 1:green-2a 2:red-money", (-3, 1, -3), 3, id="before a gang is jailed"),
        pytest.param(
            *("1:red-1 2:red-2a 3:red-3 1:green-2a 2:red-money 3:red-boss", (-1, 2, 3), 1),
            id="every player's gang is turned",
        ),
        pytest.param("1:red-boss 2:red-2b 3:red-money", (0, 2, 0), 1, id="what is won of it later is turned at once"),
        pytest.param(
            "1:red-boss 2:red-3 3:red-1 !3:blue-2a 1:red-money", (0, 3, 1), 2, id="a boss is nobody's token, ka-18"
        ),
    ],
)
def test_a_boss(acts: str, points: tuple[int, ...], turn: int) -> None:
    table = Table()
    table.acts(acts)
    assert tuple(table.points.values()) == points
    assert table.turn == [turn]


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
    table.acts(f"prison:red-boss 2:green-1 3:green-3 1:red-3 2:yellow-1 3:yellow-3 !{spot}:red-boss")
    assert table.turn == [1]


# The end.


@pytest.mark.parametrize("free", [*itertools.combinations(BOSSES, 2)][::4])
def test_any_five_bosses_end_it_and_four_do_not(free: tuple[str, str]) -> None:
    table = Table()
    *four, fifth = (boss for boss in BOSSES if boss not in free)
    table.play(*four)
    assert (table.over, table.winners, table.turn) == (False, [], [2])
    table.play(fifth)
    assert table.over


@pytest.mark.parametrize("spot", ["prison", "centre", 1])
def test_the_fifth_boss_ends_it_at_once_wherever_he_is_tapped(spot: int | str) -> None:
    table = Table(1, 2, 3, 4)
    table.play(*BOSSES[:4])
    table.acts(f"!2:{BOSSES[4]}")
    assert not table.over
    table.acts(f"{spot}:{BOSSES[4]}")
    assert table.over


def test_the_fifth_boss_ends_it_in_the_middle_of_the_round() -> None:
    """The worked example ka-07."""
    table = Table(1, 2, 3, 4)
    table.acts("prison:red-boss 2:green-boss 3:red-2a 4:green-3 1:orange-1 2:blue-boss 3:red-1 4:blue-money")
    table.acts("prison:yellow-boss")
    assert not table.over
    table.acts("2:violet-boss")
    assert table.over
    assert table.points == {1: -1, 2: 0, 3: 3, 4: 3}
    assert table.winners == [3, 4]


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
    table.acts(f"!2:green-3 !prison:{BOSSES[5]} !1:red-2a !1:green-3 !2:roll=3 !host:done !4:green-3 !1:gangster-3")
    late = [table.say("host", "hello"), table.press(1), table.elapse("supper")]
    assert table.misplays[-3:] == late
    assert table.points == scores
    assert table.winners == [2]


@pytest.mark.parametrize("act", ["1:red-1", "1:red-2a", f"1:{BOSSES[0]}", "2:orange-3"])
def test_a_token_at_the_wrong_place_after_the_end_is_a_misplay(act: str) -> None:
    table = Table(1, 2, 3)
    table.play("green-1", "red-1", "red-2a", *BOSSES[:5])
    table.acts(f"!{act}")
    assert table.over
