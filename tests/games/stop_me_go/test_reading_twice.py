"""A reading twice is neither a misplay nor an act."""

import pytest

from tests.games.stop_me_go.table import Table, arrest, card, laying, won

ALL = [1, 2, 3]
NOBODY: dict[int, list[int]] = {8: [], 2: [], 5: [], 3: []}
SPOTS = pytest.mark.parametrize(("first", "second"), [(1, "centre"), ("centre", 1), (1, 1), ("centre", "centre")])


def known() -> Table:
    """Everybody has his colour, the second gangster is turned up."""
    table = Table()
    table.misdeed(8)
    table.gangster(2)
    return table


# A gangster.


def test_a_gangster_is_read_twice() -> None:
    table = laying()
    table.tap("centre", "gangster-8", "gangster-8")
    assert table.misplays == []
    assert table.unlaid == ALL


def test_a_gangster_is_read_again_while_the_agents_lay() -> None:
    table = known()
    table.lay(1, 2, "centre")
    table.tap("centre", "gangster-2")
    table.lay(2, 2)
    table.lift("centre", "gangster-2")
    table.tap("centre", "gangster-2")
    table.lay(3, 2)
    table.tap("centre", "gangster-2")
    assert table.misplays == []
    assert table.unlaid == []


def test_a_gangster_that_fled_and_is_tapped_later_is_a_misplay() -> None:
    table = arrest(NOBODY)
    table.flip()
    assert table.tap("centre", "gangster-8") in table.misplays


# A card.


@SPOTS
def test_a_card_sensed_at_the_seat_and_at_the_centre_is_laid_once(first: int | str, second: int | str) -> None:
    for options in ({}, {"allow_change": False}):
        table = Table(**options)
        table.misdeed(8)
        table.gangster(2)
        table.lay(1, 2, first)
        before = table.sees(None)
        table.tap(second, card(1, 2))
        assert table.misplays == []
        assert table.sees(None) == before
        assert table.unlaid == [2, 3]


@SPOTS
def test_the_last_card_of_a_lay_is_read_twice(first: int | str, second: int | str) -> None:
    for gangsters in ((8,), (8, 2, 5)):
        table = Table()
        for number in gangsters:
            table.misdeed(number)
        table.gangster(3)
        for seat in (2, 3):
            table.lay(seat, 4)
        table.lay(1, "stop", first)
        before = table.sees(None)
        table.tap(second, card(1, "stop"))
        assert table.misplays == []
        assert table.sees(None) == before


def test_a_card_that_still_lies_there_is_read_again_when_all_have_laid() -> None:
    table = known()
    for seat in ALL:
        table.lay(seat, 2)
    for spot in (1, "centre", 1):
        table.tap(spot, card(1, 2))
    table.tap(3, card(3, 2))
    assert table.misplays == []
    table.gangster(5)
    assert table.unlaid == ALL


def test_in_the_arrest_the_cards_on_the_newest_gangster_may_be_read_again() -> None:
    table = arrest(NOBODY)
    for seat in ALL:
        table.tap("centre", table.lying[-1][seat])
        table.tap(seat, table.lying[-1][seat])
    assert table.misplays == []
    assert table.flippable


def test_a_card_read_again_at_the_next_gangster_is_no_reading_twice() -> None:
    table = known()
    wrong = table.tap(1, card(1, 1))
    assert table.misplays == [wrong]
    assert table.unlaid == ALL


def test_a_card_read_twice_was_not_changed() -> None:
    table = known()
    table.tap(1, card(1, "stop"), card(1, "stop"))
    table.tap(1, card(1, 2))
    table.tap("centre", card(1, 2))
    table.lay(2, 2)
    table.lay(3, 2)
    table.gangster(5)
    table.lay(1, "stop")
    assert table.misplays == []
    assert table.unlaid == [2, 3]


def test_a_card_that_was_replaced_does_not_lie_there_any_more() -> None:
    table = laying()
    table.lay(1, "stop")
    table.lay(1, 1)
    table.lay(1, "stop")
    table.lay(2, 1)
    table.lay(3, 1)
    table.misdeeds({2: [], 5: [], 3: []})
    table.flip()
    assert table.awaited == []


def test_a_card_at_another_agents_seat_is_no_reading_twice() -> None:
    table = known()
    table.lay(1, 2)
    wrong = table.tap(2, card(1, 2))
    assert table.misplays == [wrong]
    assert table.unlaid == [2, 3]


def test_without_changes_a_card_refused_is_refused_once() -> None:
    table = laying(allow_change=False)
    table.lay(1, 1)
    wrong = table.tap(1, card(1, "stop"))
    table.tap(1, card(1, "stop"), card(1, "stop"))
    assert table.misplays == [wrong]


def test_without_changes_the_first_card_may_be_read_after_the_refused_one() -> None:
    table = laying(allow_change=False)
    table.lay(1, 1)
    wrong = table.tap(1, card(1, "stop"))
    table.tap(1, card(1, 1))
    assert table.misplays == [wrong]
    assert table.unlaid == [2, 3]


# A token.


