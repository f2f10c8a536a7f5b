"""The real firmware in MicroPython, at the other end of a real serial port from the real driver."""

import random
import re
import threading
import time

import pytest
import serial

from companion.devices.box import talk
from companion.devices.box.inquiry import Asking
from companion.devices.box.protocol import AskBounces, Bounces
from companion.devices.box.talk import SILENCE_S
from companion.devices.lamps import Cue
from companion.devices.sensing import Failed, Working
from tests.devices.hearing import check, listening
from tests.devices.table import Table
from tests.devices.test_box_protocol import with_crc
from tests.emulators.box import KEPT
from tests.firmware.pico import MHZ, Pico
from tests.waiting import PATIENCE, until

MICROSECOND = MHZ * 10 // 20  # in turns of two cycles, rounded down


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """The machine the tests run on may be busy."""
    monkeypatch.setattr("companion.devices.box.inquiry.ANSWER_S", PATIENCE)
    monkeypatch.setattr(talk, "ANSWER_S", PATIENCE)
    monkeypatch.setattr(talk, "SILENCE_S", PATIENCE)


def say(port, body):
    port.write(with_crc(body) + b"\n")


def passed(pico, *, steps):
    """Wait until the main loop has gone round so often, and little more."""
    feeds = rounds(pico)
    until(lambda: rounds(pico) > feeds + steps)


def rounds(pico):
    pico.order("count")
    return pico.feeds


def origins(pico, table):
    return [(press.origin.rpartition("-")[0], int(press.origin.rpartition("-")[2])) for press in table.presses]


def distances(table, told):
    """The distances of what the table was told, and of what was stamped, in microseconds, by seat."""
    at = {press.seat: press.at for press in table.presses}
    first, at_first = told[0]
    return (
        {seat: round((at[seat] - at[first]) * 1e6) for seat in at},
        {button: device - at_first for button, device in told},
    )


# Presses.


def test_a_press_comes_with_its_time_and_is_forgotten_when_it_is_on_disk(pico):
    with listening(pico.path) as table:
        before = time.monotonic()
        pico.press(3)
        after = time.monotonic()
        until(lambda: table.presses)
        [press] = table.presses
        assert press.seat == 3
        assert before - press.uncertainty <= press.at <= after + press.uncertainty
        assert re.fullmatch("pico-[0-9A-F]{12}-1", press.origin)
        [working] = table.of(Working)
        assert working.detail.startswith("companion-box 1.0, ±")
    with serial.Serial(pico.path, timeout=5) as port:
        say(port, b"H 1")
        until(lambda: port.readline().startswith(b"H 1 ") and True)
        assert b"P " not in port.read_until(b"\nB ")


@pytest.mark.parametrize("order", [(1, 2, 3, 4, 5, 6), (6, 3, 1, 5, 2, 4)])
def test_six_presses_a_microsecond_apart_keep_their_order_and_distance(pico, order):
    with listening(pico.path) as table:
        told = pico.press(*((button, n * 63) for n, button in enumerate(order)))
        until(lambda: len(table.presses) == 6)
        assert [press.seat for press in sorted(table.presses, key=lambda press: press.at)] == list(order)
        for n, (_, device) in enumerate(told):
            assert abs(device - told[0][1] - n * 63 * 2 / MHZ) < 1  # 1.008 µs each, told in whole ones
        assert distances(table, told)[0] == distances(table, told)[1]


def test_presses_within_one_microsecond_keep_their_order(pico):
    with listening(pico.path) as table:
        pico.order("stall", 5)
        pico.press((4, 0), (2, 1), (6, 2))
        until(lambda: len(table.presses) == 3)
        assert len({press.at for press in table.presses}) == 3
        assert [press.seat for press in sorted(table.presses, key=lambda press: press.at)] == [4, 2, 6]


def test_presses_that_can_not_be_told_apart_have_one_time(pico):
    with listening(pico.path) as table:
        pico.order("stall", 5)
        pico.press((4, 0), (2, 0))
        until(lambda: len(table.presses) == 2)
        assert len({press.at for press in table.presses}) == 1


