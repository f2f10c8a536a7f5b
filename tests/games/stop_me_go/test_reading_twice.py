"""A reading twice is neither a misplay nor an act: examples of the law that holds in every game."""

import pytest

from tests.games.stop_me_go.table import Table, arrest, captured, card, second, won
from tests.games.table import Spot, cases

SPOTS = pytest.mark.parametrize(("first", "other"), [(1, "centre"), ("centre", 1), (1, 1), ("centre", "centre")])


def test_a_gangster_is_read_again_while_the_agents_lay() -> None:
    table = second()
    for seat in table.seats:
        table.tap("centre", "gangster-2")
        table.lay(seat, 2, "centre")
    table.tap("centre", "gangster-2")
    assert (table.misplays, table.waits) == ([], "misdeed")


@SPOTS
@pytest.mark.parametrize("allow_change", [True, False])
def test_a_card_sensed_at_the_seat_and_at_the_centre_is_laid_once(first: Spot, other: Spot, allow_change: bool) -> None:
    table = second(allow_change=allow_change)
    table.lay(1, 2, first)
    before = table.sees(None)
    table.tap(other, card(1, 2))
    assert (table.verdict, table.sees(None)) == ("", before)


@cases("older", ("before the next gangster", (8,)), ("in the arrest", (8, 2, 5)))
def test_the_cards_on_the_newest_gangster_may_be_read_again_when_all_have_laid(older: tuple[int, ...]) -> None:
    table = Table()
    for number in (*older, 3):
        table.misdeed(number)
    before = table.sees(None)
    for seat, laid in table.lying[-1].items():
        table.tap(seat, laid)
        table.tap("centre", laid)
    assert (table.misplays, table.sees(None)) == ([], before)


@cases("begin", ("after a capture", captured), ("when the round is won", won))
def test_so_may_those_that_stay_where_they_were_turned_up(begin: type[Table]) -> None:
    table = begin()
    for seat in table.seats:
        table.tap(seat, card(seat, 3 if seat == 1 else 4))
    assert table.misplays == []


def test_a_card_read_twice_was_not_changed() -> None:
    table = second()
    table.tap(1, card(1, "stop"), card(1, "stop"), card(1, 2))
    table.tap("centre", card(1, 2))
    table.lay(2, 2)
    table.lay(3, 2)
    table.gangster(5)
    table.lay(1, "stop")
    assert (table.misplays, table.unlaid) == ([], [2, 3])


def test_without_changes_the_first_card_may_be_read_after_the_refused_one_which_is_refused_once() -> None:
    table = second(allow_change=False)
    table.lay(1, 2)
    wrong = table.tap(1, card(1, "stop"))
    table.tap(1, card(1, "stop"), card(1, 2))
    assert (table.misplays, table.unlaid) == ([wrong], [2, 3])


# A token.


@SPOTS
def test_a_token_sensed_at_the_seat_and_at_the_centre_is_taken_once(first: Spot, other: Spot) -> None:
    table = won()
    table.tap(first, "token-2-1")
    before = table.sees(None)
    table.tap(other, "token-2-1")
    assert (table.verdict, table.sees(None)) == ("", before)
    table.tap(2, "token-2-1")
    assert table.verdict == "token-before-gangster →2"
    table.misdeed(8)
    table.tap(other, "token-2-1")
    assert table.verdict.startswith("token-before-gangster")


@SPOTS
@cases("rounds", ("the third", [(1, 0), (1, 0)]), ("the last", [(2, 1), (2, 2), (1, 1), (3, 0)]))
def test_the_token_that_ended_the_match_may_be_read_twice(
    first: Spot, other: Spot, rounds: list[tuple[int, int]]
) -> None:
    table = Table()
    table.rounds(*rounds)
    table.win(1)
    table.tap(first, "token-3-9")
    table.tap(other, "token-3-9")
    assert (table.over, table.misplays) == (True, [])
    table.tap(2, "token-3-9")
    assert table.verdict == "match-over"


# A misplayed tap.


@pytest.mark.parametrize("wrong_card", ["green-go-1", "token-0-1", "pink-4", "gangster-5"])
@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_misplayed_tap_read_twice_is_one_misplay_until_another_card_comes(spot: Spot, wrong_card: str) -> None:
    table = second()
    wrong = [table.tap(spot, wrong_card)]
    table.lift(spot, wrong_card)
    table.tap(spot, wrong_card)
    assert table.misplays == wrong
    table.lay(1, 2, spot)
    wrong.append(table.tap(spot, wrong_card))
    assert table.misplays == wrong


def test_what_was_refused_comes_when_its_time_has_come() -> None:
    table = arrest({8: []})
    wrong = [table.tap(1, card(1, 2))]
    table.gangster(2)
    table.tap(1, card(1, 2))
    assert (table.misplays, table.unlaid) == (wrong, [2, 3])
    table = arrest()
    wrong = [table.tap("centre", "gangster-9")]
    table.flip()
    table.tap("centre", "gangster-9")
    assert (table.misplays, table.waits) == (wrong, "intervention")
