"""The PIO program, run cycle by cycle as it stands in the firmware. Every figure here is an emulated one."""

import random
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.firmware.pio import MHZ, U32, Wave, begin_with, code, run, stamp
from tests.firmware.waves import CONTACT, SEEN, SPIKE, bouncing, clear, presses

MS = 1000 * MHZ
RELEASE = 30 * MS // stamp.RELEASE_CYCLES
SHORT = 20
"""A release time for waves that are run cycle by cycle; in the program's unit."""

seeds = st.integers(0, 2**32)


def release_cycles(release):
    return release * stamp.RELEASE_CYCLES


def cycles(xs):
    """What the firmware makes of stamps, before the first turn of the counter is over: the edge came after this."""
    return [(-x & U32) * stamp.CYCLES_A_TURN - stamp.LATEST_CYCLES for x in xs]


def stamped(wave, until, *, release=RELEASE, on=0, **more):
    """Run a button's whole life; cycles count from the start pin's edge, and from the first line after it."""
    start = on + 40
    _, xs = run(begin_with(release), wave, start + until, start, **more)
    return [cycle + 1 for cycle in cycles(xs)]  # the line that waits takes the start's own cycle


def right(stamps, edges):
    """Every edge stamped, none doubled, each after its stamp by two cycles at the most."""
    assert len(stamps) == len(edges)
    for told, edge in zip(stamps, edges, strict=True):
        assert 0 <= edge - told <= stamp.CYCLES_A_TURN
    return True


def test_the_program_fits_beside_others():
    assert len(code().words) <= 24, "of 32"


@st.composite
def waves(draw, release=SHORT):
    lengths = st.one_of(
        st.integers(SEEN, SPIKE),
        st.integers(CONTACT, 2 * CONTACT),
        st.integers(release_cycles(release) + 16, 3 * release_cycles(release)),
    )
    edges, at = [], 0
    for length in draw(st.lists(lengths, max_size=8)):
        at += length
        edges.append(at)
    return Wave(edges)


@given(waves(), st.integers(0, 30))
@settings(max_examples=12)
def test_x_is_the_time_on_every_path(wave, on):
    start = on + 40
    heads = {code().places[name] for name in ("held", "armed", "closed")}

    def watch(state):
        if state.clock > start + 1 and state.program_counter in heads:
            assert state.clock - start - 1 == stamp.CYCLES_A_TURN * (-state.x_register & U32)

    run(begin_with(SHORT), wave, start + (wave.edges or [0])[-1] + 300, start, skip=False, watch=watch)


@given(waves())
@settings(max_examples=8)
def test_turns_that_are_counted_are_as_good_as_turns_that_are_run(wave):
    until = (wave.edges or [0])[-1] + 300
    assert run(begin_with(SHORT), wave, until, 7, skip=True) == run(begin_with(SHORT), wave, until, 7, skip=False)


@given(waves())
@settings(max_examples=60)
def test_what_counts_as_a_press_is_what_the_model_says(wave):
    assume(clear(wave, release_cycles(SHORT)))
    expected = list(presses(wave, release_cycles(SHORT)))[:4]
    assert right(stamped(wave, (wave.edges or [0])[-1] + 2000, release=SHORT), expected)


@given(seeds, st.integers(1, 30))
def test_of_a_bouncing_contact_the_first_edge_is_stamped_and_no_other(seed, bounces):
    chance = random.Random(seed)
    at = 40 * MS + chance.randrange(1000)
    assert right(stamped(Wave(bouncing(chance, at, bounces)), at + 200 * MS), [at])


def test_two_hundred_bounces_leave_one_stamp_though_nobody_fetches_for_50_ms():
    chance = random.Random(1)
    down = bouncing(chance, 40 * MS + 1, 200, longest=120 * MHZ)
    up = bouncing(chance, down[-1] + 60 * MS, 200, longest=120 * MHZ)
    again = bouncing(chance, up[-1] + 60 * MS, 200, longest=120 * MHZ)
    assert len(down) == 401
    wave = Wave(down + up + again)
    assert right(stamped(wave, again[-1] + 50 * MS), [down[0], again[0]])


@given(st.permutations(range(6)), seeds, st.lists(st.integers(0, 30), min_size=6, max_size=6))
@settings(max_examples=15)
def test_six_bouncing_buttons_a_microsecond_apart_come_in_their_order(order, seed, ons):
    chance = random.Random(seed)
    at, edges, stamps = 40 * MS + chance.randrange(1000), {}, {}
    for button in order:
        at += MHZ  # one microsecond
        edges[button] = at
        # The two PIO blocks see a pin through flip-flops of their own: one may see it a cycle later.
        late = chance.randrange(2) if button > 3 else 0
        wave = Wave([edge + late for edge in bouncing(chance, at, chance.randrange(12))])
        [stamps[button]] = stamped(wave, at + 100 * MS, on=ons[button])
    assert sorted(stamps, key=stamps.__getitem__) == list(order)
    for one, other in pairwise(order):
        assert abs(stamps[other] - stamps[one] - MHZ) <= 3  # 24 ns


@pytest.mark.parametrize("on", range(5))
def test_whenever_they_are_switched_on_they_share_one_clock(on):
    wave = Wave([40 * MS + 5, 50 * MS])
    assert stamped(wave, 60 * MS, on=on) == stamped(wave, 60 * MS)


@given(st.integers(SEEN, SPIKE), st.integers(0, 7))
def test_a_spike_is_no_press_and_does_not_hide_one(length, phase):
    at = 40 * MS + phase
    wave = Wave([at, at + length, at + 2 * SPIKE, at + 2 * SPIKE + 5 * MS])
    assert right(stamped(wave, at + 100 * MS), [at + 2 * SPIKE])


def test_a_button_held_down_at_the_start_has_to_be_released_first():
    wave = Wave([-10, 100 * MS, 120 * MS, 125 * MS, 160 * MS, 170 * MS])
    assert right(stamped(wave, 200 * MS), [160 * MS])


@pytest.mark.parametrize(("open_for", "counts"), [(29.99, False), (30.01, True)])
def test_a_button_counts_again_when_it_has_been_open_for_30_ms(open_for, counts):
    opens = 50 * MS
    again = opens + round(open_for * MS)
    wave = Wave([40 * MS, opens, again, again + 5 * MS])
    assert right(stamped(wave, again + 20 * MS), [40 * MS, again][: 1 + counts])


def test_the_first_four_presses_wait_and_later_ones_are_dropped():
    edges = [edge for n in range(7) for edge in (40 * MS * (n + 1), 40 * MS * (n + 1) + 5 * MS)]
    assert right(stamped(Wave(edges), 400 * MS), edges[:8:2])
    fetched_in_between = stamped(Wave(edges), 400 * MS, fetch=[100 * MS, 200 * MS])
    assert right(fetched_in_between, edges[::2])


def test_the_counter_turns_round_without_a_hitch():
    """68.7 s are one turn of it: 4 stamps before the end of the first and after it, and of the second."""
    once = (U32 + 1) * stamp.CYCLES_A_TURN
    edges = [40 * MS, 50 * MS, once - 1000, once + MS, once + 40 * MS, once + 50 * MS, 2 * once + 7, 2 * once + MS]
    stamps = stamped(Wave(edges), 2 * once + 2 * MS)
    turns = (0, 0, 1, 2)
    assert right([told + turn * once for told, turn in zip(stamps, turns, strict=True)], edges[::2])
