"""The PIO program, run cycle by cycle as it stands in the firmware. Every figure here is an emulated one."""

import random
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.firmware.pio import MHZ, U32, Wave, begin_with, code, run, stamp
from tests.firmware.waves import CONTACT, GAP, RELEASE, SEEN, SPIKE, bouncing, clear, presses

MS = 1000 * MHZ

seeds = st.integers(0, 2**32)


def cycles(xs):
    """What the firmware makes of stamps, before the first turn of the counter is over: the edge came after this."""
    return [(-x & U32) * stamp.CYCLES_A_TURN - stamp.LATEST_CYCLES for x in xs]


def stamped(wave, until, *, on=0, **more):
    """Run a button's whole life; cycles count from the start pin's edge, and from the first line after it."""
    start = on + 40
    _, xs = run(begin_with(stamp.TIMES), wave, start + until, start, **more)
    return [cycle + 1 for cycle in cycles(xs)]  # the line that waits takes the start's own cycle


def right(stamps, edges):
    """Every edge stamped, none doubled, each after its stamp by one turn at the most."""
    assert len(stamps) == len(edges)
    for measured, edge in zip(stamps, edges, strict=True):
        assert 0 <= edge - measured <= stamp.CYCLES_A_TURN
    return True


def dips(at, lengths, gaps):
    """The edges of short contacts with gaps between them."""
    edges = [at]
    for length, gap in zip(lengths, [*gaps, 0], strict=True):
        edges += [edges[-1] + length, edges[-1] + length + gap]
    return edges[:-1]


lengths = st.one_of(
    st.integers(SEEN, 5 * MHZ),
    st.integers(5 * MHZ, SPIKE),
    st.integers(CONTACT, GAP),
    st.integers(GAP, RELEASE),
    st.integers(RELEASE, 2 * RELEASE),
)
waves = st.lists(lengths, max_size=12).map(
    lambda lengths: Wave([sum(lengths[: n + 1]) for n in range(len(lengths))]),
)


@given(waves, st.integers(0, 30))
@settings(max_examples=30)
def test_x_is_the_time_on_every_path(wave, on):
    start = on + 40
    heads = {code().places[name] for name in ("held", "armed", "gap", "closed")}

    def watch(state):
        if state.clock > start + 2 and state.program_counter in heads:
            assert state.clock - start - 2 == stamp.CYCLES_A_TURN * (-state.x_register & U32)

    run(begin_with(stamp.TIMES), wave, start + (wave.edges or [0])[-1] + 300, start, watch=watch)


@given(st.lists(st.integers(SEEN, 600), max_size=8))
@settings(max_examples=8)
def test_turns_that_are_counted_are_as_good_as_turns_that_are_run(lengths):
    begun = RELEASE + 1000
    armed, _ = run(begin_with(stamp.TIMES), Wave([]), begun, 7)
    wave = Wave([begun + sum(lengths[:n]) for n in range(len(lengths))])
    until = begun + 5000
    assert run(armed, wave, until, 7, skip=True) == run(armed, wave, until, 7, skip=False)


@given(waves)
@settings(max_examples=200)
def test_what_counts_as_a_press_is_what_the_model_says(wave):
    assume(clear(wave))
    expected = list(presses(wave))[:4]
    assert right(stamped(wave, (wave.edges or [0])[-1] + 2 * MS), expected)


@given(seeds, st.integers(1, 30))
def test_of_a_bouncing_contact_the_first_edge_is_stamped_and_no_other(seed, bounces):
    chance = random.Random(seed)
    at = 40 * MS + chance.randrange(1000)
    assert right(stamped(Wave(bouncing(chance, at, bounces)), at + 200 * MS), [at])


@given(seeds, st.integers(0, 12))
def test_a_tap_of_5_ms_counts_however_it_bounces_in_its_first_3_ms(seed, bounces):
    chance = random.Random(seed)
    at = 40 * MS + chance.randrange(1000)
    edges = [edge for edge in bouncing(chance, at, bounces) if edge < at + 3 * MS]
    edges += [at + 3 * MS + MHZ] * (len(edges) % 2 == 0)
    assert right(stamped(Wave([*edges, at + 5 * MS]), at + 100 * MS), [at])