def test_of_two_presses_that_come_while_the_queues_are_looked_through_the_later_has_the_later_time(pico):
    with listening(pico.path) as table:
        pico.order("slip", [[1, 0], [2, 1]])
        until(lambda: len(table.presses) == 2)
        at = {press.seat: round(press.at * 1e6) for press in table.presses}
        assert 0 < at[2] - at[1] <= 1


def test_a_press_while_the_main_loop_is_busy_for_50_ms_keeps_its_stamp(pico):
    with listening(pico.path) as table:
        pico.order("stall", 50)
        told = pico.press((5, 0), (1, 63), (2, 12_500))
        told += pico.press(5)  # released, and pressed again: 50 ms are not so long
        until(lambda: len(table.presses) == 4)
        assert sorted(round((p.at - table.presses[0].at) * 1e6) for p in table.presses) == sorted(
            device - told[0][1] for _, device in told
        )


def test_queues_that_were_full_are_told_once(pico):
    with listening(pico.path) as table:
        pico.order("stall", 100)
        pico.press(*((button, n * 1000) for button in range(1, 7) for n in range(6)))
        until(lambda: table.of(Failed))
        assert "was full and refused 6 presses" in table.of(Failed)[0].why, "six queues; how many each it does not know"
        assert len(table.presses) == 24
        assert table.presses == sorted(table.presses, key=lambda press: press.at)
    with serial.Serial(pico.path, timeout=15) as port:
        for _ in range(3):
            port.read_until(b"\nB ")
            assert port.read_until(b" *").endswith(b" 24 6 *")


def test_the_counter_and_the_ticks_may_turn_round():
    with Pico(ticks=2**30 - 600_000) as pico, listening(pico.path) as table:
        told = pico.press(1)
        until(lambda: len(table.presses) == 1)
        pico.order("jump", 68_500_000)
        for seat in (2, 3, 4, 5):  # the stamps' counter turns after 68.72 s
            told += pico.press(seat)
            until(lambda: len(table.presses) == seat)  # noqa: B023
            time.sleep(0.1)
        assert told[1][1] < 2**32 * 2 / MHZ < told[4][1]
        devices = [device for _, device in told]
        assert devices == sorted(devices)
        measured, stamped = distances(table, told[1:])
        assert {seat: measured[seat] for seat in stamped} == stamped


def test_the_time_told_is_never_behind_the_stamps_when_read_first_nor_ahead_when_read_last():
    with Pico(late=200_000) as pico, serial.Serial(pico.path, timeout=15) as port:
        [(_, before)] = pico.press(1)
        say(port, b"T 7")
        port.read_until(b"\nT ")
        _, _, received, sent, _ = port.readline().split()
        [(_, after)] = pico.press(2)
    assert before <= int(received)
    assert int(received) <= int(sent) <= after


# What is not acknowledged.


def test_64_presses_are_kept_the_oldest_and_more_are_refused_and_counted(pico):
    for _ in range(KEPT + 3):
        pico.press(2)
    with listening(pico.path, working=False) as table:
        until(lambda: len(table.presses) == KEPT)
        until(lambda: table.of(Working))
        assert [number for _, number in origins(pico, table)] == list(range(1, KEPT + 1))
    with serial.Serial(pico.path, timeout=15) as port:
        assert port.read_until(b" 64 3 *").endswith(b" 64 3 *")
        say(port, b"H 1")
        assert port.read_until(b" 6 64 *").endswith(b" 6 64 *"), "there is room again"
        pico.press(1)
        assert port.read_until(b" 65 3 *").endswith(b" 65 3 *")


