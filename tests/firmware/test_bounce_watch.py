"""The PIO program that watches one contact bounce, run cycle by cycle. Every figure here is an emulated one."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.firmware.pio import MHZ, Wave, bounce, bounce_begun, bounce_code, code, run
from tests.firmware.waves import SEEN, bouncing

MS = 1000 * MHZ
TURNS = 30 * MS // bounce.CYCLES_A_TURN


def watched(edges, until, turns=TURNS):
    """What was handed over by then, as (edges, cycles to the last closing); None if nothing was."""
    _, words = run(bounce_begun(turns), Wave(edges), until, program=bounce_code())
    return bounce.measured(turns, words[0]) if words else None


def test_both_programs_fit_into_one_block():
    assert len(code().words) + len(bounce_code().words) <= 32


WATCHED = {
    "it waits for the button": ([], 20_000 * MS, None),
    "as long as that takes": ([20_000 * MS], 20_031 * MS, (0, 0)),
    "it hands over when the window is over": ([100], 100 + 30 * MS + 10, (0, 0)),
    "and not before": ([100], 100 + 30 * MS - 10, None),
    "a finger that lets go at once leaves it open": ([1000, 1000 + 12 * MS], 40 * MS, (1, 0)),
    "what comes after the window is not counted": ([1000, 1000 + 31 * MS, 1000 + 32 * MS], 40 * MS, (0, 0)),
    "nor after bounces": ([1000, 2000, 3000, 1000 + 31 * MS], 40 * MS, (2, 2000)),
}


@pytest.mark.parametrize(("edges", "until", "expected"), WATCHED.values(), ids=WATCHED.keys())
def test_what_is_watched_is_told(edges, until, expected):
    assert watched(edges, until) == expected


@given(st.lists(st.integers(SEEN, 3 * MS), max_size=9), st.integers(0, 3))
@settings(max_examples=60)
def test_every_edge_is_counted_and_the_last_closing_timed(lengths, phase):
    edges = [1000 + phase]
    for length in lengths:
        edges.append(edges[-1] + length)
    counted, cycles = watched(edges, 40 * MS)
    assert counted == len(lengths)
    settled = edges[len(lengths) // 2 * 2] - edges[0]
    assert abs(cycles - settled) <= bounce.CYCLES_A_TURN


def test_two_hundred_bounces_do_not_spoil_the_time():
    edges = bouncing(random.Random(3), 1000, 200, longest=130 * MHZ)
    counted, cycles = watched(edges, 40 * MS)
    assert counted == 400
    assert abs(cycles - (edges[-1] - edges[0])) <= bounce.CYCLES_A_TURN
