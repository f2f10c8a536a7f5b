"""The round's winner takes a token; three win, else all tokens' points."""

from typing import Any

import pytest

from tests.games.stop_me_go.table import GANGSTERS, Table, arrest, colours, won

# Taking a token.


@pytest.mark.parametrize("spot", [1, "centre"])
def test_the_winner_takes_a_token_at_his_seat_or_at_the_centre(spot: int | str) -> None:
    table = won(1)
    table.token(spot)
    assert table.misplays == []
    assert table.awaited == list(GANGSTERS)


@pytest.mark.parametrize("value", [{}, {"value": None}])
def test_the_winner_says_that_he_took_one(value: dict[str, Any]) -> None:
    table = won(2)
    table.say(2, "token", **value)
    assert table.misplays == []
    assert table.awaited == list(GANGSTERS)


@pytest.mark.parametrize("seat", [1, 3])
def test_nobody_else_takes_it(seat: int) -> None:
    table = won(2)
    wrong = [table.token(seat), table.say(seat, "token")]
    assert table.misplays == wrong
    assert table.takers == [2]


@pytest.mark.parametrize("spot", ["discard", "row", "prison"])
def test_no_other_pad_takes_a_token(spot: str) -> None:
    table = won(1)
    assert table.token(spot) in table.misplays
    assert table.takers == [1]


@pytest.mark.parametrize("value", [0, 3, True, False, 1.0, "2", "", [], [3], {}, {"1": [3]}, 10**30, "token-2-1"])
def test_a_token_without_a_tag_has_no_value_yet(value: Any) -> None:
    table = won(1)
    wrong = table.say(1, "token", value)
    assert table.misplays == [wrong]
    assert table.takers == [1]


def test_one_round_gives_one_token() -> None:
    table = won(1)
    table.token(1)
    wrong = [table.token(1), table.token("centre"), table.say(1, "token")]
    assert table.misplays == wrong
    table.gangster(8)
    assert table.unlaid == [1, 2, 3]


def test_the_next_round_waits_for_the_token() -> None:
    table = won(1)
    wrong = table.tap("centre", "gangster-8")
    table.token(1)
    table.gangster(8)
    assert table.misplays == [wrong]
    assert table.unlaid == [1, 2, 3]


def test_no_card_is_laid_before_the_next_gangster() -> None:
    table = won(1)
    wrong = [table.tap(1, "red-go-1")]
    table.token(1)
    wrong.append(table.tap(1, "red-go-2"))
    assert table.misplays == wrong


def test_a_token_that_somebody_has_is_not_taken_again() -> None:
    table = won(1)
    table.tap(1, "token-2-1")
    table.win(2)
    wrong = table.tap(2, "token-2-1")
    assert table.misplays == [wrong]
    assert table.takers == [2]
    table.tap(2, "token-2-2")
    assert table.misplays == [wrong]


def test_ones_own_token_is_not_taken_again_either() -> None:
    table = won(1)
    table.tap(1, "token-2-1")
    table.win(1)
    assert table.tap(1, "token-2-1") in table.misplays
    assert table.takers == [1]


def test_a_token_refused_may_be_taken_later() -> None:
    table = won(1)
    wrong = table.tap(2, "token-2-1")
    table.tap(1, "token-2-1")
    assert table.misplays == [wrong]
    assert table.awaited


def test_a_token_taken_back_may_be_taken_anew() -> None:
    table = won(1)
    table.retract(table.tap(1, "token-2-1"))
    assert table.takers == [1]
    table.tap(1, "token-3-1")
    table.win(2)
    table.tap(2, "token-2-1")
    assert table.misplays == []


@pytest.mark.parametrize("token", ["token-0-1", "token-3-9", "token-1-10"])
def test_the_owners_box_decides_how_many_tokens_have_a_value(token: str) -> None:
    table = won(1)
    table.tap(1, token)
    assert table.misplays == []
    assert table.awaited


@pytest.mark.parametrize("token", ["token-4-1", "token--1-1", "token-2", "token-2-0", "token-2-01", "token-2-1-1"])
def test_there_are_tokens_worth_0_to_3_only(token: str) -> None:
    table = won(1)
    assert table.tap(1, token) in table.misplays
    assert table.takers == [1]


# The pool.


@pytest.mark.parametrize("agents", [2, 3, 4, 5, 6])
def test_there_are_two_tokens_more_than_agents(agents: int) -> None:
    table = Table(*range(1, agents + 1))
    for taken in range(agents + 2):
        assert not table.over
        assert table.sealed
        assert table.winners == []
        table.rounds((taken % agents + 1, 1))
    assert table.over
    assert table.misplays == []


@pytest.mark.parametrize("agents", [2, 3, 4, 5, 6])
def test_without_tags_the_match_waits_for_the_values(agents: int) -> None:
    table = Table(*range(1, agents + 1))
    table.rounds(*(taken % agents + 1 for taken in range(agents + 2)))
    assert not table.over
    assert table.sealed
    wrong = [table.tap("centre", "gangster-8"), table.press(1), table.say(1, "token"), table.tap(1, "token-0-1")]
    assert table.misplays == wrong