def test_presses_are_said_again_with_the_same_numbers_until_they_are_acknowledged(pico):
    told = pico.press((1, 0), (2, 1000))
    with serial.Serial(pico.path, timeout=5) as port:
        lines = []
        while len(lines) < 6:
            lines += [line for line in [port.readline()] if line.startswith(b"P")]
        boot = lines[-1].split()[1]
        assert {line.split(b" *")[0] for line in lines} == {
            b"P %b %d %d %d" % (boot, n, button, device) for n, (button, device) in enumerate(told, 1)
        }
        say(port, b"A 000000000000 2")
        say(port, b"A %b 3" % boot)
        say(port, b"A %b 02" % boot)
        say(port, b"A %b 1" % boot)
        say(port, b"H 1")
        assert port.read_until(b" 6 1 *").endswith(b" 6 1 *")
        port.read_until(b"\nP ")
        assert port.readline().startswith(boot + b" 2 2 ")
        say(port, b"A %b 2" % boot)
        say(port, b"H 1")
        port.read_until(b" 6 2 *")
        assert b"P " not in port.read_until(b"\nB ")


def test_an_acknowledgement_that_comes_late_takes_nothing_back(pico):
    pico.press((1, 0), (2, 1000), (3, 2000))
    with serial.Serial(pico.path, timeout=15) as port:
        port.read_until(b"\nP ")
        boot = port.readline().split()[0]
        say(port, b"A %b 2" % boot)
        say(port, b"A %b 1" % boot)
        say(port, b"A %b 0" % boot)
        say(port, b"H 1")
        assert port.read_until(b" 6 2 *").endswith(b" 6 2 *")
        port.read_until(b"\nP ")
        assert port.readline().startswith(boot + b" 3 3 ")


# The cable and the power.


def test_presses_made_while_the_cable_is_out_come_with_the_replug_numbered_as_they_were(pico):
    with listening(pico.path) as table:
        told = pico.press(1)
        until(lambda: len(table.presses) == 1)
        for n in (2, 3):
            pico.unplug()
            told += pico.press(n)
            until(lambda: len(table.of(Failed)) >= n - 1)  # noqa: B023
            pico.replug()
            until(lambda: len(table.presses) == n)  # noqa: B023
            until(lambda: isinstance(table.state[-1], Working))
        assert [press.seat for press in table.presses] == [1, 2, 3]
        assert len({boot for boot, _ in origins(pico, table)}) == 1
        assert [number for _, number in origins(pico, table)] == [1, 2, 3]


def test_a_power_cut_begins_another_boot(pico):
    with listening(pico.path) as table:
        for n in (1, 2):
            pico.press(4)
            until(lambda: len(table.presses) == n)  # noqa: B023
            if n == 1:
                pico.power_cycle()
        (one, first), (other, second) = origins(pico, table)
        assert one != other
        assert first == second == 1


@pytest.mark.parametrize("seed", range(3))
def test_an_evening_of_damaged_lines_and_pulled_cables_loses_and_doubles_nothing(pico, seed):
    chance, pressed = random.Random(seed), {}
    pico.to_pi = pico.to_box = damage(chance, 0.1)
    table = Table()
    with listening(pico.path, table, start=False, working=False):
        number = 0
        for _ in range(12):
            apart = sorted(63 * n for n in chance.sample(range(60), chance.choice((1, 1, 2, 6))))
            buttons = chance.sample(range(1, 7), len(apart))
            for _, device in sorted(pico.press(*zip(buttons, apart, strict=True)), key=lambda told: told[1]):
                number += 1
                pressed[number] = device
            if chance.random() < 0.3:
                pico.unplug()
            time.sleep(chance.uniform(0, 0.06))
            pico.replug()
        pico.to_pi = pico.to_box = damage(chance, 0.02)
        until(lambda: len(table.presses) == number)
        pico.to_pi = pico.to_box = lambda data: data
        until(lambda: table.told and isinstance(table.state[-1], Working))
    boot = origins(pico, table)[0][0]
    devices = sorted(pressed.values())
    told = sorted(table.presses, key=lambda press: press.at)
    assert sorted(number for _, number in origins(pico, table)) == list(range(1, number + 1))
    assert {one for one, _ in origins(pico, table)} == {boot}
    check(told, {press.origin: device for press, device in zip(told, devices, strict=True)})


def damage(chance, much):
    """Flip bits, swallow bytes, and put noise between them."""

    def damaged(data):
        out = bytearray()
        for byte in data:
            if chance.random() < much / 10:
                kind = chance.randrange(3)
                out += chance.randbytes(chance.randrange(30)) if kind == 0 else b""
                out += bytes([byte ^ 1 << chance.randrange(8)]) if kind == 1 else b""
            else:
                out.append(byte)
        return bytes(out)

    return damaged


