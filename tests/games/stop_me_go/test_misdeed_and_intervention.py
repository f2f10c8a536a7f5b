"""A gangster is turned up, everybody lays one card on it."""

from typing import Any

import pytest

from tests.games.stop_me_go.table import GANGSTERS, Table, arrest, card, laying, won

FOUR: dict[int, list[int]] = {8: [], 2: [], 5: [], 3: []}
ALL = [1, 2, 3]


# Misdeed.


def test_any_gangster_may_come_first() -> None:
    assert Table().awaited == list(GANGSTERS)


def test_the_next_gangster_comes_when_everybody_has_laid() -> None:
    table = laying()
    for seat in (1, 2):
        assert table.awaited == []
        table.lay(seat, 1)
    assert table.awaited == []
    table.lay(3, 1)
    assert table.awaited == [1, 2, 3, 4, 5, 6, 7, 9, 10]


def test_a_gangster_turned_up_too_early_is_a_misplay_and_comes_when_its_time_has_come() -> None:
    table = laying()
    table.lay(1, 1)
    wrong = table.tap("centre", "gangster-2")
    table.lay(2, 1)
    table.lay(3, 1)
    assert table.unlaid == []
    table.gangster(2)
    assert table.misplays == [wrong]
    assert table.unlaid == ALL


def test_after_a_gangster_turned_up_too_early_the_cards_go_on_the_one_that_lies_there() -> None:
    table = Table()
    table.misdeed(8)
    table.gangster(2)
    wrong = table.tap("centre", "gangster-10")
    for seat in ALL:
        table.lay(seat, "stop" if seat == 1 else 2)
    assert 10 in table.awaited
    table.misdeeds({5: [], 3: []})
    table.flip()
    assert 10 in table.awaited
    assert table.misplays == [wrong]


def test_four_gangsters_lie_there_and_no_fifth() -> None:
    table = arrest(FOUR)
    assert table.awaited == []
    wrong = table.tap("centre", "gangster-9")
    assert table.misplays == [wrong]
    assert table.flippable


def test_a_gangster_that_came_already_does_not_come_again() -> None:
    table = Table()
    table.misdeeds({8: [], 2: []})
    assert table.awaited == [1, 3, 4, 5, 6, 7, 9, 10]


def test_a_gangster_that_fled_does_not_come_again_from_this_pile() -> None:
    table = arrest(FOUR)
    table.flip()
    assert table.awaited == [1, 4, 6, 7, 9, 10]
    assert table.tap("centre", "gangster-8") in table.misplays


@pytest.mark.parametrize("spot", [1, 2, "discard", "row", "prison"])
def test_a_gangster_is_turned_up_at_the_centre_only(spot: int | str) -> None:
    table = Table()
    wrong = table.tap(spot, "gangster-8")
    assert table.misplays == [wrong]
    assert table.awaited == list(GANGSTERS)


def test_at_the_next_round_all_ten_are_shuffled() -> None:
    table = Table()
    table.rounds(1)
    assert table.awaited == list(GANGSTERS)


# Intervention.


def test_the_agents_lay_in_any_order() -> None:
    table = laying()
    for seat in (3, 1, 2):
        table.lay(seat, 1)
    assert table.misplays == []
    assert table.unlaid == []


def test_cards_may_be_laid_at_the_seat_and_at_the_centre() -> None:
    table = Table()
    table.misdeed(8)
    table.gangster(2)
    table.lay(1, 2, "centre")
    table.lay(2, "stop")
    assert table.unlaid == [3]
    table.lay(3, 3, "centre")
    assert table.unlaid == []
    assert table.misplays == []


@pytest.mark.parametrize("spot", ["discard", "row", "prison"])
def test_no_other_pad_takes_a_card(spot: str) -> None:
    table = Table()
    table.misdeed(8)
    table.gangster(2)
    wrong = table.tap(spot, card(1, 2))
    assert table.misplays == [wrong]
    assert table.unlaid == ALL


def test_a_card_of_anothers_colour_is_laid_for_nobody() -> None:
    table = Table()
    table.misdeed(8)
    table.gangster(2)
    wrong = [table.tap(1, card(2, 2)), table.tap(1, card(2, "stop")), table.tap(2, card(3, 2))]
    assert table.misplays == wrong
    assert table.unlaid == ALL


def test_a_card_of_nobodys_colour_is_laid_for_nobody() -> None:
    table = Table()
    table.misdeed(8)
    table.gangster(2)
    wrong = [table.tap(1, "violet-go-2"), table.tap("centre", "violet-stop")]
    assert table.misplays == wrong
    assert table.unlaid == ALL


@pytest.mark.parametrize("spot", [1, "centre"])
@pytest.mark.parametrize("which", [1, "stop"])
def test_a_card_that_lies_on_an_older_gangster_is_a_misplay(spot: int | str, which: int | str) -> None:
    table = laying()
    table.lay(1, which)
    table.lay(2, 1)
    table.lay(3, 1)
    table.gangster(2)
    table.lay(2, 2)
    wrong = table.tap(spot, card(1, which))
    assert table.misplays == [wrong]
    assert table.unlaid == [1, 3]