def test_rounds_that_flee_take_no_token() -> None:
    table = arrest({8: [], 2: [], 5: [], 3: []}, 1, 2)
    for number in (9, 10, 1, 4, 6, 7, 8, 2, 5, 3):
        table.flip()
        table.misdeed(number)
    assert not table.over
    assert table.misplays == []


# The third token.


def test_the_third_token_wins_at_once() -> None:
    table = Table()
    table.rounds((2, 0), (1, 3), (2, 0), (1, 3))
    assert not table.over
    table.rounds((2, 0))
    assert table.over
    assert table.winners == [2]
    assert table.sealed


def test_the_third_token_wins_before_the_pool_is_empty() -> None:
    table = Table(1, 2, 3, 4, 5, 6)
    table.rounds((5, 0), (5, 0))
    assert not table.over
    table.rounds((5, 0))
    assert table.over
    assert table.winners == [5]
    assert table.points == dict.fromkeys(range(1, 7))


def test_the_third_token_without_a_tag_wins_at_once_and_no_values_are_asked_for() -> None:
    table = Table()
    table.rounds(1, 2, 1, 2, 1)
    assert table.over
    assert table.winners == [1]
    assert table.sealed
    wrong = table.say("host", "token-values", {"1": [0, 0, 0], "2": [3, 3]})
    assert table.misplays == [wrong]


def test_the_third_token_taken_back_opens_the_match_again() -> None:
    table = Table()
    table.retract(table.rounds((1, 0), (1, 0), (1, 0)))
    assert not table.over
    assert table.winners == []
    assert table.takers == [1]


def test_the_third_token_needs_to_be_taken() -> None:
    table = Table()
    table.rounds((1, 0), (1, 0))
    table.win(1)
    assert not table.over


# All tokens are won.


def test_the_most_points_win() -> None:
    table = Table()
    table.rounds((1, 1), (2, 3), (1, 1), (2, 0), (3, 2))
    assert table.over
    assert table.points == {1: 2, 2: 3, 3: 2}
    assert table.winners == [2]


def test_equal_points_share_the_victory() -> None:
    table = Table()
    table.rounds((1, 1), (3, 0), (1, 2), (3, 3), (2, 2))
    assert table.points == {1: 3, 2: 2, 3: 3}
    assert table.winners == [1, 3]


def test_nothing_but_zeros_is_everybodys_victory() -> None:
    table = Table(2, 4, 6)
    table.rounds((2, 0), (4, 0), (2, 0), (6, 0), (4, 0))
    assert table.winners == [2, 4, 6]


def test_whoever_has_no_token_has_no_points() -> None:
    table = Table(1, 2, 3, 4)
    table.rounds((1, 1), (2, 3), (1, 1), (2, 0), (3, 2), (3, 0))
    assert table.points == {1: 2, 2: 3, 3: 2, 4: 0}
    assert table.winners == [2]


def test_the_last_token_taken_back_seals_the_points_again() -> None:
    table = Table(1, 2)
    last = table.rounds((1, 1), (2, 3), (1, 1), (2, 0))
    assert table.points == {1: 2, 2: 3}
    table.retract(last)
    assert not table.over
    assert table.sealed


@pytest.mark.parametrize("by", ["tags", "words"])
def test_everything_after_the_end_is_a_misplay(by: str) -> None:
    table = Table(1, 2)
    if by == "tags":
        table.rounds((1, 1), (2, 3), (1, 1), (2, 0))
    else:
        table.rounds(1, 2, 1, 2)
        table.say("host", "token-values", {"1": [1, 1], "2": [3, 0]})
    assert table.over
    wrong = [
        table.tap("centre", "gangster-8"),
        table.tap(1, "red-go-1"),
        table.tap(1, "token-3-7"),
        table.press(1),
        table.say(1, "flip"),
        table.say(2, "token"),
        table.say("host", "token-values", {"1": [3, 3], "2": [0, 0]}),
        table.elapse("supper"),
    ]
    assert table.misplays == wrong
    assert table.points == {1: 2, 2: 3}


# The values that the host tells.


def valued(value: Any, *won_by: int, who: int | str = "host") -> Table:
    table = Table(1, 2, 3, 4)
    table.rounds(*(won_by or (1, 2, 1, 2, 3, 3)))
    table.say(who, "token-values", value)
    return table


GOOD = {"1": [3, 0], "2": [1, 1], "3": [2, 3], "4": []}


def test_the_host_tells_the_values() -> None:
    table = valued(GOOD)
    assert table.over
    assert table.misplays == []
    assert table.points == {1: 3, 2: 2, 3: 5, 4: 0}
    assert table.winners == [3]


def test_whoever_has_no_token_may_be_left_out() -> None:
    table = valued({"1": [3, 0], "2": [1, 1], "3": [2, 3]})
    assert table.points == {1: 3, 2: 2, 3: 5, 4: 0}


@pytest.mark.parametrize("who", [1, 2, 3, 4])
def test_nobody_else_tells_the_values(who: int) -> None:
    table = valued(GOOD, who=who)
    assert not table.over
    assert len(table.misplays) == 1
    table.say("host", "token-values", GOOD)
    assert table.over


