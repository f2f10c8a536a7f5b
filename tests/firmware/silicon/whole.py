"""`make test-silicon UF2=path`: the box's firmware on a real MicroPython, from its install to the pulled plug.

Every figure is an emulated one: the processor, its flash and its USB are rp2040py's, the PIO is ours.
"""

import os
import random
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.devices.buzzer_box import programs, protocol
from companion.devices.lamp_cues import Cue
from hardware.pico import uf2
from hardware.pico.files import with_files
from tests.firmware.waves import bouncing

UF2 = os.environ.get("UF2")
if not UF2:
    pytest.skip("no image: UF2=path names one", allow_module_level=True)

from tests.firmware.silicon.cable import Cable  # noqa: E402
from tests.firmware.silicon.chip import MHZ, Chip  # noqa: E402

IMAGE = Path(UF2)
MS = 1000 * MHZ
WAIT_S = 15.0
PATIENCE = 1200.0
HANG_ONCE = b"""boot = open("boot.py", "w")
boot.write('''
from os import remove
remove("boot.py")
from talk import Talk
def step(self):
    while True:
        pass
Talk.step = step
''')
boot.close()
from machine import reset
reset()
"""


def install(chip, answer_s):
    """Have the project's own install done; whoever waits for the chip is patient, for the machine may be busy."""
    with pytest.MonkeyPatch.context() as patch, Cable(chip) as cable:
        patch.setattr("companion.devices.buzzer_box.inquiry.ANSWER_S", answer_s)
        patch.setattr("companion.cli.firmware.BACK_S", PATIENCE)
        patch.setattr("companion.cli.firmware._COPY_S", PATIENCE)
        return CliRunner().invoke(main, ["firmware", "install", "--port", cable.path])


@pytest.fixture(scope="session")
def installed():
    """What the install has said, and the flash that it has left."""
    chip = Chip(IMAGE)
    done = install(chip, answer_s=3.0)  # in vain: nothing on it answers yet
    return done, chip.flash()


@pytest.fixture(scope="session")
def one_file(tmp_path_factory):
    """The image that is a box at once: MicroPython and the firmware's files (`make uf2`)."""
    path = tmp_path_factory.mktemp("uf2") / "box.uf2"
    uf2.write(path, [with_files(uf2.read(IMAGE, uf2.PICO), programs.files())])
    return path


@pytest.fixture
def box(installed):
    """A box that has just got its power, and whose port is open."""
    chip = Chip(IMAGE, installed[1])
    greeted(chip)
    return chip


def answer(chip, kind, within=WAIT_S):
    """Let it run until something of this kind has come."""
    for _ in range(int(within / 0.01)):
        chip.run(0.01)
        if answers := chip.told(kind):
            return answers[-1]
    raise AssertionError(f"no {kind.__name__} within {within} s")


def greeted(chip):
    chip.run(0.4)
    chip.open()
    chip.run(0.4)
    chip.told(protocol.Hello)
    chip.say(protocol.AskHello())
    hello = answer(chip, protocol.Hello)
    chip.run(0.05)  # it may have started just now: a button counts once it has been open for 31 ms
    return hello


def presses(chip, count):
    """Let it run until so many presses have come, and acknowledge them: each once, by number."""
    by_number = {}
    for _ in range(400):
        chip.run(0.01)
        by_number |= {press.seq: press for press in chip.told(protocol.Press)}
        if len(by_number) >= count:
            break
    in_order = [by_number[number] for number in sorted(by_number)]
    chip.say(protocol.Ack(in_order[-1].boot, in_order[-1].seq))
    return in_order


def test_the_companions_own_install_puts_it_on_a_blank_pico(installed):
    done, _ = installed
    assert done.exit_code == 0, done.output
    assert "no firmware runs" in done.output
    assert f"firmware {programs.version()} runs at" in done.output


def test_it_is_installed_anew_over_one_that_runs(installed):
    chip = Chip(IMAGE, installed[1])
    done = install(chip, answer_s=60.0)
    assert done.exit_code == 0, done.output
    assert "has made room" in done.output
    assert chip.resets == 1


def test_the_one_file_makes_a_blank_pico_the_box_that_says_hello_hears_presses_and_lights_lamps(one_file):
    chip = Chip(one_file)
    hello = greeted(chip)
    assert (hello.firmware, hello.buttons) == (programs.version(), 6)
    chip.press(4, MS)
    assert [(press.seq, press.button) for press in presses(chip, 1)] == [(1, 4)]
    chip.say(protocol.Show(2, Cue.FIRST))
    chip.run(0.2)
    assert chip.lamps()[1] == (90, 90, 90)
    assert chip.resets == 0


def test_over_the_one_file_another_firmware_is_installed(one_file):
    chip = Chip(one_file)
    done = install(chip, answer_s=60.0)
    assert done.exit_code == 0, done.output
    assert "has made room" in done.output


def test_it_says_who_it_is_and_that_all_its_stamps_are_good(box):
    box.say(protocol.AskHello())
    assert answer(box, protocol.Hello).buttons == 6
    box.say(protocol.AskTest())
    tested = answer(box, protocol.Tested)
    assert (tested.channels, tested.begun) == ("++++++", "power")
    assert tested.free > 20_000, "before a collection"


