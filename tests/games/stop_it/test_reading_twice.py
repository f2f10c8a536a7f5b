"""A reading twice is neither a misplay nor an act: examples of the law that holds in every game."""

from companion.kit.table_for_tests import Spot, cases
from tests.games.stop_it.table import called, collecting, counting


def test_a_card_that_still_lies_there_counts_once() -> None:
    table = counting()
    table.tap(2, "red-7", "red-7")
    table.count(1, 1)
    wrong = table.tap(2, "yellow-7")
    table.tap(2, "red-7")
    table.press(2)
    table.tap(2, "red-7")
    table.count(3, 2)
    table.tap(2, "red-7")
    assert (table.scores, table.misplays) == ((1, 1, 0), [wrong])


@cases("first, second", ("at the centre", 1, "centre"), ("at the seat", "centre", 1), ("where it lies", 1, 1))
def test_the_stop_card_sensed_again_is_shown_once(first: Spot, second: Spot) -> None:
    table = called()
    table.tap(first, "red-stop-1")
    table.tap(1, "red-1")
    table.tap(second, "red-stop-1")
    assert (table.misplays, table.uncounted) == ([], [1, 2, 3])


def test_the_stop_card_is_not_read_twice_at_the_next_call() -> None:
    table = called()
    table.tap("centre", "red-stop-1")
    table.counts(1, 1, 1)
    table.press(1)
    table.press(2)
    table.tap("centre", "red-stop-1")
    assert table.verdict == "stop-used card=red-stop-1"


def test_a_stop_card_refused_is_shown_when_the_shout_proves_to_be_earlier() -> None:
    table = called()
    shout = table.now
    wrong = table.tap(2, "red-stop-1")
    table.press(2, at=shout - 0.01)
    table.tap(2, "red-stop-1")
    assert (table.misplays, table.uncounted) == ([wrong], [1, 2, 3])


def test_the_stop_card_that_still_lies_there_after_the_end_is_no_misplay() -> None:
    table = collecting()
    table.hand_out(5, 5, 4)
    table.stop(1, 1, 1, 1, card="red-stop-1")
    wrong = table.tap(1, "red-1")
    table.tap(1, "red-stop-1")
    assert (table.over, table.misplays) == (True, [wrong])


def test_a_misplay_after_a_sealed_tap_repeats_none_but_is_told_as_if_it_did() -> None:
    repeated = counting()
    again = counting()
    wrong = repeated.tap(1, "yellow-7", "yellow-7") - 1
    again.tap(1, "yellow-7")
    again.tap(2, "red-7")
    anew = again.tap(1, "yellow-7")
    assert (repeated.misplays, again.misplays) == ([wrong], [wrong, anew])
    assert [again.sees(observer) for observer in (None, 1, 3)] == [repeated.sees(observer) for observer in (None, 1, 3)]
