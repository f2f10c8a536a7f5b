"""Where the presses of a call stand on the ruler of the photo finish."""

from collections.abc import Sequence
from typing import Any

from companion.games.stop_it.photo_finish import PhotoFinish, next_press, photo_finish


def finish(
    *behind: int, doubt: int | None = 200, window: float = 0.0005, contenders: Sequence[int] = (1,)
) -> PhotoFinish:
    shouts = [{"seat": seat, "behind": time, "doubt": doubt} for seat, time in enumerate(behind, 1)]
    table: dict[str, Any] = {"shouts": shouts, "tie_window": window, "now": {"seats": contenders}, "rounds": []}
    return photo_finish(table, exact=True)


def test_the_first_press_stands_at_zero() -> None:
    drawn = finish(0, 40_000)
    assert drawn.presses[0].x == drawn.ticks[0].x == "9.0%"
    assert drawn.ticks[0].says == "0"


def test_presses_that_come_much_later_stand_behind_a_break() -> None:
    drawn = finish(0, 40_000, 60_000, 9_000_000)
    assert [press.late for press in drawn.presses] == [False, False, False, True]
    assert drawn.break_at
    assert drawn.presses[3].says == "9000"


def test_where_all_came_about_then_nothing_breaks_the_ruler() -> None:
    assert finish(0, 40_000, 60_000).break_at == ""


def test_a_ruler_of_tenths_of_a_second_is_in_seconds() -> None:
    assert finish(0, 200_000).unit == "s"
    assert finish(0, 20_000).unit == "ms"


def test_medals_too_near_each_other_are_drawn_in_two_lanes() -> None:
    high = [press.high for press in finish(0, 100_000, 101_000).presses]
    assert high[2] < high[1] == high[0]


def test_in_a_dead_heat_nobody_has_a_number() -> None:
    drawn = finish(0, 300, 40_000, contenders=(1, 2))
    assert drawn.level
    assert [press.order for press in drawn.presses] == ["=", "=", "3"]


def test_a_band_of_doubt_begins_no_earlier_than_the_first_press() -> None:
    band = finish(0, 300, doubt=900).presses[1].band
    drawn_to_second = finish(0, 300, doubt=900).span
    assert band is not None
    assert band.left == drawn_to_second


def test_of_presses_by_phone_side_by_side_one_is_explained() -> None:
    presses = finish(0, 100, 200, doubt=None).presses
    assert [press.by_phone for press in presses] == [True, False, False]
    assert [press.band for press in presses] == [None, None, None]


def test_a_window_too_small_to_be_seen_is_not_drawn() -> None:
    assert finish(0, 900_000, window=0.0001).window is None
    assert finish(0, 9_000).window is not None


def test_a_seat_compares_its_press_with_the_first_and_whoever_was_first_with_the_second() -> None:
    first, second, third = shouts = [{"seat": seat, "behind": 500 * seat} for seat in range(3)]
    assert [next_press(shouts, seat) for seat in range(4)] == [second, second, third, second]
    assert next_press([first], 0) is None
