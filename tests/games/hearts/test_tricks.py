"""Which card may be played, who takes the trick, and what the table takes people's word for."""

import pytest

from tests.games.hearts.table import after_passing


def test_the_lowest_club_leads_and_so_tells_who_leads() -> None:
    table = after_passing()
    assert table.view["active"] is None
    table.acts("!1: clubs-3; !4: hearts-2; 3: clubs-2")
    assert table.view["active"] == 4


@pytest.mark.parametrize(
    ("seats", "box", "lowest"),
    [
        ((1, 2, 3), ("diamonds-2",), "clubs-2"),
        ((1, 2, 3, 4), (), "clubs-2"),
        ((1, 2, 3, 4, 5), ("diamonds-2", "clubs-2"), "clubs-3"),
    ],
)
def test_the_lowest_cards_stay_in_the_box_until_all_get_as_many(
    seats: tuple[int, ...], box: tuple[str, ...], lowest: str
) -> None:
    table = after_passing(*seats)
    assert len(table.view["unplayed"]) == 52 - len(box)
    for card in box:
        table.acts(f"!1: {card}")
        assert table.verdict == f"not-in-play card={card}"
    table.acts(f"1: {lowest}")


def test_people_play_in_turn_clockwise() -> None:
    table = after_passing().acts("2: clubs-2; !1: clubs-9; 3: clubs-5")
    table.acts("!2: clubs-7; 4: clubs-7")


def test_the_highest_of_the_led_suit_takes_the_trick_and_leads_the_next() -> None:
    table = after_passing().acts("2: clubs-2; 3: clubs-13; 4: diamonds-1; 1: clubs-12")
    assert table.view["active"] == 3


def test_the_ace_is_the_highest() -> None:
    table = after_passing().acts("2: clubs-2; 3: clubs-13; 4: clubs-1; 1: clubs-12")
    assert table.view["active"] == 4


def test_a_card_is_played_once_a_round() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; 2: clubs-3; 3: clubs-4; 3: diamonds-9; !1: clubs-3")
    assert table.verdict == "played-already card=clubs-3"


def test_a_card_of_the_trick_that_lies_there_may_be_read_again() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; 2: clubs-3; 1: clubs-2; 3: clubs-4")
    table.acts("1: clubs-2; 3: clubs-4; 3: diamonds-9")


def test_a_card_in_the_middle_is_nobodys() -> None:
    after_passing().acts("!centre: clubs-2")


def test_hearts_may_be_led_once_one_was_played() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; 2: clubs-3; 3: clubs-4; 3: diamonds-9; 1: hearts-3; 2: diamonds-4")
    table.acts("3: hearts-9")
    assert table.verdict == "laid seat=3 card=hearts-9"


def test_whoever_leads_hearts_before_says_that_they_hold_nothing_else() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; 2: clubs-3; 3: clubs-4; 3: hearts-9")
    assert "only-hearts seat=3" in table.verdict
    table.acts("1: hearts-2; 2: hearts-3; 3: diamonds-5")
    assert "revoked seat=3" in table.verdict


def test_whoever_plays_points_in_the_first_trick_says_that_they_hold_nothing_else() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; 2: spades-12")
    assert "only-points seat=2" in table.verdict
    table.acts("3: clubs-4; 3: diamonds-9; 1: diamonds-3; 2: diamonds-5")
    assert "revoked seat=2" in table.verdict


def test_whoever_can_follow_suit_must() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; 2: diamonds-3; 3: clubs-4; 3: diamonds-9; 1: diamonds-5")
    table.acts("2: clubs-7")
    assert "revoked seat=2" in table.verdict


def test_a_revoke_that_was_a_misread_card_is_taken_back() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; 2: diamonds-3; 3: clubs-4; 3: diamonds-9; 1: diamonds-5")
    table.retract(table.tap(2, "clubs-7"))
    table.acts("2: diamonds-7")
    assert "revoked" not in table.verdict


def test_the_rounds_first_card_moves_to_the_seat_that_lays_it_last() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; !2: clubs-2")
    assert table.match.misplays[-1].in_two_places


def test_any_later_card_stays_where_it_was_laid() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; 2: clubs-3; !3: clubs-2")
    assert not table.match.misplays[-1].in_two_places