def test_no_card_is_laid_between_two_gangsters() -> None:
    table = Table()
    table.misdeed(8)
    wrong = [table.tap(1, card(1, 2)), table.tap("centre", card(2, "stop"))]
    assert table.misplays == wrong
    table.gangster(2)
    assert table.unlaid == ALL


def test_no_card_is_laid_on_the_table_when_one_is_left_in_every_hand() -> None:
    table = arrest(FOUR)
    wrong = [table.tap(1, card(1, "stop")), table.tap("centre", card(2, "stop"))]
    table.flip()
    wrong.append(table.tap(1, card(1, "stop")))
    assert table.misplays == wrong
    assert table.awaited


def test_cards_that_were_taken_back_may_be_laid_again() -> None:
    table = arrest({8: [1, 2], 2: [], 5: [], 3: []})
    table.flip()
    table.gangster(9)
    table.lay(1, "stop")
    table.lay(2, "stop")
    table.lay(3, 1)
    assert table.misplays == []
    assert table.flippable


def test_cards_on_the_other_three_gangsters_were_not_taken_back() -> None:
    table = arrest(FOUR)
    table.flip()
    table.gangster(9)
    wrong = [table.tap(1, card(1, which)) for which in (2, 3, 4)]
    assert table.misplays == wrong
    assert table.unlaid == ALL
    table.lay(1, 1)
    assert table.unlaid == [2, 3]


def test_every_agent_has_all_his_cards_at_the_next_round() -> None:
    table = Table()
    table.rounds(1)
    table.gangster(8)
    for seat, which in ((1, "stop"), (2, 1), (3, 4)):
        table.lay(seat, which)
    assert table.misplays == []
    assert table.awaited


def test_no_token_is_taken_before_the_round_is_won() -> None:
    table = Table()
    wrong = [table.token(1)]
    table.gangster(8)
    wrong.append(table.token("centre"))
    for seat in ALL:
        table.lay(seat, "stop" if seat == 1 else 1)
    wrong.append(table.token(1))
    table.misdeeds({2: [], 5: [], 3: []})
    wrong.append(table.token(1))
    table.flip()
    wrong.append(table.token(1))
    table.flip(2)
    wrong.append(table.token("centre"))
    assert table.misplays == wrong
    table.flip()
    assert table.takers == [1]


# Changes of mind.


def outcome_of_8(*taps: tuple[int | str, int | str], **options: Any) -> list[bool]:
    """Whether the 8 is captured, seat 1 having tapped these (spot, which); seat 2 lays GO, seat 3 last."""
    found = []
    for third in (1, "stop"):
        table = laying(**options)
        for spot, which in taps:
            table.tap(spot, card(1, which))
        table.lay(2, 1)
        table.lay(3, third)
        kept = next(card(1, which) for _, which in (taps[::-1] if options.get("allow_change", True) else taps))
        table.lying[0][1] = kept
        table.misdeeds({2: [], 5: [], 4: []})
        table.flip()
        found.append(not table.awaited)
    return found


CAPTURED_WITH_ONE_STOP_MORE = [False, True]
CAPTURED_WITHOUT = [True, False]


def test_another_card_replaces_the_first() -> None:
    assert outcome_of_8((1, "stop"), (1, 1)) == CAPTURED_WITH_ONE_STOP_MORE
    assert outcome_of_8((1, 1), (1, "stop")) == CAPTURED_WITHOUT


def test_a_card_may_be_changed_again_and_back() -> None:
    assert outcome_of_8((1, "stop"), (1, 1), (1, "stop")) == CAPTURED_WITHOUT
    assert outcome_of_8((1, 1), (1, "stop"), (1, 2), (1, 1)) == CAPTURED_WITH_ONE_STOP_MORE


def test_a_card_may_be_changed_at_the_centre() -> None:
    assert outcome_of_8((1, "stop"), ("centre", 1)) == CAPTURED_WITH_ONE_STOP_MORE
    assert outcome_of_8((1, 1), ("centre", "stop")) == CAPTURED_WITHOUT


def test_without_changes_the_first_card_lies() -> None:
    assert outcome_of_8((1, "stop"), (1, 1), allow_change=False) == CAPTURED_WITHOUT
    assert outcome_of_8((1, 1), ("centre", "stop"), allow_change=False) == CAPTURED_WITH_ONE_STOP_MORE


def test_a_change_is_no_misplay() -> None:
    table = laying()
    table.tap(1, card(1, 1), card(1, "stop"), card(1, 1))
    assert table.misplays == []
    assert table.unlaid == [2, 3]


