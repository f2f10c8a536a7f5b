"""The finger: a second Pico that presses two ports of the box. Every figure here is an emulated one."""

import random
from collections import deque

import pytest
from click.testing import CliRunner
from pioemu import State, emulate

from companion.cli import main
from companion.cli.check import finger_check
from companion.devices.buzzer_box.inquiry import Asking
from companion.devices.buzzer_box.programs import Program
from tests.firmware.pico import MHZ, Pico
from tests.firmware.pio import _assembled, module
from tests.waiting import until

touch = module("finger/touch")


@pytest.mark.parametrize(("first", "cycles"), [(1, 2), (2, 3), (1, 6250), (2, 0)])
def test_its_program_presses_both_so_many_cycles_apart_and_lets_go_of_both(first: int, cycles: int) -> None:
    code = _assembled(touch.touch)
    state = State(transmit_fifo=deque(touch.words(first, cycles, 50)))
    pressed: dict[int, int] = {}
    running = emulate(
        list(code.words),
        stop_when=lambda _, state_now: bool(state_now.receive_fifo),
        initial_state=state,
        wrap_target=code.wrap_target,
        wrap_top=code.wrap,
    )
    for _, state_now in running:
        state = state_now
        for pin in (0, 1):
            if state.pin_directions >> pin & 1:
                pressed.setdefault(pin, state.clock)
    assert pressed[2 - first] - pressed[first - 1] == cycles
    assert state.pin_directions & 0b11 == 0


@pytest.fixture
def finger(pico: Pico):
    """Wired to the second and the fifth port of the box, whose look every two cycles may come in either."""
    chance = random.Random(8)

    def press(between: int, pins: int) -> None:
        cycles = 0 if pins & 0b11 == 0b11 else between + touch.LEAST_CYCLES
        first_button, other = ((2, 5), (5, 2))[pins & 0b11 == 0b10]
        pico.press((first_button, 0), (other, (cycles + chance.randrange(2)) // 2))

    with Pico(program=Program.FINGER) as second:
        second.touched = press
        yield second


def test_it_presses_once_for_each_nonce_and_says_how_far_apart_that_was(finger: Pico) -> None:
    pressed: list[tuple[int, int]] = []
    finger.touched = lambda between, pins: pressed.append((between, pins))
    with Asking(finger.path) as asking:
        assert asking.hello().firmware.startswith("finger-")
        assert [asking.touch(1, 0), asking.touch(2, 5), asking.touch(1, 1000)] == [0, 16, 1000]
        asking.give_way(asking.hello().boot)
    until(lambda: finger.prompt)
    assert pressed == [(0, 0b1111), (0, 0b1110), (1000 * MHZ // 1000 - 2, 0b1101)]


def test_a_table_gets_its_certificate(pico: Pico, finger: Pico, tmp_path, monkeypatch) -> None:
    table = tmp_path / "table.toml"
    table.write_text(f'[[buzzers]]\ndriver = "pico"\nport = "{pico.path}"\nseats = [1, 2, 3, 4, 5, 6]\n')
    monkeypatch.setattr("companion.cli.check.checking.MEASURED_S", 0.1)
    monkeypatch.setattr(finger_check, "_AT_ONCE", 0.2)
    done = CliRunner().invoke(main, ["check", str(table), "--zero", "20", "--finger", finger.path])
    assert done.exit_code == 0, done.output
    assert "The finger presses seat 2 and seat 5, 20 times." in done.output
    assert "certificate: seat 2 and seat 5" in done.output
    assert "in order (so fewer than" in done.output


def test_a_box_in_the_place_of_a_finger_is_told(pico: Pico, tmp_path) -> None:
    table = tmp_path / "table.toml"
    table.write_text('[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n')
    done = CliRunner().invoke(main, ["check", str(table), "--zero", "5", "--finger", pico.path])
    assert done.exit_code == 1
    assert "install --as finger" in done.output
