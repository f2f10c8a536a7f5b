"""The real firmware in MicroPython, at the other end of a real serial port from the real driver."""

import random
import re
import time

import pytest
import serial

from companion.table.box import talk
from companion.table.box.asking import Asking
from companion.table.cues import Cue
from companion.table.sensing import Failed, Working
from tests.emulators.box import KEPT
from tests.firmware.pico import MHZ, Pico, until
from tests.table.hearing import Table, check, listening
from tests.table.test_box_protocol import with_crc

MICROSECOND = MHZ * 10 // 20  # in turns of two cycles, rounded down


def say(port, body):
    port.write(with_crc(body) + b"\n")


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
        assert [device - told[0][1] for _, device in told] == [0, 1, 2, 3, 4, 5]
        assert distances(table, told)[0] == distances(table, told)[1]


def test_presses_within_one_microsecond_keep_their_order(pico):
    with listening(pico.path) as table:
        pico.order("stall", 5)
        pico.press((4, 0), (2, 1), (6, 2))
        until(lambda: len(table.presses) == 3)
        assert len({press.at for press in table.presses}) == 3
        assert [press.seat for press in sorted(table.presses, key=lambda press: press.at)] == [4, 2, 6]


def test_a_press_while_the_main_loop_is_busy_for_50_ms_keeps_its_stamp(pico):
    with listening(pico.path) as table:
        pico.order("stall", 50)
        told = pico.press((5, 0), (1, 63), (2, 12_500))
        told += pico.press(5)  # released, and pressed again: 50 ms are not so long
        until(lambda: len(table.presses) == 4)
        assert sorted(round((p.at - table.presses[0].at) * 1e6) for p in table.presses) == sorted(
            device - told[0][1] for _, device in told
        )


def test_a_queue_that_was_full_is_told(pico):
    with listening(pico.path) as table:
        pico.order("stall", 100)
        pico.press(*((6, n * 1000) for n in range(6)))
        until(lambda: table.of(Failed))
        assert "was full and refused 1 presses" in table.of(Failed)[0].why, "one queue; how many it does not know"
        assert len(table.presses) == 4
        assert table.presses == sorted(table.presses, key=lambda press: press.at)


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


def test_a_reader_that_stops_reading_stops_nothing(pico):
    pico.order("full", True)
    feeds = pico.feeds
    told = pico.press(1)
    until(lambda: pico.feeds > feeds + 200)
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
        time.sleep(0.1)
        assert pico.lamps == steady
        table.source.show(dict.fromkeys(range(1, 7), Cue.WAITING))
        until(lambda: len(set(pico.lamps)) == 1 and pico.lamps[0] not in (dark, steady[0]))
        until(lambda: set(pico.lamps) == {dark})
    pico.order("skip", 2_000_000)
    until(lambda: re.fullmatch("(..0000)( \\1){5}", " ".join(pico.lamps)) and set(pico.lamps) != {dark})


def test_every_cue_can_be_told_from_every_other(pico):
    seen = {"000000"}
    with serial.Serial(pico.path) as port:
        for cue in Cue:
            say(port, b"L 1 %b" % cue.encode())
            if cue is not Cue.OFF:
                until(lambda: pico.lamps and pico.lamps[0] not in seen)
                seen.add(pico.lamps[0])
    assert len(seen) == len(Cue)


def test_a_self_test_presses_every_button_and_no_press_is_told(pico):
    with Asking(pico.path) as asking:
        assert asking.test().channels == "++++++"
        pico.order("contact", pico.started["pins"][2], True)
        assert asking.test().channels == "++c+++"
        pico.order("deaf", True)
        tested = asking.test()
        assert tested.channels == "--c---"
        assert (tested.begun, tested.python) == ("power", "1.27.0")
        assert tested.free > 0
    with serial.Serial(pico.path, timeout=5) as port:
        assert port.read_until(b" 0 0 *").endswith(b" 0 0 *")


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
        for body in (b"", b"T", b"T x", b"T -1", b"T 99999999999", b"L 9 first", b"L 0 first", b"L 1 disco", b"Z 1"):
            asking._port.write(with_crc(body) + b"\n" + b"x" * 300 + b"\n\xff\xfe *0000\n")
        for seq in (b"x", b"-1", b"1", b"4294967296", b"01"):
            asking._port.write(with_crc(b"A %b %b" % (boot, seq)) + b"\n")
        hello = asking.hello()
        assert (hello.boot.encode(), hello.acked) == (boot, 0)
        assert set(pico.lamps) <= {"000000"}


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


def test_silence_makes_the_driver_wait_no_longer_than_it_must(monkeypatch, pico):
    monkeypatch.setattr(talk, "SILENCE_S", 0.5)
    with listening(pico.path) as table:
        time.sleep(1.0)
        assert table.of(Failed) == [], "it beats often enough"
