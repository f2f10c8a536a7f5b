"""Our model of the PIO against the other emulator that the tests use, and against itself run cycle by cycle."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.firmware.pio import MHZ, PIN, START, Wave, begin_with, bounce, bounce_begun, bounce_code, code, run, stamp
from tests.firmware.silicon.machine import Machine, Pins
from tests.firmware.waves import SEEN, bouncing

MS = 1000 * MHZ
HIGH = 1 << PIN | 1


def machine_in(state, program, *, skips=True):
    machine = Machine([*program.words], Pins(HIGH), skips=skips, enabled=True, jmp_pin=PIN, autopush=True)
    machine.in_right = False
    machine.push_at = program.push_at
    machine.wrap_target = program.wrap_target
    machine.wrap = program.wrap
    machine.pc = state.program_counter
    machine.x = state.x_register
    machine.y = state.y_register
    machine.osr = state.output_shift_register.contents
    machine.tx.extend(state.transmit_fifo)
    return machine


def run_through(machine, wave, until, start=0):
    """Let the same happen as `tests.firmware.pio.run` does."""
    for at in sorted({start, *(start + edge for edge in wave.edges)}):
        machine.run(at)
        machine.pins.levels = (at >= start) << START | (0 if wave.closed(at - start) else HIGH)
    machine.run(until)
    return [*machine.rx]


waves = st.lists(st.one_of(st.integers(SEEN, 60 * MHZ), st.integers(SEEN, 6 * MS)), max_size=10).map(
    lambda lengths: Wave([40 * MS + sum(lengths[: n + 1]) for n in range(len(lengths))])
)


@given(waves)
def test_it_stamps_as_the_other_emulator_does(wave):
    until = 100 * MS
    start = 40
    _, theirs = run(begin_with(stamp.TIMES), wave, until, start)
    assert run_through(machine_in(begin_with(stamp.TIMES), code()), wave, until, start) == theirs


def test_it_watches_two_hundred_bounces_as_the_other_emulator_does():
    turns = 30 * MS // bounce.CYCLES_A_TURN
    wave = Wave(bouncing(random.Random(3), 1000, 200, longest=130 * MHZ))
    _, theirs = run(bounce_begun(turns), wave, 40 * MS, program=bounce_code())
    assert run_through(machine_in(bounce_begun(turns), bounce_code()), wave, 40 * MS) == theirs != []


@given(waves)
@settings(max_examples=5)
def test_turns_that_are_counted_leave_all_as_turns_that_are_run(wave):
    short = Wave([edge // 50_000 for edge in wave.edges])
    armed, _ = run(begin_with(stamp.TIMES), Wave([]), 40 * MS, 0)
    ends = [machine_in(armed, code(), skips=skips) for skips in (True, False)]
    for machine in ends:
        run_through(machine, short, 12_000, 40)
    skipped, stepped = ends
    assert (skipped.cycle, skipped.pc, skipped.x, skipped.y) == (stepped.cycle, stepped.pc, stepped.x, stepped.y)
    assert (skipped.isr, skipped.osr, skipped.rx) == (stepped.isr, stepped.osr, stepped.rx)
