"""The real firmware in MicroPython: its watchdog, its lamps, and what it does when asked."""

import re

import pytest
import serial

from companion.devices.buzzer_box.connection import SILENCE_S
from companion.devices.buzzer_box.inquiry import Asking
from companion.devices.lamp_cues import CENTRE, Cue
from tests.devices.hearing import listening
from tests.devices.test_box_protocol import with_crc
from tests.emulators.box import KEPT
from tests.firmware.pico import MHZ, Pico
from tests.firmware.speaking import origins, passed, send_line
from tests.waiting import PATIENCE, until

# The watchdog.


def test_the_watchdog_is_fed_while_the_loop_lives(idle):
    until(lambda: idle.feeds > 100)
    assert idle.boots == ["power"]


@pytest.mark.parametrize("how", ["hang", "break"])
def test_a_loop_that_stands_still_or_breaks_starts_again_by_itself(pico, how):
    with listening(pico.path) as table:
        pico.press(1)
        until(lambda: len(table.presses) == 1)
        pico.order(how)
        if how == "break":
            until(lambda: pico.prompt)
            pico.order("wait", 9_000_000)
        until(lambda: pico.boots == ["power", "watchdog"])
        until(lambda: pico.started)
        pico.press(2)
        until(lambda: len(table.presses) == 2)
        (first, _), (other, _) = origins(table)
        assert first != other
    with Asking(pico.path) as asking:
        assert asking.test().begun == "watchdog"


@pytest.mark.parametrize("lines", ["repeated", "new", "answers"])
def test_a_reader_that_takes_a_second_for_a_line_does_not_wake_the_watchdog(pico, lines):
    presses = [(button, turn) for turn in range(4) for button in range(1, 7)]
    for _ in range(KEPT if lines == "repeated" else 0):
        pico.press(2)
    pico.order("slow", 1_000_000)
    match lines:
        case "new":
            pico.press(*presses)
        case "answers":
            with serial.Serial(pico.path) as port:
                port.write(b"".join(with_crc(b"T %d" % nonce) + b"\n" for nonce in range(20)))
                port.flush()
                passed(pico, steps=2)
    passed(pico, steps=1)
    pico.order("slow", 0)
    with listening(pico.path) as table:
        until(lambda: len(table.presses) == {"repeated": KEPT, "new": len(presses), "answers": 0}[lines])
    assert pico.boots == ["power"]


def test_a_reader_that_stops_reading_stops_nothing(pico):
    pico.order("full", True)
    stamps = pico.press(1)
    sent = bytearray()
    passed(pico, steps=100)
    pico.to_pi = lambda data: sent.extend(data) or data
    passed(pico, steps=200)
    assert sent == b""
    pico.order("full", False)
    with listening(pico.path) as table:
        until(lambda: table.presses)
        assert stamps[0][0] == table.presses[0].seat


# What else it does when asked.


def test_lamps_show_what_the_pi_says_and_that_nobody_listens(pico):
    with listening(pico.path) as table:
        table.source.show({1: Cue.READ, 3: Cue.FIRST})
        dark = "000000"
        until(lambda: pico.lamps and pico.lamps[0] != dark and pico.lamps[2] != dark)
        assert pico.lamps[1] == pico.lamps[3] == dark
        steady = pico.lamps
        passed(pico, steps=50)
        assert pico.lamps == steady
        pico.order("skip", 3_000_000)
        passed(pico, steps=1)
        until(lambda: pico.lamps == steady)
        table.source.show(dict.fromkeys(range(1, 7), Cue.WAITING))
        until(lambda: len(set(pico.lamps)) == 1 and pico.lamps[0] not in (dark, steady[0]))
        until(lambda: set(pico.lamps) == {dark})
    pico.order("skip", 2_000_000)
    for _ in range(200):  # of every four seconds it is dark for almost two
        pico.order("skip", 100_000)
        passed(pico, steps=3)
        if alone := re.fullmatch("(..0000)( \\1){5}", " ".join(pico.lamps)) and set(pico.lamps) != {dark}:
            break
    assert alone


def test_the_centre_pad_has_a_lamp_of_its_own(pico):
    with listening(pico.path) as table:
        table.source.show({CENTRE: Cue.READ})
        until(lambda: pico.pad not in ("", "000000"))
        assert set(pico.lamps) == {"000000"}


def test_every_cue_can_be_told_from_every_other_and_from_a_box_that_nobody_hears(pico):
    until(lambda: pico.lamps and pico.lamps[0] != "000000")
    alone = pico.lamps[0]
    lamps_seen = {"000000", alone}
    with serial.Serial(pico.path) as port:
        for cue in Cue:
            send_line(port, b"L 1 %b" % cue.encode())
            if cue is not Cue.OFF:
                until(lambda: pico.lamps and pico.lamps[0] not in lamps_seen)
                lamps_seen.add(pico.lamps[0])
    assert len(lamps_seen) == len(Cue) + 1


def test_a_press_that_a_self_test_meets_is_told(pico):
    with Asking(pico.path) as asking:
        pico.order("meet", 5)
        assert asking.test().channels == "++++++"
    with listening(pico.path) as table:
        until(lambda: table.presses)
        assert [press.seat for press in table.presses] == [5]


