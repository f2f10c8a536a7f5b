"""One button at several ports: what is said of them, by what each told of the same presses."""

import random
from collections.abc import Iterable

import pytest

from companion.devices.check.fairness import FEWEST, Evenness, Joined, Pair, add_press, missed, pairs
from companion.devices.sensing import Buzzed

WINDOW = 0.0005


def joined_presses(*presses: dict[int, float], start: float = 10.0, apart: float = 1.0) -> Joined:
    """Presses a second apart; each as the seats that told it, and how late they did."""
    joined = Joined()
    for number, press in enumerate(presses):
        for seat, late in press.items():
            joined = add_press(joined, Buzzed(seat, start + number * apart + late, 0.0, f"{number}-{seat}"))
    return joined


def compared(presses: Iterable[dict[int, float]], window: float = WINDOW) -> Pair:
    [pair] = pairs(joined_presses(*presses), window)
    return pair


def test_ports_that_tell_the_same_are_equal_within_what_times_are_told_in() -> None:
    pair = compared([{1: 0.0, 3: 0.0}] * 20)
    assert pair.evenness is Evenness.EQUAL
    assert pair.within == pytest.approx(1e-6)
    assert (pair.presses, pair.one_first, pair.other_first) == (20, 0, 0)


def test_who_was_first_is_counted() -> None:
    pair = compared([{1: 0.0, 3: 1e-6}] * 9 + [{1: 1e-6, 3: 0.0}] * 6 + [{1: 0.0, 3: 0.0}] * 5)
    assert (pair.one, pair.one_first, pair.other_first) == (1, 9, 6)
    assert pair.most == pytest.approx(1e-6)


def test_the_port_that_tells_later_is_the_other_and_by_how_much() -> None:
    pair = compared([{4: 0.0, 2: 45e-6}] * 20)
    assert (pair.one, pair.other) == (4, 2)
    assert pair.late == pytest.approx(45e-6)


VARIED = [{1: 0.0, 2: 300e-6}, {1: 300e-6, 2: 0.0}]
EVEN = {
    "up to a tenth of the tie window a port is as good as equal": ([{1: 0.0, 2: 45e-6}] * 20, WINDOW, Evenness.EQUAL),
    "and then late": ([{1: 0.0, 2: 55e-6}] * 20, WINDOW, Evenness.LATE),
    "a wider tie window forgives more": ([{1: 0.0, 2: 400e-6}] * 20, 0.005, Evenness.EQUAL),
    "a press that would have beaten itself is told however few": ([{1: 0.0, 2: 600e-6}], WINDOW, Evenness.SPLIT),
    "too few presses prove nothing": ([{1: 0.0, 2: 0.0}] * (FEWEST - 1), WINDOW, Evenness.FEW),
    "as many as are wanted do": ([{1: 0.0, 2: 0.0}] * FEWEST, WINDOW, Evenness.EQUAL),
    "ports that vary need more": (VARIED * 8, WINDOW, Evenness.UNSURE),
    "and then are equal": (VARIED * 100, WINDOW, Evenness.EQUAL),
}


@pytest.mark.parametrize(("presses", "window", "evenness"), EVEN.values(), ids=EVEN.keys())
def test_how_even_two_ports_are(presses: list[dict[int, float]], window: float, evenness: Evenness) -> None:
    assert compared(presses, window).evenness is evenness


def test_what_is_said_within_holds_for_what_the_ports_are() -> None:
    """Ports that really differ by 20 µs, and vary by 40: the average is said to be within more than that."""
    chance = random.Random(1)

    def said() -> float:
        return compared([{1: 0.0, 2: chance.gauss(20e-6, 40e-6)} for _ in range(50)]).within

    assert sum(said() >= 20e-6 for _ in range(200)) > 190


def test_many_ports_are_compared_two_at_a_time() -> None:
    all_pairs = [*pairs(joined_presses(*[{1: 0.0, 2: 0.0, 5: 0.0}] * 12), WINDOW)]
    assert [(pair.one, pair.other) for pair in all_pairs] == [(1, 2), (1, 5), (2, 5)]


def test_a_bounce_that_is_told_is_no_other_press() -> None:
    joined = joined_presses(*[{1: 0.0, 2: 0.0}] * 3)
    assert len(add_press(joined, Buzzed(1, 10.05, 0.0, "again")).presses) == 3


def test_ports_of_two_devices_are_told_in_any_order() -> None:
    joined = joined_presses(*[{1: 0.0}] * 12)
    for number in range(12):
        joined = add_press(joined, Buzzed(2, 10.0 + number + 30e-6, 0.0, f"late-{number}"))
    [pair] = pairs(joined, WINDOW)
    assert (pair.presses, round(pair.late * 1e6)) == (12, 30)


def test_a_port_that_does_not_hear_every_press_is_told() -> None:
    assert missed(joined_presses(*[{1: 0.0, 2: 0.0}] * 10, {1: 0.0}, {1: 0.0})) == {2: 2}


def test_two_buttons_that_nobody_joined_have_nothing_in_common() -> None:
    joined = joined_presses(*[{1: 0.0}, {2: 0.0}] * 8)
    [pair] = pairs(joined, WINDOW)
    assert (pair.presses, pair.evenness) == (0, Evenness.FEW)
    assert missed(joined) == {1: 8, 2: 8}
