"""A page offers "red-go" and "red-stop": which card is meant, and that the answer betrays nothing."""

from typing import Any

import pytest

from companion.events import Tapped
from companion.games.stop_me_go.cards import of_colour
from companion.games.stop_me_go.laying import meant
from tests.games.stop_me_go.table import Table


def laid(*own_cards: str, all_have: bool = False, **options: Any) -> Table:
    """Seat 1 lays these red cards, one on each gangster; on the last one the others follow only if `all_have`."""
    table = Table(1, 2, **options)
    for number, card in enumerate(own_cards, 1):
        table.tap("centre", f"gangster-{number}")
        table.tap(1, card)
        if all_have or number < len(own_cards):
            table.tap(2, f"orange-go-{number}")
    return table


def test_a_go_is_one_that_lies_nowhere() -> None:
    assert meant(laid().match.state, "red-go") == "red-go-1"
    assert meant(laid("red-go-1", all_have=True).match.state, "red-go") != "red-go-1"
    assert meant(laid("red-go-2", "red-go-1", "red-stop").match.state, "red-go") == "red-go-3"


def test_a_go_is_the_one_that_lies_on_the_newest_gangster() -> None:
    assert meant(laid("red-stop", "red-go-3").match.state, "red-go") == "red-go-3"


def test_the_stop_is_the_stop() -> None:
    assert meant(laid("red-go-1").match.state, "red-stop") == "red-stop"


def test_a_colour_chosen_as_a_gangster_comes_lays_no_card() -> None:
    table = Table(1, 2)
    assert meant(table.match.state, "red") == "red-go-1"
    table.tap("centre", "gangster-1")
    assert meant(table.match.state, "red") is None


def test_other_cards_are_what_they_are() -> None:
    for card in ("red-go-4", "gangster-8", "token-2-1", "?", "pink", "go"):
        assert meant(laid("red-go-1").match.state, card) == card


@pytest.mark.parametrize("offered", ["red-go", "red-stop"])
@pytest.mark.parametrize("how", [{"all_have": True}, {"allow_change": False}])
@pytest.mark.parametrize("used", [(), ("red-go-4",)])
def test_once_nothing_can_be_changed_the_answer_does_not_tell_what_lies_there(
    offered: str, how: dict[str, Any], used: tuple[str, ...]
) -> None:
    answers = set()
    for card in set(of_colour("red")) - set(used):
        match = laid(*used, card, **how).match
        tap = Tapped(len(match.events) + 1, 999.0, "centre", meant(match.state, offered) or "none")
        answers.add(tuple((verdict.code, verdict.to) for verdict in match.add(tap)))
    assert len(answers) == 1