def test_a_self_test_presses_every_button_and_no_press_is_told(pico):
    with Asking(pico.path) as asking:
        assert asking.test().channels == "++++++"
        pico.order("contact", pico.started["pins"][2], True)
        # What comes next may still answer the question before, which was asked twice where the answer took its time.
        until(lambda: asking.test().channels == "++c+++")
        pico.order("deaf", True)
        until(lambda: asking.test().channels == "--c---")
        tested = asking.test()
        assert (tested.begun, tested.python) == ("power", "1.27.0")
        assert tested.free > 0
    with serial.Serial(pico.path, timeout=5) as port:
        assert port.read_until(b" 0 0 *").endswith(b" 0 0 *")


def test_a_stamp_at_the_wrong_time_is_told(pico):
    with Asking(pico.path) as asking:
        pico.order("lag", -MHZ * 1_000_000)
        assert asking.test().channels == "tttttt"


def test_the_other_chip_has_its_watchdog_and_its_pins_elsewhere():
    with Pico(board="Raspberry Pi Pico 2 W with RP2350") as pico, Asking(pico.path) as asking:
        tested = asking.test()
        assert (tested.channels, tested.begun) == ("++++++", "power")
        asking.give_way(tested.boot)
        until(lambda: pico.prompt)
        pico.order("wait", 60_000_000)
    assert pico.boots == ["power"]


def test_another_board_says_that_it_is_not_the_right_one():
    with Pico(board="Some Board with ESP32") as pico, serial.Serial(pico.path, timeout=15) as port:
        assert pico.prompt
        port.write(b"import main\r")
        assert b"this firmware is for a Raspberry Pi Pico or Pico 2, not for" in port.read_until(b"with ESP32\r\n")


def test_all_stamps_are_given_the_same_release_time(idle):
    assert idle.started["times"] == [15 << 16] * 6, "turns of four cycles of 8 ns: 31 ms"


def test_byte_03_stops_nothing_not_even_at_the_start():
    with Pico(typed="\x03") as pico:
        until(lambda: pico.feeds)


def test_byte_03_stops_nothing(idle):
    with Asking(idle.path) as asking:
        boot = asking.hello().boot
        asking._port.write(b"\x03\x03\n\x03")
        assert asking.hello().boot == boot
    assert not idle.prompt


def test_a_line_it_does_not_understand_is_ignored(pico):
    with Asking(pico.path) as asking:
        boot = asking.hello().boot.encode()
        for body in (
            b"",
            b"T",
            b"T x",
            b"T -1",
            b"T 99999999999",
            b"L 9 first",
            b"L 1 disco",
            b"Z 1",
            b"C 1 0",
            b"C 1 7",
            b"C 1",
        ):
            asking._port.write(with_crc(body) + b"\n" + b"x" * 300 + b"\n\xff\xfe *0000\n")
        asking._port.write(b"L 1 first *0000\nC 1 2 *0000\n")
        for seq in (b"x", b"-1", b"1", b"4294967296", b"01"):
            asking._port.write(with_crc(b"A %b %b" % (boot, seq)) + b"\n")
        hello = asking.hello()
        assert (hello.boot.encode(), hello.acked) == (boot, 0)
        pico.order("skip", 40_000)
        passed(pico, steps=100)
        assert set(pico.lamps) <= {"000000"}
        assert pico.recordings == []


@pytest.mark.parametrize(("prefix", "suffix", "heard"), [(b"", b"\r", True), (b"", b"\r\r", False), (b" ", b"", False)])
def test_a_console_may_put_one_carriage_return_before_the_line_end(idle, prefix, suffix, heard):
    with serial.Serial(idle.path, timeout=15) as port:
        port.write(prefix + with_crc(b"T 7") + suffix + b"\n" + with_crc(b"T 8") + b"\n")
        answers = []
        while not answers or b" 8 " not in answers[-1]:
            answers += [line for line in [port.readline()] if line.startswith(b"T")]
        assert len(answers) == 1 + heard


def test_it_says_who_it_is_when_it_starts_and_its_lamps_are_dark():
    pico = Pico()
    sent = bytearray()
    pico.to_pi = lambda data: sent.extend(data) or data
    with pico:
        until(lambda: b"\nB " in sent)
        assert set(pico.lamps) <= {"000000"}
    assert re.match(rb"\nH 1 [0-9A-F]{12} 1\.4 6 0 \*", sent)


def test_it_gives_up_its_port_when_asked_and_the_watchdog_lets_it(pico):
    with Asking(pico.path) as asking:
        hello = asking.hello()
        asking._port.write(with_crc(b"U 000000000000") + b"\n")
        asking.hello()
        asking.give_way(hello.boot)
    until(lambda: pico.prompt)
    pico.order("wait", 60_000_000)
    with serial.Serial(pico.path, timeout=5) as port:
        port.write(b"\r\x03print(6*7)\r")
        assert port.read_until(b"42").endswith(b"\n42")
    assert pico.boots == ["power"]


@pytest.mark.parametrize(("held", "prompt"), [([2, 3], True), ([2], False), ([3, 4], False)])
def test_with_the_first_two_buttons_held_it_shows_the_prompt(held, prompt):
    with Pico(held=held) as pico:
        assert pico.prompt is prompt


def test_it_beats_every_quarter_of_a_second_which_is_often_enough(idle):
    assert SILENCE_S >= 4 * 0.25
    with serial.Serial(idle.path, timeout=PATIENCE) as port:
        port.read_until(b"\nB ")
        for _ in range(8):
            idle.order("skip", 250_000)
            passed(idle, steps=3)
            send_line(port, b"H 1")
            assert b"\nB " in port.read_until(b"\nH ")
