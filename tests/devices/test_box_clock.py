"""The bound must hold whatever the delays are: the simulated clocks here are exact fractions."""

import copy
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.buzzer_box.device_time import CLOSE_US, DRIFT, TRIED, BoxClock

delays = st.integers(0, 20_000)
micros = st.integers(1, 5_000_000)


class World:
    """Exact table time, and a device whose rate may change at every step within the bound."""

    def __init__(self, table: int, device: int) -> None:
        self.table, self.device = Fraction(table, 1_000_000), Fraction(device)

    def wait(self, us: int, drift: Fraction) -> None:
        self.table += Fraction(us, 1_000_000)
        self.device += us * (1 + drift)

    def reading(self) -> int:
        return int(self.device)


worlds = st.builds(World, st.integers(0, 10**12), st.integers(0, 2**40))
# A shade inside DRIFT, which bounds table time by device time and not the other way round.
drifts = st.integers(-99, 99).map(lambda ppm: Fraction(ppm, 1_000_000))


def exchange(world, clock, data):
    drift = data.draw(drifts)
    sent = float(world.table)
    world.wait(data.draw(delays), drift)
    received = world.reading()
    world.wait(data.draw(delays), drift)
    answered = world.reading()
    world.wait(data.draw(delays), drift)
    clock.exchanged(sent, received, answered, float(world.table))


@given(worlds, st.data())
def test_the_truth_is_always_inside_the_stated_uncertainty(world, data):
    clock = BoxClock()
    true = []
    for _ in range(data.draw(st.integers(1, 12))):
        for _ in range(data.draw(st.integers(0, 3))):
            world.wait(data.draw(micros), data.draw(drifts))
            true.append((world.reading(), world.table))
        exchange(world, clock, data)
        # Presses come late and in any order, as after a replug.
        for device, table in data.draw(st.permutations(true)) if true else []:
            for moment in (clock.look(device), clock.place(device)):
                assert abs(Fraction(moment.at) - table) <= Fraction(moment.uncertainty)
        if data.draw(st.booleans()):
            true.clear()


@given(worlds, st.data())
def test_close_presses_keep_their_distance_to_the_microsecond(world, data):
    clock = BoxClock()
    exchange(world, clock, data)
    group = []
    start = world.reading()
    for _ in range(data.draw(st.integers(2, 12))):
        world.wait(data.draw(st.integers(0, 100_000)), data.draw(drifts))
        exchange(world, clock, data)  # the estimate gets better all the time
        device = start + data.draw(st.integers(0, CLOSE_US))
        group.append((device, clock.place(device).at))
    for device, at in group:
        assert round((at - group[0][1]) * 1e6) == device - group[0][0]


@given(worlds, st.lists(st.integers(0, 20_000_000), min_size=2, max_size=30), st.data())
def test_the_order_of_presses_is_never_turned(world, devices, data):
    clock = BoxClock()
    placed = []
    exchange(world, clock, data)
    start = world.reading()
    for device in devices:
        world.wait(data.draw(micros), data.draw(drifts))
        exchange(world, clock, data)
        placed.append((start + device, clock.place(start + device).at))
    placed.sort()
    for (earlier, first), (later, second) in pairwise(placed):
        assert first < second or earlier == later


@given(worlds, st.data())
def test_no_press_is_placed_before_what_the_box_has_passed(world, data):
    """Whatever was pressed before, and whatever is learnt of its clock meanwhile."""
    clock = BoxClock()
    for _ in range(data.draw(st.integers(1, 6))):
        exchange(world, clock, data)
        world.wait(data.draw(micros), data.draw(drifts))
        if data.draw(st.booleans()):
            clock.place(world.reading())
    passed = world.reading()
    earliest = clock.earliest(passed)
    for device in data.draw(st.lists(st.integers(passed, passed + 300_000), min_size=1, max_size=6)):
        exchange(world, clock, data)
        assert clock.place(device).at >= earliest


def test_a_quick_exchange_tells_more_than_a_slow_one():
    clock = BoxClock()
    clock.exchanged(10.0, 1_000_000, 1_000_000, 10.5)
    slow = clock.look(1_000_000).uncertainty
    clock.exchanged(11.0, 2_000_300, 2_000_300, 11.0005)
    assert slow == pytest.approx(0.25, rel=0.01)
    assert clock.look(2_000_300).uncertainty <= 0.000254


def test_a_press_waits_for_a_good_exchange_but_not_for_ever():
    clock = BoxClock()
    assert not clock.ready
    for number in range(TRIED - 1):
        clock.exchanged(10.0 + number, 10**6 * (1 + number), 10**6 * (1 + number), 10.04 + number)  # held up: ± 20 ms
        assert not clock.ready
    patient = clock
    at_last = copy.deepcopy(clock)
    patient.exchanged(20.0, 11_000_000, 11_000_000, 20.003)
    assert patient.ready
    at_last.exchanged(20.0, 11_000_000, 11_000_000, 20.04)
    assert at_last.ready


def test_uncertainty_grows_with_age_by_the_drift_bound():
    clock = BoxClock()
    clock.exchanged(10.0, 1_000_000, 1_000_000, 10.001)
    young = clock.look(1_000_000)
    old = clock.look(61_000_000)
    assert old.uncertainty - young.uncertainty == pytest.approx(60 * DRIFT)


def test_a_lone_press_adopts_what_was_learnt_and_a_close_one_does_not():
    clock = BoxClock()
    clock.exchanged(10.0, 1_000_000, 1_000_000, 10.5)
    first = clock.place(1_000_000)
    clock.exchanged(10.6, 1_600_000, 1_600_000, 10.6002)
    close = clock.place(1_700_000)
    assert close.at - first.at == pytest.approx(0.7, abs=1e-9)
    assert close.uncertainty > first.uncertainty
    lone = clock.place(1_700_000 + CLOSE_US + 1)
    assert lone.uncertainty < 0.001


def test_a_press_far_from_now_is_placed_by_the_exchanges_of_its_time():
    clock = BoxClock()
    clock.exchanged(10.0, 0, 0, 10.0004)
    clock.exchanged(3610.0, 3_600_000_000, 3_600_000_000, 3610.0004)
    assert clock.look(100_000).uncertainty < 0.001
    assert clock.look(3_599_900_000).uncertainty < 0.001
    assert clock.look(1_800_000_000).uncertainty > 0.1


def test_a_clock_that_was_stepped_is_learnt_anew():
    clock = BoxClock()
    clock.exchanged(10.0, 1_000_000, 1_000_000, 10.0004)
    clock.exchanged(500.0, 2_000_000, 2_000_000, 500.0004)
    assert clock.look(2_000_000).at == pytest.approx(500.0002)


@pytest.mark.parametrize(("received", "sent"), [(5, 4), (0, 1_000_000)])
def test_an_impossible_answer_teaches_nothing(received, sent):
    clock = BoxClock()
    clock.exchanged(10.0, received, sent, 10.001)
    assert not clock.ready
    with pytest.raises(ValueError, match="no time exchange"):
        clock.place(0)


def test_microseconds_survive_years_of_device_time():
    clock = BoxClock()
    device = 2**63
    clock.exchanged(1e6, device, device, 1e6 + 0.0004)
    assert round((clock.place(device + 1).at - clock.place(device).at) * 1e6) == 1
