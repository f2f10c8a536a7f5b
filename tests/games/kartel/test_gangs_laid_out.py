"""Why a gang's tokens bring so much, and who would feel an arrest."""

import pytest

from companion.games.kartel.gangs_laid_out import Reason, felt_by, reason_of, stacks

GANG = {"colour": "red", "gangsters": 4, "money": 1, "jailed": False}


@pytest.mark.parametrize(
    ("gang", "free_gang", "reason"),
    [
        (GANG, "minus", Reason("why-free-both", -4, 3)),
        (GANG, "zero", Reason("why-free-both", 0, 3)),
        ({**GANG, "jailed": True}, "minus", Reason("why-jailed-both", 4, 0)),
        ({**GANG, "gangsters": 0}, "minus", Reason("why-free-money", 0, 3)),
        ({**GANG, "money": 0}, "minus", Reason("why-free", -4, 3)),
    ],
)
def test_money_counts_until_the_boss_is_in_prison_and_gangsters_from_then_on(
    gang: dict[str, object], free_gang: str, reason: Reason
) -> None:
    assert reason_of(gang, free_gang) == reason


def test_an_arrest_is_felt_by_whoever_holds_tokens_of_the_gang() -> None:
    table = {"free_gang": "minus", "holdings": {"1": {"gangs": [GANG]}, "3": {"gangs": []}}}
    assert list(felt_by(table, "red-boss", (1, 3))) == [(1, 4 * 2 - 3)]


def test_two_2s_are_one_stack_until_one_is_won() -> None:
    twos = [
        next(stack for stack in stacks({"money": True, "offered": left}, ["red"]) if stack.card == "red-2a")
        for left in (["red-2a", "red-2b"], ["red-2b"], [])
    ]
    assert [(stack.first_left, stack.is_two) for stack in twos] == [("red-2a", True), ("red-2b", False), ("", False)]