@SPOTS
def test_a_token_sensed_at_the_seat_and_at_the_centre_is_taken_once(first: int | str, second: int | str) -> None:
    table = won()
    table.tap(first, "token-2-1")
    before = table.sees(None)
    table.tap(second, "token-2-1")
    assert table.misplays == []
    assert table.sees(None) == before
    table.gangster(8)
    assert table.unlaid == ALL


def test_a_token_tapped_at_another_seat_is_no_reading_twice() -> None:
    table = won()
    table.tap(1, "token-2-1")
    assert table.tap(2, "token-2-1") in table.misplays


def test_a_token_is_no_reading_twice_in_the_next_round() -> None:
    table = won()
    table.tap(1, "token-2-1")
    table.misdeed(8)
    wrong = table.tap(1, "token-2-1")
    assert table.misplays == [wrong]


@SPOTS
def test_the_token_that_ended_the_match_may_be_read_twice(first: int | str, second: int | str) -> None:
    for rounds in (((1, 0), (1, 0)), ((2, 1), (2, 2), (1, 1), (3, 0))):
        table = Table()
        table.rounds(*rounds)
        table.win(1)
        table.tap(first, "token-3-9")
        assert table.over
        table.tap(second, "token-3-9")
        assert table.misplays == []
        assert table.tap(2, "token-3-9") in table.misplays


# A misplayed tap.


@pytest.mark.parametrize("wrong_card", ["green-go-1", "token-0-1", "pink-4", "no-such-card", "gangster-5"])
def test_a_misplayed_tap_read_twice_is_one_misplay(wrong_card: str) -> None:
    for spot in (1, "centre"):
        table = known()
        wrong = table.tap(spot, wrong_card)
        table.tap(spot, wrong_card, wrong_card)
        assert table.misplays == [wrong]


def test_what_is_no_tap_comes_between_no_reading_twice() -> None:
    table = known()
    wrong = [table.tap(1, card(2, 2))]
    wrong.append(table.press(3))
    table.lift(1, card(2, 2))
    table.tap(1, card(2, 2))
    assert table.misplays == wrong


def test_a_misplayed_tap_is_judged_anew_after_another_card() -> None:
    table = known()
    wrong = [table.tap(1, card(2, 2))]
    table.lay(1, 2)
    wrong.append(table.tap(1, card(2, 2)))
    assert table.misplays == wrong


def test_a_misplayed_tap_is_judged_anew_at_the_next_gangster() -> None:
    table = known()
    wrong = [table.tap("centre", "gangster-5")]
    for seat in ALL:
        table.lay(seat, 2)
    table.gangster(3)
    wrong.append(table.tap("centre", "gangster-5"))
    assert table.misplays == wrong


def test_a_gangster_tapped_too_early_comes_without_another_tap_between() -> None:
    table = laying(1, 2)
    table.lay(1, 1)
    table.lay(2, 1)
    table.misdeeds({2: [], 5: [], 3: []})
    wrong = [table.tap("centre", "gangster-9")]
    table.flip()
    table.gangster(9)
    assert table.misplays == wrong
    assert table.unlaid == [1, 2]


def test_a_gangster_refused_is_judged_anew_when_the_pile_was_shuffled() -> None:
    table = arrest(NOBODY, 1, 2)
    for number in (9, 10, 1, 4, 6):
        table.flip()
        table.misdeed(number)
    table.flip()
    wrong = [table.tap("centre", "gangster-8")]
    table.tap("centre", "gangster-8")
    table.misdeed(7)
    wrong.append(table.tap("centre", "gangster-8"))
    table.flip()
    table.gangster(8)
    assert table.misplays == wrong
    assert table.unlaid == [1, 2]


def test_a_card_refused_between_two_gangsters_is_laid_on_the_next() -> None:
    table = Table()
    table.misdeed(8)
    wrong = table.tap(1, card(1, 2))
    table.gangster(2)
    table.lay(1, 2)
    assert table.misplays == [wrong]
    assert table.unlaid == [2, 3]


def test_a_token_refused_before_the_last_flip_is_taken_after_it() -> None:
    table = arrest({8: [1], 2: [], 5: [], 3: []})
    table.flip(3)
    wrong = table.tap(1, "token-2-1")
    table.flip()
    table.tap(1, "token-2-1")
    assert table.misplays == [wrong]
    assert table.awaited


def test_a_token_of_the_wrong_seat_is_taken_at_the_centre() -> None:
    table = won(1)
    wrong = table.tap(2, "token-2-1")
    table.tap("centre", "token-2-1")
    assert table.misplays == [wrong]
    assert table.awaited


# Taking back.


def test_when_the_first_reading_is_taken_back_the_second_lays_the_card() -> None:
    table = known()
    first = table.tap(1, card(1, 2))
    table.tap("centre", card(1, 2))
    table.retract(first)
    assert table.unlaid == [2, 3]
    assert table.misplays == []


def test_when_the_misplay_is_taken_back_its_second_reading_is_the_misplay() -> None:
    table = known()
    first = table.tap(1, card(2, 2))
    second = table.tap(1, card(2, 2))
    table.retract(first)
    assert table.misplays == [second]


def test_when_the_first_reading_of_a_token_is_taken_back_the_second_takes_it() -> None:
    table = won()
    first = table.tap(1, "token-2-1")
    table.tap("centre", "token-2-1")
    table.retract(first)
    assert table.misplays == []
    assert table.awaited