@pytest.mark.parametrize(
    "value",
    [
        {**GOOD, "1": [3, 4]},
        {**GOOD, "1": [3, -1]},
        {**GOOD, "1": [3, True]},
        {**GOOD, "1": [3, False]},
        {**GOOD, "1": [3, 0.5]},
        {**GOOD, "1": [3, "0"]},
        {**GOOD, "1": [3, None]},
        {**GOOD, "1": [3, [0]]},
        {**GOOD, "1": [3, 10**30]},
        {**GOOD, "1": [3, 1e300]},
        {**GOOD, "1": [3]},
        {**GOOD, "1": [3, 0, 0]},
        {**GOOD, "1": []},
        {**GOOD, "1": 3},
        {**GOOD, "1": "30"},
        {**GOOD, "1": None},
        {**GOOD, "1": {"0": 3, "1": 0}},
        {**GOOD, "4": [0]},
        {**GOOD, "4": None},
        {**GOOD, "4": 0},
        {**GOOD, "5": []},
        {**GOOD, "5": [1]},
        {**GOOD, "7": []},
        {**GOOD, "": []},
        {**GOOD, "Anna": [3, 0]},
        {**GOOD, "host": []},
        {**GOOD, "01": [3, 0]},
        {"1": [3, 0], "2": [1, 1], "4": []},
        {"2": [3, 0], "1": [1], "3": [2, 3], "4": [0]},
        {},
        [],
        [[3, 0], [1, 1], [2, 3], []],
        [3, 0, 1, 1, 2, 3],
        None,
        True,
        0,
        3.0,
        10**40,
        "",
        '{"1": [3, 0]}',
    ],
)
def test_what_are_no_possible_values_is_a_misplay(value: Any) -> None:
    table = valued(value)
    assert len(table.misplays) == 1
    assert not table.over
    assert table.sealed
    table.say("host", "token-values", GOOD)
    assert table.over
    assert table.points == {1: 3, 2: 2, 3: 5, 4: 0}


def test_no_values_at_all_are_a_misplay() -> None:
    table = Table(1, 2)
    table.rounds(1, 2, 1, 2)
    assert table.say("host", "token-values") in table.misplays
    assert not table.over


def test_values_are_not_told_before_the_last_token_is_taken() -> None:
    table = Table(1, 2)
    wrong = [table.say("host", "token-values", {})]
    table.rounds(1, 2, 1)
    wrong.append(table.say("host", "token-values", {"1": [1, 1], "2": [2]}))
    table.win(2)
    wrong.append(table.say("host", "token-values", {"1": [1, 1], "2": [2]}))
    wrong.append(table.say("host", "token-values", {"1": [1, 1], "2": [2, 0]}))
    table.say(2, "token")
    assert table.misplays == wrong
    assert not table.over


def test_values_told_can_be_taken_back_and_told_anew() -> None:
    table = Table(1, 2)
    table.rounds(1, 2, 1, 2)
    table.retract(table.say("host", "token-values", {"1": [3, 3], "2": [0, 0]}))
    assert not table.over
    assert table.sealed
    table.say("host", "token-values", {"1": [1, 1], "2": [3, 3]})
    assert table.points == {1: 2, 2: 6}
    assert table.winners == [2]


def test_where_all_tokens_bear_tags_nobody_is_asked_for_values() -> None:
    table = Table(1, 2)
    table.rounds((1, 3), (2, 1), (1, 0), (2, 1))
    assert table.over
    assert table.points == {1: 3, 2: 2}


def test_at_this_table_one_token_without_a_tag_makes_the_host_tell_the_values() -> None:
    table = Table(1, 2)
    table.rounds((1, 3), 2, (1, 0), (2, 1))
    assert not table.over
    assert table.sealed
    table.say("host", "token-values", {"1": [3, 0], "2": [2, 1]})
    assert table.points == {1: 3, 2: 3}
    assert table.winners == [1, 2]


def test_at_this_table_the_values_agree_with_the_tags_in_any_order() -> None:
    table = Table(1, 2)
    table.rounds((1, 3), 2, (1, 0), (2, 1))
    wrong = [
        table.say("host", "token-values", {"1": [3, 3], "2": [2, 1]}),
        table.say("host", "token-values", {"1": [3, 0], "2": [2, 2]}),
    ]
    assert table.misplays == wrong
    table.say("host", "token-values", {"1": [0, 3], "2": [1, 2]})
    assert table.over


# One pad for all.


def test_a_whole_match_at_one_pad() -> None:
    table = Table(1, 2, colours=colours(1, 2))
    for winner in (1, 2, 1, 1):
        for number in (8, 2, 5, 3):
            table.gangster(number)
            for seat in (2, 1):
                hand = table.hand(seat)
                which = "stop" if (seat, number) == (winner, 8) else hand[0].rpartition("-")[2]
                table.lay(seat, which, "centre")
        table.flip(4)
        table.token("centre")
    assert table.over
    assert table.winners == [1]
    assert table.misplays == []