@pytest.mark.parametrize("open_us", [1, 100, 1000, 2000, 3900])
def test_a_contact_may_open_again_for_almost_4_ms_and_its_first_edge_is_the_press(open_us):
    at = 40 * MS
    edges = dips(at, [20 * MHZ, 10 * MS], [open_us * MHZ])
    assert right(stamped(Wave(edges), at + 100 * MS), [at])


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
    at = 40 * MS + chance.randrange(1000)
    edges = {}
    stamps = {}
    for button in order:
        at += MHZ  # one microsecond
        edges[button] = at
        # The two PIO blocks see a pin through flip-flops of their own: one may see it a cycle later.
        late = chance.randrange(2) if button > 3 else 0
        wave = Wave([edge + late for edge in bouncing(chance, at, chance.randrange(12))])
        [stamps[button]] = stamped(wave, at + 100 * MS, on=ons[button])
    assert sorted(stamps, key=stamps.__getitem__) == list(order)
    for earlier_button, other in pairwise(order):
        assert abs(stamps[other] - stamps[earlier_button] - MHZ) <= stamp.CYCLES_A_TURN + 1  # 40 ns


@pytest.mark.parametrize("on", range(5))
def test_whenever_they_are_switched_on_they_share_one_clock(on):
    wave = Wave([40 * MS + 5, 50 * MS])
    assert stamped(wave, 60 * MS, on=on) == stamped(wave, 60 * MS)


@pytest.mark.parametrize("us", [0.1, 0.5, 0.9, 1.2, 2, 5, 20, 50, 100, 200, 500, 980])
def test_a_dip_is_no_press(us):
    at = 40 * MS
    assert stamped(Wave([at, at + round(us * MHZ)]), at + 100 * MS) == []


BURSTS = {
    "a relay's: 20 dips of 3 µs in 2 ms": ([3] * 20, [97] * 19),
    "a motor's: 2 µs, 20 times a millisecond, for 100 ms": ([2] * 2000, [48] * 1999),
    "a lamp's data, 24 bits": ([0.4, 0.8] * 12, [0.85, 0.45] * 11 + [0.85]),
    "long ones": ([900] * 10, [100, 4200, 3000] * 3),
}


@pytest.mark.parametrize(("lengths", "gaps"), BURSTS.values(), ids=BURSTS.keys())
def test_a_burst_of_dips_is_no_press(lengths, gaps):
    edges = dips(40 * MS, [round(us * MHZ) for us in lengths], [round(us * MHZ) for us in gaps])
    assert stamped(Wave(edges), edges[-1] + 100 * MS) == []


@given(st.integers(SEEN, SPIKE), st.integers(0, 7))
def test_a_spike_hides_no_press_that_follows_it_after_4_ms(length, phase):
    at = 40 * MS + phase
    press = at + length + GAP + MHZ
    assert right(stamped(Wave([at, at + length, press, press + 5 * MS]), at + 100 * MS), [press])


def test_a_button_held_down_at_the_start_has_to_be_released_first():
    wave = Wave([-10, 100 * MS, 120 * MS, 125 * MS, 160 * MS, 170 * MS])
    assert right(stamped(wave, 200 * MS), [160 * MS])


@pytest.mark.parametrize(("open_for", "counts"), [(31.45, False), (31.46, True)])
def test_a_button_counts_again_when_it_has_been_open_for_31_ms(open_for, counts):
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
    """137 s are one turn of it: 4 stamps before the end of the first and after it, and of the second."""
    once = (U32 + 1) * stamp.CYCLES_A_TURN
    edges = [40 * MS, 50 * MS, once - 1000, once + MS, once + 40 * MS, once + 50 * MS, 2 * once + 7, 2 * once + 2 * MS]
    stamps = stamped(Wave(edges), 2 * once + 2 * MS)
    turns = (0, 0, 1, 2)
    assert right([measured + turn * once for measured, turn in zip(stamps, turns, strict=True)], edges[::2])