def test_a_card_that_was_replaced_is_back_in_the_hand() -> None:
    table = laying()
    table.lay(1, "stop")
    table.lay(1, 1)
    table.lay(2, 1)
    table.lay(3, 1)
    table.gangster(2)
    table.lay(1, "stop")
    assert table.misplays == []
    assert table.unlaid == [2, 3]


def test_the_card_that_replaced_it_is_not() -> None:
    table = laying()
    table.lay(1, "stop")
    table.lay(1, 1)
    table.lay(2, 1)
    table.lay(3, 1)
    table.gangster(2)
    wrong = table.tap(1, card(1, 1))
    assert table.misplays == [wrong]


def test_no_card_is_changed_when_everybody_has_laid() -> None:
    table = laying()
    for seat in ALL:
        table.lay(seat, 1)
    wrong = [table.tap(seat, card(seat, "stop")) for seat in ALL]
    assert table.misplays == wrong
    table.misdeeds({2: [], 5: [], 3: []})
    table.flip()
    assert table.awaited


def test_the_last_to_lay_cannot_change() -> None:
    table = laying(1, 2)
    table.lay(1, 1)
    table.lay(2, 1)
    wrong = table.tap(2, card(2, "stop"))
    assert table.misplays == [wrong]


def test_a_card_is_not_changed_for_one_that_lies_on_an_older_gangster() -> None:
    table = Table()
    table.misdeed(8, 1)
    table.gangster(2)
    table.lay(1, 1)
    wrong = table.tap(1, card(1, "stop"))
    assert table.misplays == [wrong]
    table.lay(2, 2)
    table.lay(3, 2)
    table.misdeeds({5: [], 3: []})
    table.flip()
    assert table.awaited == []
    assert table.flippable


def test_without_changes_every_further_card_is_a_misplay() -> None:
    table = laying(allow_change=False)
    table.lay(1, 1)
    wrong = [table.tap(1, card(1, "stop")), table.tap("centre", card(1, 2)), table.tap(1, card(1, 2))]
    assert table.misplays == wrong
    assert table.unlaid == [2, 3]


# Taking back.


def test_a_card_taken_back_is_not_laid() -> None:
    table = laying()
    table.retract(table.lay(1, "stop"))
    assert table.unlaid == ALL


def test_a_change_taken_back_leaves_the_first_card() -> None:
    table = laying()
    table.lay(1, "stop")
    table.retract(table.tap(1, card(1, 1)))
    table.lay(2, 1)
    table.lay(3, 1)
    table.misdeeds({2: [], 5: [], 3: []})
    table.flip()
    assert table.awaited == []


def test_a_gangster_taken_back_takes_the_cards_off_again() -> None:
    table = Table()
    first = table.gangster(8)
    table.tap(1, card(1, 1))
    wrong = table.tap(1, card(1, 2))
    table.retract(first)
    assert table.misplays == [wrong]
    assert table.awaited == list(GANGSTERS)


def test_a_card_of_an_earlier_gangster_taken_back_makes_the_next_one_too_early() -> None:
    table = laying()
    table.lay(1, 1)
    table.lay(2, 1)
    last = table.lay(3, 1)
    early = table.gangster(2)
    table.retract(last)
    assert table.misplays == [early]
    table.lay(3, "stop")
    table.gangster(2)
    assert table.misplays == [early]


def test_taking_back_is_taken_back() -> None:
    table = laying()
    laid = table.lay(1, "stop")
    undone = table.retract(laid)
    table.retract(undone)
    assert table.unlaid == [2, 3]


# What means nothing, and what is not known.


def test_no_card_that_goes_away_changes_anything() -> None:
    table = laying()
    table.lift("centre", "gangster-8")
    table.lay(1, 1)
    for spot in (1, 6, "centre", "prison"):
        table.lift(spot, card(1, 1))
    table.lift(1, "no-such-card")
    assert table.misplays == []
    assert table.unlaid == [2, 3]


def test_who_enters_it_makes_no_difference() -> None:
    table = Table()
    table.tap("centre", "gangster-8", by="phone")
    table.tap(1, card(1, 1), by="phone", tag="04:11")
    table.tap(2, card(2, 1), tag="04:12")
    assert table.misplays == []
    assert table.unlaid == [3]


@pytest.mark.parametrize("word", ["count", "", "Flip", "lay", "no-stop", "best"])
def test_a_word_that_the_game_does_not_know_is_a_misplay(word: str) -> None:
    for table in (Table(), laying(), arrest(FOUR), won()):
        wrong = [table.say(1, word), table.say("host", word, 3)]
        assert table.misplays == wrong


@pytest.mark.parametrize("word", ["flip", "token", "token-values"])
def test_a_word_of_an_empty_seat_is_a_misplay(word: str) -> None:
    for table in (arrest(FOUR), won()):
        assert table.say(5, word) in table.misplays


@pytest.mark.parametrize("what", ["last-calls", "supper"])
def test_no_delay_runs_in_this_game(what: str) -> None:
    for table in (Table(), laying(), arrest(FOUR), won()):
        assert table.elapse(what) in table.misplays
