"""One button at several ports: what is said of them, by what each told of the same presses."""

import random
from collections.abc import Iterable

import pytest

from companion.devices.check.fairness import FEWEST, Evenness, Joined, Pair, heard, missed, pairs
from companion.devices.sensing import Buzzed

WINDOW = 0.0005


def told(*presses: dict[int, float], start: float = 10.0, apart: float = 1.0) -> Joined:
    """Presses a second apart; each as the seats that told it, and how late they did."""
    joined = Joined()
    for number, press in enumerate(presses):
        for seat, late in press.items():
            joined = heard(joined, Buzzed(seat, start + number * apart + late, 0.0, f"{number}-{seat}"))
    return joined


def compared(presses: Iterable[dict[int, float]], window: float = WINDOW) -> Pair:
    [pair] = pairs(told(*presses), window)
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


@pytest.mark.parametrize(("late", "evenness"), [(45e-6, Evenness.EQUAL), (55e-6, Evenness.LATE)])
def test_a_port_is_late_from_a_tenth_of_the_tie_window_on(late: float, evenness: Evenness) -> None:
    pair = compared([{4: 0.0, 2: late}] * 20)
    assert (pair.one, pair.other) == (4, 2), "the later one is the other"
    assert pair.late == pytest.approx(late)
    assert pair.evenness is evenness


def test_a_wider_tie_window_forgives_more() -> None:
    assert compared([{1: 0.0, 2: 400e-6}] * 20, window=0.005).evenness is Evenness.EQUAL


def test_a_press_that_would_have_beaten_itself_is_told_however_few_there_are() -> None:
    assert compared([{1: 0.0, 2: 600e-6}]).evenness is Evenness.SPLIT


def test_too_few_presses_prove_nothing() -> None:
    assert compared([{1: 0.0, 2: 0.0}] * (FEWEST - 1)).evenness is Evenness.FEW
    assert compared([{1: 0.0, 2: 0.0}] * FEWEST).evenness is Evenness.EQUAL


def test_ports_that_vary_need_more_presses() -> None:
    varied = [{1: 0.0, 2: 300e-6}, {1: 300e-6, 2: 0.0}]
    assert compared(varied * 8).evenness is Evenness.UNSURE
    assert compared(varied * 100).evenness is Evenness.EQUAL


def test_what_is_said_within_holds_for_what_the_ports_are() -> None:
    """Ports that really differ by 20 µs, and vary by 40: the average is said to be within more than that."""
    chance = random.Random(1)

    def said() -> float:
        return compared([{1: 0.0, 2: chance.gauss(20e-6, 40e-6)} for _ in range(50)]).within

    assert sum(said() >= 20e-6 for _ in range(200)) > 190


def test_many_ports_are_compared_two_at_a_time() -> None:
    found = [*pairs(told(*[{1: 0.0, 2: 0.0, 5: 0.0}] * 12), WINDOW)]
    assert [(pair.one, pair.other) for pair in found] == [(1, 2), (1, 5), (2, 5)]


def test_a_bounce_that_is_told_is_no_other_press() -> None:
    joined = told(*[{1: 0.0, 2: 0.0}] * 3)
    assert len(heard(joined, Buzzed(1, 10.05, 0.0, "again")).presses) == 3


def test_ports_of_two_devices_are_told_in_any_order() -> None:
    joined = told(*[{1: 0.0}] * 12)
    for number in range(12):
        joined = heard(joined, Buzzed(2, 10.0 + number + 30e-6, 0.0, f"late-{number}"))
    [pair] = pairs(joined, WINDOW)
    assert (pair.presses, round(pair.late * 1e6)) == (12, 30)


def test_a_port_that_does_not_hear_every_press_is_told() -> None:
    assert missed(told(*[{1: 0.0, 2: 0.0}] * 10, {1: 0.0}, {1: 0.0})) == {2: 2}


def test_two_buttons_that_nobody_joined_have_nothing_in_common() -> None:
    joined = told(*[{1: 0.0}, {2: 0.0}] * 8)
    [pair] = pairs(joined, WINDOW)
    assert (pair.presses, pair.evenness) == (0, Evenness.FEW)
    assert missed(joined) == {1: 8, 2: 8}
