"""Who takes the pile, what a press for nothing costs, and when a deal and the match are over."""

from companion.game.playing_cards import DECK
from companion.kit.table_for_tests import AtTable


class Table(AtTable):
    game = "speed-snap"


def with_two_alike(**options: object) -> Table:
    """Three cards lie in the middle, the two on top are alike; seat 1 turns the next."""
    return Table(**options).acts("centre: clubs-2; centre: clubs-9; centre: hearts-9")


def test_the_first_press_for_two_alike_takes_the_pile_a_point_for_each_card() -> None:
    table = with_two_alike().acts("2: press")
    assert table.points == {1: 0, 2: 3, 3: 0}


def test_the_next_card_begins_a_new_pile() -> None:
    table = with_two_alike().acts("2: press; centre: spades-9")
    assert table.view["top"] == ["spades-9"]


def test_an_earlier_press_that_is_learned_of_later_takes_it_back() -> None:
    table = with_two_alike()
    table.press(2, after=0.5)
    table.press(3, at=table.now - 0.1)
    assert table.points == {1: 0, 2: 0, 3: 3}
    assert table.verdict == "snapped-earlier seat=3 number=3 other=2 margin=100000"


def test_a_later_press_changes_nothing() -> None:
    table = with_two_alike().acts("2: press; 3: press; 2: press")
    assert table.points == {1: 0, 2: 3, 3: 0}


def test_in_a_dead_heat_the_pile_stays_for_the_next_pair() -> None:
    table = with_two_alike(tie_window=0.05)
    table.press(2)
    table.press(3, after=0.04)
    assert (table.points, table.verdict) == ({1: 0, 2: 0, 3: 0}, "dead-heat seats=(2, 3) margin=40000")
    table.acts("centre: spades-9; 1: press")
    assert table.points == {1: 4, 2: 0, 3: 0}


def test_a_press_later_than_a_dead_heat_leaves_it() -> None:
    table = with_two_alike(tie_window=0.05)
    table.press(2)
    table.press(3, after=0.04)
    table.press(1, after=0.5)
    assert table.verdict == "after-dead-heat seats=(2, 3) margin=40000"


def test_a_head_start_counts_in_the_race() -> None:
    table = with_two_alike(head_starts={"3": 0.2})
    table.press(2)
    table.press(3, after=0.15)
    assert table.points == {1: 0, 2: 0, 3: 3}


def two_unlike(**options: object) -> Table:
    """Two cards lie in the middle that are not alike."""
    return Table(**options).acts("centre: clubs-2; centre: clubs-9")


def test_a_press_for_nothing_costs_a_point_once_a_second_has_passed() -> None:
    table = two_unlike()
    table.press(1)
    assert table.points == {1: 0, 2: 0, 3: 0}
    delay = table.match.delay
    assert delay is not None
    assert delay.due == round(table.now * 1_000_000) + 1_000_000
    table.elapse("nothing-read")
    assert table.points == {1: -1, 2: 0, 3: 0}


def test_a_worn_button_that_presses_twice_costs_one_point() -> None:
    table = two_unlike()
    table.press(1)
    table.press(1, after=0.1)
    table.elapse("nothing-read")
    table.elapse("nothing-read")
    assert table.points == {1: -1, 2: 0, 3: 0}


def test_each_press_for_nothing_waits_its_own_second() -> None:
    table = two_unlike()
    table.press(1)
    table.press(3, after=0.8)
    table.now -= 1.4
    table.elapse("nothing-read")
    assert table.points == {1: -1, 2: 0, 3: 0}


def test_of_a_corrected_pile_each_press_for_nothing_costs_what_it_would_have() -> None:
    """No timer ran for them then: the card that was misread was like the one below."""
    table = two_unlike()
    table.press(1, after=2.0)
    table.press(1, after=2.9)
    table.tap("centre", "spades-5", after=2.0)
    assert table.points == {1: -2, 2: 0, 3: 0}


def test_whoever_has_paid_may_press_again() -> None:
    table = two_unlike().acts("1: press")
    table.elapse("nothing-read")
    table.press(1)
    table.tap("centre", "hearts-9", after=0.3)
    assert table.points == {1: 2, 2: 0, 3: 0}


def test_a_press_just_before_the_card_is_read_is_for_that_card() -> None:
    table = two_unlike().acts("1: press")
    table.tap("centre", "hearts-9", after=0.3)
    assert table.points == {1: 3, 2: 0, 3: 0}