# The watchdog.


def test_the_watchdog_is_fed_while_the_loop_lives(pico):
    until(lambda: pico.feeds > 100)
    assert pico.boots == ["power"]


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
        (one, _), (other, _) = origins(pico, table)
        assert one != other
    with Asking(pico.path) as asking:
        assert asking.test().begun == "watchdog"


def test_a_reader_that_takes_half_a_second_for_a_line_does_not_wake_the_watchdog(pico):
    for _ in range(KEPT):
        pico.press(2)
    pico.order("slow", 500_000)
    passed(pico, steps=1)
    pico.order("slow", 0)
    with listening(pico.path) as table:
        until(lambda: len(table.presses) == KEPT)
    assert pico.boots == ["power"]


def test_a_reader_that_stops_reading_stops_nothing(pico):
    pico.order("full", True)
    told, said = pico.press(1), bytearray()
    passed(pico, steps=100)
    pico.to_pi = lambda data: said.extend(data) or data
    passed(pico, steps=200)
    assert said == b""
    pico.order("full", False)
    with listening(pico.path) as table:
        until(lambda: table.presses)
        assert told[0][0] == table.presses[0].seat


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


def test_every_cue_can_be_told_from_every_other(pico):
    seen = {"000000"}
    with serial.Serial(pico.path) as port:
        for cue in Cue:
            say(port, b"L 1 %b" % cue.encode())
            if cue is not Cue.OFF:
                until(lambda: pico.lamps and pico.lamps[0] not in seen)
                seen.add(pico.lamps[0])
    assert len(seen) == len(Cue)


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


@pytest.mark.parametrize("board", ["Raspberry Pi Pico 2 W with RP2350", "Raspberry Pi Pico2 with RP2350-RISCV"])
def test_the_other_chip_has_its_watchdog_and_its_pins_elsewhere(board):
    with Pico(board=board) as pico, Asking(pico.path) as asking:
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


# How a contact bounces.


def asked(asking, *, nonce, button):
    """The words after the button in the box's answer to a question of this name."""
    found = asking._ask(AskBounces(nonce, button), Bounces)
    assert (found.nonce, found.button) == (nonce, button)
    return found.contact, found.edges, found.settled


def recording(pico, button, times=1):
    """Whether the spare state machine has been set on a button, so many times in all."""
    pin = pico.started["pins"][button - 1]
    return lambda: [one["recording"] for one in pico.recordings].count(pin) == times


@pytest.mark.parametrize(
    ("edges", "turns", "told"),
    # In cycles: two for each turn, two for each opening, three for each closing but the last.
    [
        (0, 0, ("closed", 0, 0)),
        (6, 92_489, ("closed", 6, 1479)),
        (6, 92_494, ("closed", 6, 1480)),
        (7, 1, ("open", 7, 0)),
    ],
)
def test_the_next_press_is_recorded_and_told_as_ever(pico, edges, turns, told):
    pico.order("bounces", edges, turns)
    with Asking(pico.path) as asking:
        assert asked(asking, nonce=5, button=2) == ("waits", 0, 0)
        until(recording(pico, 2))
        assert pico.recordings[0]["turns"] == 30_000 * MHZ // 2
        assert asked(asking, nonce=5, button=2) == ("waits", 0, 0)
        pressed = pico.press(1, 2)
        until(lambda: asked(asking, nonce=5, button=2) == told)
        assert pico.recorded == 1, "it is switched off"
        pico.press(2)
        assert asked(asking, nonce=5, button=2) == told, "the next press only"
    with listening(pico.path) as table:
        until(lambda: len(table.presses) == 3)
        assert sorted(press.seat for press in table.presses) == sorted([*(button for button, _ in pressed), 2])


