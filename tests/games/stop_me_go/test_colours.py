"""An agent takes a colour: with their first Action card, or beforehand."""

from collections.abc import Callable

from companion.kit.table_for_tests import cases
from tests.games.stop_me_go.table import Table, card, laying, second

Act = Callable[[Table], object]


# The first Action card at a seat.


@cases(
    "which, verdict",
    ("a GO", "violet-go-2", "took-colour seat=1 colour=violet; laid seat=1"),
    ("a STOP", "red-stop", "took-colour seat=1 colour=red; laid seat=1"),
)
def test_the_first_action_card_at_a_seat_gives_its_colour_and_is_laid(which: str, verdict: str) -> None:
    table = laying()
    table.tap(1, which)
    assert (table.verdict, table.unlaid) == (verdict, [2, 3])
    assert table.view["colours"] == {"1": which.split("-")[0], "2": None, "3": None}


def test_a_colour_may_be_taken_before_the_first_gangster_and_that_card_laid_on_it() -> None:
    table = Table()
    table.tap(1, card(1, 1))
    assert table.verdict == "took-colour seat=1 colour=red"
    table.tap(1, card(1, 1))
    assert table.verdict == ""
    table.tap(1, card(1, 2))
    assert table.verdict == "card-before-gangster →nobody"
    table.gangster(8)
    table.lay(1, 1)
    assert table.unlaid == [2, 3]


@cases(
    "act, verdict",
    ("another one's", lambda t: t.tap(2, card(1, 2)), "not-your-colour colour=red →2"),
    ("at the centre", lambda t: t.tap("centre", card(2, 1)), "colour-of-nobody-yet colour=orange"),
)
def test_no_colour_is_taken_by(act: Act, verdict: str) -> None:
    table = laying()
    table.lay(1, 1)
    act(table)
    assert (table.verdict, table.unlaid) == (verdict, [2, 3])
    table.lay(2, 1)
    table.tap(3, "violet-stop")
    assert (table.waits, len(table.misplays)) == ("misdeed", 1)


# The centre.


@cases(
    "which, verdict, unlaid",
    ("an agent's", card(1, 2), "laid seat=1", [2, 3]),
    ("nobody's", "violet-go-1", "colour-not-played colour=violet", [1, 2, 3]),
)
def test_at_the_centre_its_colour_says_whose_a_card_is(which: str, verdict: str, unlaid: list[int]) -> None:
    table = second()
    table.tap("centre", which)
    assert (table.verdict, table.unlaid) == (verdict, unlaid)


# Beforehand: a table with only a centre pad.


@cases(
    "seat, which, verdict",
    ("another colour at that seat", 1, "red-go-1", "not-your-colour colour=red →1"),
    ("that colour at another seat", 2, "violet-go-1", "not-your-colour colour=violet →2"),
    ("a free one at another seat", 2, "red-go-1", "took-colour seat=2 colour=red; laid seat=2"),
)
def test_a_colour_given_to_one_is_theirs_alone(seat: int | str, which: str, verdict: str) -> None:
    table = laying(colours={"1": "violet", "6": "green"})
    assert table.view["colours"] == {"1": "violet", "2": None, "3": None}
    table.tap(seat, which)
    assert table.verdict == verdict