def test_of_any_two_buttons_the_first_is_told_first_down_to_fifty_nanoseconds(box):
    chance = random.Random(5)
    expected = []
    got = []
    for first, second in permutations(range(1, 7), 2):
        gap = chance.choice((6, 12, 25, 125))  # cycles: 48 ns to 1 µs
        begin = chance.randrange(2 * MS)
        box.press(first, begin, held_ms=5)
        box.press(second, begin + gap, held_ms=5)
        pair = sorted(presses(box, 2), key=lambda press: press.at)
        expected.append((first, second, True))
        got.append((*(press.button for press in pair), pair[1].at - pair[0].at == 1))
        box.run(0.045)
    assert got == expected


def test_no_press_is_told_after_the_box_has_said_that_all_before_its_time_are_told(box):
    chance = random.Random(11)
    lines = []
    for _ in range(12):
        for button in chance.sample(range(1, 7), 3):
            begin = chance.randrange(40 * MS)
            bounces = bouncing(chance, begin, chance.choice((0, 20)), longest=20 * MHZ)
            box.contact(button, [*bounces, bounces[-1] + 20 * MS])
        box.run(0.12)
        lines += box.told((protocol.Press, protocol.ToldUpTo))
        box.say(protocol.Ack(lines[-1].boot, max(line.seq for line in lines if isinstance(line, protocol.Press))))
    marks = [line for line in lines if isinstance(line, protocol.ToldUpTo)]
    pressed = {line.seq: line.at for line in lines if isinstance(line, protocol.Press)}
    assert len(pressed) == 36
    assert len(marks) > 36
    assert all(at >= line.at for line in marks for seq, at in pressed.items() if seq > line.last)


def test_six_buttons_that_bounce_two_hundred_times_at_once_are_six_presses_at_their_first_contact(box):
    chance = random.Random(7)
    begins = [MS + chance.randrange(MS) for _ in range(6)]
    for button, begin in enumerate(begins, 1):
        edges = bouncing(chance, begin, 100, longest=130 * MHZ)
        box.contact(button, [*edges, edges[-1] + 60 * MS])
    stamps = {press.button: press.at for press in presses(box, 6)}
    box.run(0.2)
    assert [press for press in box.told(protocol.Press) if press.seq > 6] == []
    true = {button: begin / MHZ for button, begin in enumerate(begins, 1)}
    assert all(abs(stamps[n] - stamps[1] - (true[n] - true[1])) <= 1.1 for n in true)


def test_a_contacts_bounces_are_counted_and_timed(box):
    box.run(0.1)
    box.say(protocol.AskBounces(77, 3))
    assert answer(box, protocol.Bounces).contact == "waits"
    box.run(0.1)
    edges = bouncing(random.Random(9), MS, 50, longest=130 * MHZ)
    box.contact(3, [*edges, edges[-1] + 60 * MS])
    presses(box, 1)
    box.run(0.1)
    box.say(protocol.AskBounces(77, 3))
    bounces = answer(box, protocol.Bounces)
    assert (bounces.contact, bounces.edges) == ("closed", len(edges) - 1)
    assert abs(bounces.settled - (edges[-1] - edges[0]) / MHZ) <= 1


def test_noise_and_the_byte_that_stops_programs_are_ignored(box):
    box.send(bytes(random.Random(1).choices([3, 4, 1, 13, 0x41, 0xFF], k=2000)) + b"\n")
    box.run(0.5)
    box.say(protocol.AskTime(9))
    assert answer(box, protocol.TimeAnswer).nonce == 9


def test_presses_made_while_no_program_listens_are_told_when_one_does(box):
    box.close()
    for button in range(1, 7):
        box.press(button, button * 100 * MS)
    box.run(3.0)
    box.told(protocol.Press)
    box.open()
    box.run(0.2)
    box.told(protocol.Press)
    assert [press.button for press in presses(box, 6)] == [1, 2, 3, 4, 5, 6]


def test_a_pulled_plug_costs_what_was_not_acknowledged_and_it_starts_by_itself(box, installed):
    box.press(1, MS)
    presses(box, 1)
    again = Chip(IMAGE, box.flash())
    greeted(again)
    again.press(2, MS)
    assert [(press.seq, press.button) for press in presses(again, 1)] == [(1, 2)]


def test_it_feeds_its_watchdog(box):
    box.run(9.0)
    assert box.resets == 0


def test_a_loop_that_hangs_is_ended_by_the_watchdog_after_eight_seconds(box):
    box.say(protocol.GivesWay(box.told(protocol.Beat)[-1].boot))
    box.run(0.3)
    box.send(b"\x03\r\x01" + HANG_ONCE + b"\x04")
    times = []
    while len(times) < 2 and box.now < 25:
        resets_before = box.resets
        box.run(0.02)
        times += [box.now] * (box.resets - resets_before)
    began, ended = times
    assert 8.0 < ended - began < 9.0
    greeted(box)
    box.say(protocol.AskTest())
    assert answer(box, protocol.Tested).begun == "watchdog"