def test_another_name_or_button_begins_another_recording(pico):
    pico.order("bounces", 2, 100)
    with Asking(pico.path) as asking:
        for n, (nonce, button) in enumerate([(5, 2), (6, 2), (6, 3)], 1):
            assert asked(asking, nonce=nonce, button=button) == ("waits", 0, 0)
            until(lambda: len(pico.recordings) == n)  # noqa: B023
            pico.press(button)
            until(lambda: asked(asking, nonce=nonce, button=button) == ("closed", 2, 1))  # noqa: B023
        asked(asking, nonce=7, button=1)
        until(recording(pico, 1))
        asked(asking, nonce=8, button=4)
        until(recording(pico, 4))
        pico.press(1)
        assert asked(asking, nonce=8, button=4) == ("waits", 0, 0)


def test_a_button_that_is_held_is_recorded_when_it_has_been_let_go_for_its_release_time(pico):
    pin = pico.started["pins"][1]
    pico.order("contact", pin, True)
    with Asking(pico.path) as asking:
        asked(asking, nonce=5, button=2)
        for _ in range(3):
            pico.order("skip", 20_000)
            passed(pico, steps=1)
        assert pico.recordings == []
        pico.order("contact", pin, False)
        until(recording(pico, 2))
        assert pico.recordings[0]["rested"] >= 30_000, "however long the main loop takes for a round"


def test_a_spike_is_not_told_and_the_next_press_is(pico):
    with Asking(pico.path) as asking:
        asked(asking, nonce=5, button=2)
        until(recording(pico, 2))
        pico.press(3)
        pico.order("spike", 1, 0)
        until(recording(pico, 2, times=2))
        assert asked(asking, nonce=5, button=2) == ("waits", 0, 0)
        pico.order("bounces", 4, 0)
        pico.press(2)
        until(lambda: asked(asking, nonce=5, button=2) == ("closed", 4, 0))


def test_while_nobody_presses_the_box_goes_on_and_the_asker_is_told(pico):
    with Asking(pico.path) as asking:
        assert asking.bounces(3, within=0.3) is None
        assert asking.test().channels == "++++++"
        pico.order("bounces", 2, 1000)
        asker = threading.Thread(target=lambda: found.append(asking.bounces(3)))
        found = []
        asker.start()
        until(recording(pico, 3, times=2))
        pico.press(3)
        asker.join()
    [bounces] = found
    assert (bounces.contact, bounces.edges, bounces.settled) == ("closed", 2, 16)


def test_all_stamps_are_given_the_same_release_time(pico):
    assert pico.started["release"] == [937_500] * 6, "turns of four cycles of 8 ns: 30 ms"


def test_byte_03_stops_nothing(pico):
    with Asking(pico.path) as asking:
        boot = asking.hello().boot
        asking._port.write(b"\x03\x03\n\x03")
        assert asking.hello().boot == boot
    assert not pico.prompt


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
            b"L 0 first",
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


@pytest.mark.parametrize(("before", "after", "heard"), [(b"", b"\r", True), (b"", b"\r\r", False), (b" ", b"", False)])
def test_a_console_may_put_one_carriage_return_before_the_line_end(pico, before, after, heard):
    with serial.Serial(pico.path, timeout=15) as port:
        port.write(before + with_crc(b"T 7") + after + b"\n" + with_crc(b"T 8") + b"\n")
        answers = []
        while not answers or b" 8 " not in answers[-1]:
            answers += [line for line in [port.readline()] if line.startswith(b"T")]
        assert len(answers) == 1 + heard


def test_it_says_who_it_is_when_it_starts_and_its_lamps_are_dark():
    pico, said = Pico(), bytearray()
    pico.to_pi = lambda data: said.extend(data) or data
    with pico:
        until(lambda: b"\nB " in said)
        assert set(pico.lamps) <= {"000000"}
    assert re.match(rb"\nH 1 [0-9A-F]{12} 1\.0 6 0 \*", said)


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


def test_it_beats_every_quarter_of_a_second_which_is_often_enough(pico):
    assert SILENCE_S >= 4 * 0.25
    with serial.Serial(pico.path, timeout=PATIENCE) as port:
        port.read_until(b"\nB ")
        for _ in range(8):
            pico.order("skip", 250_000)
            passed(pico, steps=3)
            say(port, b"H 1")
            assert b"\nB " in port.read_until(b"\nH ")
