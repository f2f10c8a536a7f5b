"""The round's winner takes a token; three win, else all tokens' points."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET

from companion.kit.table_for_tests import cases
from tests.games.stop_me_go.table import GANGSTERS, Table, won

Act = Callable[[Table], object]


# Taking a token.


@cases(
    "act",
    ("at their seat", lambda t: t.token(2)),
    ("at the centre", lambda t: t.token("centre")),
    ("with no value", lambda t: t.say(2, "token", None)),
    ("in the host's word", lambda t: t.say("host", "token")),
)
def test_the_winner_takes_a_token(act: Act) -> None:
    table = won(2)
    act(table)
    assert table.verdict == "token-taken seat=2 number=1 target=3 left=4"
    assert (table.awaited, table.view["tokens"]) == (list(GANGSTERS), {"1": 0, "2": 1, "3": 0})


@cases(
    "act, verdict",
    ("another one's", lambda t: t.token(1), "not-the-winner seat=2 →1"),
    ("another one's word", lambda t: t.say(3, "token"), "not-the-winner seat=2"),
    ("a word with a value", lambda t: t.say(2, "token", 3), "unknown-value what=token"),
)
def test_no_token_is_taken_by(act: Act, verdict: str) -> None:
    table = won(2)
    act(table)
    assert (table.verdict, table.takers) == (verdict, [2])


@pytest.mark.parametrize("seat", [1, 2])
@cases("spot", ("at the seat", None), ("at the centre", "centre"))
def test_a_token_that_somebody_has_seems_taken_and_the_next_one_takes_its_place(seat: int, spot: str | None) -> None:
    table = won(1)
    table.tap(1, "token-2-1")
    table.win(seat)
    twice = table.tap(spot or seat, "token-2-1")
    assert (table.misplays, table.awaited) == ([twice], list(GANGSTERS))
    table.tap(seat, "token-2-2")
    assert table.misplays == [twice]
    tokens = table.match.state.tokens
    assert (*tokens[1], *tokens[2]) == ("token-2-1", "token-2-2")
    assert len(tokens[seat]) == (2 if seat == 1 else 1)


def test_where_a_token_was_read_twice_the_host_tells_the_values() -> None:
    """Which of the two readings was wrong nobody knows: neither is held against what the host tells."""
    table = Table(1, 2)
    table.rounds((1, 3), (2, 0), (1, 1))
    table.win(2)
    table.tap(2, "token-3-1")
    assert table.waits == "values"
    table.say("host", "token-values", {"1": [2, 1], "2": [0, 2]})
    assert table.match.outcome.winners == (1,)


@pytest.mark.parametrize(("first", "other"), [(1, "centre"), ("centre", 1)])
def test_a_token_sensed_at_the_seat_and_at_the_centre_is_taken_once_until_the_next_round(
    first: int | str, other: int | str
) -> None:
    table = won()
    table.tap(first, "token-2-1")
    table.tap(other, "token-2-1")
    assert (table.verdict, table.waits) == ("", "ready")
    table.misdeed(8)
    table.tap(other, "token-2-1")
    assert table.verdict.startswith("token-before-gangster")


# The third token.


@cases(
    "seats, rounds, winner",
    ("at once, whatever the values", (1, 2, 3), [(2, 0), (1, 3), (2, 0), (1, 3), (2, 0)], 2),
    ("before the pool is empty", (1, 2, 3, 4, 5, 6), [(5, 0), (5, 0), (5, 0)], 5),
    ("without a tag, and no values are asked for", (1, 2, 3), [1, 2, 1, 2, 1], 1),
)
def test_the_third_token_wins(seats: tuple[int, ...], rounds: list[Any], winner: int) -> None:
    table = Table(*seats)
    table.rounds(*rounds[:-1])
    table.win(winner)
    assert not table.over
    last = rounds[-1]
    last_token = table.token(winner, last[1]) if isinstance(last, tuple) else table.say(winner, "token")
    assert table.verdict.endswith(f"third-token seat={winner} number=3")
    assert (table.winners, table.sealed) == ([winner], True)
    table.retract(last_token)
    assert (table.over, table.winners, table.takers) == (False, [], [winner])


def test_in_a_short_match_the_second_token_wins() -> None:
    table = Table(1, 2, 3, target=2)
    table.rounds((2, 3), (1, 0))
    table.win(1)
    assert not table.over
    table.token(1, 2)
    assert (table.over, table.winners, table.view["target"]) == (True, [1], 2)


# The values that the host tells.

GOOD = {"1": [3, 0], "2": [1, 1], "3": [2, 3], "4": []}


def all_won() -> Table:
    """All tokens are won, two each by seats 1, 2 and 3, none bears a tag."""
    table = Table(1, 2, 3, 4)
    table.rounds(1, 2, 1, 2, 3, 3)
    return table


@cases("values_told", ("for everybody", GOOD), ("but those without", {"1": [3, 0], "2": [1, 1], "3": [2, 3]}))
def test_the_host_tells_the_values(values_told: dict[str, list[int]]) -> None:
    table = all_won()
    values = table.say("host", "token-values", values_told)
    assert (table.winners, table.points) == ([3], {1: 3, 2: 2, 3: 5, 4: 0})
    assert table.view["values"] == GOOD
    table.retract(values)
    assert (table.over, table.sealed) == (False, True)


def test_nobody_else_tells_the_values() -> None:
    table = all_won()
    table.say(1, "token-values", GOOD)
    assert (table.verdict, table.over) == ("only-host-tells-values", False)


NO_VALUES = "unknown-value what=token-values"


@cases(
    "values_told, verdict",
    ("worth 4", {**GOOD, "1": [3, 4]}, NO_VALUES),
    ("below zero", {**GOOD, "1": [3, -1]}, NO_VALUES),
    ("a yes", {**GOOD, "1": [3, True]}, NO_VALUES),
    ("one too few", {**GOOD, "1": [3]}, "values-number seat=1 number=2"),
    ("one for somebody without", {**GOOD, "4": [0]}, "values-number seat=4 number=0"),
    ("an empty seat's", {**GOOD, "5": []}, NO_VALUES),
    ("a seat with a zero", {**GOOD, "01": [3, 0]}, NO_VALUES),
    ("nothing", UNSET, NO_VALUES),
)
def test_what_are_no_possible_values(values_told: Any, verdict: str) -> None:
    table = all_won()
    table.say("host", "token-values", values_told)
    assert (table.verdict, table.over, table.sealed) == (verdict, False, True)


@cases(
    "values_told, verdict",
    ("another value than the tag's", {"1": [3, 3], "2": [2, 1]}, "values-disagree seat=1"),
    ("beside one without", {"1": [3, 0], "2": [2, 2]}, "values-disagree seat=2"),
    ("in any order", {"1": [0, 3], "2": [1, 2]}, "sum seat=1 points=3; sum seat=2 points=3"),
)
def test_at_this_table_one_token_without_a_tag_makes_the_host_tell_all_values(values_told: Any, verdict: str) -> None:
    table = Table(1, 2)
    table.rounds((1, 3), 2, (1, 0), (2, 1))
    assert table.waits == "values"
    table.say("host", "token-values", values_told)
    assert table.verdict.startswith(verdict)