def test_presses_before_a_card_is_read_race_as_well() -> None:
    table = two_unlike()
    table.press(2)
    table.press(3, after=0.2)
    table.tap("centre", "hearts-9", after=0.3)
    assert table.verdict.endswith("snapped-earlier seat=2 number=3 other=3 margin=200000")


def test_a_press_before_a_card_that_is_not_alike_is_for_nothing() -> None:
    table = two_unlike().acts("1: press")
    table.tap("centre", "hearts-3", after=0.3)
    assert table.points == {1: -1, 2: 0, 3: 0}


def test_a_press_long_before_stays_a_press_for_nothing() -> None:
    table = two_unlike().acts("1: press")
    table.tap("centre", "hearts-9", after=1.1)
    assert table.points == {1: -1, 2: 0, 3: 0}


def test_a_press_before_the_first_card_costs_nothing() -> None:
    table = Table().acts("1: press; centre: clubs-2")
    assert table.points == {1: 0, 2: 0, 3: 0}


def test_after_the_last_card_a_press_for_nothing_costs_a_point_at_once() -> None:
    other_cards = [card for card in DECK if card not in ("clubs-9", "hearts-3")]
    table = Table()
    table.tap("centre", *other_cards, "clubs-9", "hearts-3")
    table.press(1)
    table.press(1, after=0.1)
    assert table.points == {1: -1, 2: 0, 3: 0}


def test_a_press_told_after_its_card_was_covered_costs_nothing() -> None:
    table = with_two_alike().acts("centre: spades-3")
    table.press(2, at=table.now - 0.5)
    assert table.points == {1: 0, 2: 0, 3: 0}


def test_a_card_is_turned_once_and_in_the_middle() -> None:
    Table().acts("centre: clubs-2; centre: clubs-2; centre: clubs-9; !centre: clubs-2; !1: hearts-9")


def test_a_press_of_long_before_that_is_told_late_wins_no_race() -> None:
    table = with_two_alike()
    table.press(2, at=table.now - 30)
    assert table.points == {1: 0, 2: 0, 3: 0}


def all_turned(**options: object) -> Table:
    """All cards are turned, and the last two are alike: the pile has 49 cards, after one of 3 that seat 2 took."""
    table = with_two_alike(**options).acts("2: press")
    last = ["spades-9", "diamonds-9"]
    other_cards = [card for card in DECK if card not in ("clubs-2", "clubs-9", "hearts-9", *last)]
    table.tap("centre", *other_cards, *last)
    return table


def test_the_last_two_cards_of_a_deal_can_be_snapped_like_any_others() -> None:
    table = all_turned().acts("3: press")
    assert table.points == {1: 0, 2: 3, 3: 49}


def test_a_press_just_before_the_last_card_is_read_is_for_that_card() -> None:
    other_cards = [card for card in DECK if card not in ("clubs-9", "hearts-9")]
    table = Table(deals=1)
    table.tap("centre", *other_cards, "clubs-9")
    table.press(1)
    table.tap("centre", "hearts-9", after=0.3)
    table.elapse("last-pair")
    assert table.points == {1: 52, 2: 0, 3: 0}


def test_three_seconds_after_its_last_card_a_deal_is_over() -> None:
    table = all_turned()
    delay = table.match.delay
    assert delay is not None
    assert delay.due == round(table.now * 1_000_000) + 3_000_000


def test_with_its_time_a_deal_is_over_and_the_next_seat_begins() -> None:
    table = all_turned(deals=2).acts("3: press")
    table.elapse("last-pair")
    assert (table.view["phase"], table.view["active"], table.view["left"]) == ("deal", 2, 52)
    assert table.view["snaps"] == [{"seat": 2, "number": 3}, {"seat": 3, "number": 49}]


def test_after_the_last_deal_the_most_points_win() -> None:
    table = all_turned(deals=1)
    table.elapse("last-pair")
    assert (table.over, table.winners) == (True, [2])


def test_a_pile_that_nobody_takes_in_time_is_nobodys() -> None:
    table = all_turned(deals=2)
    table.elapse("last-pair")
    table.acts("3: press")
    assert table.points == {1: 0, 2: 3, 3: 0}


def test_a_card_may_be_the_last_of_one_deal_and_the_first_of_the_next() -> None:
    table = all_turned(deals=2)
    table.elapse("last-pair")
    table.acts("centre: diamonds-9")
    assert table.view["top"] == ["diamonds-9"]
