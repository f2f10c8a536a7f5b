"""Presses of the real firmware in MicroPython, through a real serial port to the real driver."""

import random
import re
import time
from itertools import pairwise

import pytest
import serial

from companion.devices.buzzer_box.device_time import CLOSE_US
from companion.devices.sensing import Failed, Working
from tests.devices.hearing import check, listening
from tests.devices.table import Table
from tests.emulators.box import KEPT
from tests.firmware.pico import MHZ, Pico
from tests.firmware.speaking import origins, send_line
from tests.waiting import until


def distances(table, stamps):
    """The distances of what the table was told, and of what was stamped, in microseconds, by seat."""
    at = {press.seat: press.at for press in table.presses}
    first, at_first = stamps[0]
    return (
        {seat: round((at[seat] - at[first]) * 1e6) for seat in at},
        {button: device - at_first for button, device in stamps},
    )


def test_a_press_comes_with_its_time_and_is_forgotten_when_it_is_on_disk(pico):
    with listening(pico.path) as table:
        earliest = time.monotonic()
        pico.press(3)
        latest = time.monotonic()
        until(lambda: table.presses)
        [press] = table.presses
        assert press.seat == 3
        assert earliest - press.uncertainty <= press.at <= latest + press.uncertainty
        assert re.fullmatch("pico-[0-9A-F]{12}-1", press.origin)
        [working] = table.of(Working)
        assert working.detail.startswith("companion-box 1.4, ±")
    with serial.Serial(pico.path, timeout=5) as port:
        send_line(port, b"H 1")
        until(lambda: port.readline().startswith(b"H 1 ") and True)
        assert b"P " not in port.read_until(b"\nB ")


@pytest.mark.parametrize("order", [(1, 2, 3, 4, 5, 6), (6, 3, 1, 5, 2, 4)])
def test_six_presses_a_microsecond_apart_keep_their_order_and_distance(pico, order):
    with listening(pico.path) as table:
        stamps = pico.press(*((button, n * 32) for n, button in enumerate(order)))
        until(lambda: len(table.presses) == 6)
        assert [press.seat for press in sorted(table.presses, key=lambda press: press.at)] == list(order)
        for n, (_, device) in enumerate(stamps):
            assert abs(device - stamps[0][1] - n * 32 * 4 / MHZ) < 1  # 1.024 µs each, told in whole ones
        assert distances(table, stamps)[0] == distances(table, stamps)[1]


@pytest.mark.parametrize(
    ("pressed", "times"), [([(4, 0), (2, 1), (6, 2)], 3), ([(4, 0), (2, 0)], 1)], ids=["in order", "as one"]
)
def test_presses_within_one_microsecond_come_in_their_order_or_at_one_time(pico, pressed, times):
    with listening(pico.path) as table:
        pico.order("stall", 5)
        pico.press(*pressed)
        until(lambda: len(table.presses) == len(pressed))
        assert len({press.at for press in table.presses}) == times
        in_order = [press.seat for press in sorted(table.presses, key=lambda press: press.at)]
        assert times == 1 or in_order == [button for button, _ in pressed]


def test_of_two_presses_that_come_while_the_queues_are_looked_through_the_later_has_the_later_time(pico):
    with listening(pico.path) as table:
        pico.order("slip", [[1, 0], [2, 1]])
        until(lambda: len(table.presses) == 2)
        at = {press.seat: round(press.at * 1e6) for press in table.presses}
        assert 0 < at[2] - at[1] <= 1


def test_a_press_while_the_main_loop_is_busy_for_50_ms_keeps_its_stamp(pico):
    with listening(pico.path) as table:
        pico.order("stall", 50)
        stamps = pico.press((5, 0), (1, 32), (2, 6_250))
        stamps += pico.press(5)  # released, and pressed again: 50 ms are not so long
        until(lambda: len(table.presses) == 4)
        assert sorted(round((p.at - table.presses[0].at) * 1e6) for p in table.presses) == sorted(
            device - stamps[0][1] for _, device in stamps
        )


def test_queues_that_were_full_are_told_once(pico):
    with listening(pico.path) as table:
        pico.order("stall", 100)
        pico.press(*((button, n * 1000) for button in range(1, 7) for n in range(6)))
        until(lambda: table.of(Failed))
        assert "was full and refused 6 presses" in table.of(Failed)[0].fault.says, (
            "six queues; how many each it does not know"
        )
        assert len(table.presses) == 24
        assert table.presses == sorted(table.presses, key=lambda press: press.at)
    with serial.Serial(pico.path, timeout=15) as port:
        for _ in range(3):
            port.read_until(b"\nB ")
            assert port.read_until(b" *").endswith(b" 24 6 *")


def test_the_counter_and_the_ticks_may_turn_round():
    with Pico(ticks=2**30 - 600_000) as pico, listening(pico.path) as table:
        stamps = pico.press(1)
        until(lambda: len(table.presses) == 1)
        tenth = MHZ * 25_000  # of a second, in turns
        stamps += pico.press(
            *((seat, (seat - 2) * tenth) for seat in (2, 3, 4, 5)), now=137_590_000
        )  # it turns at 137.44 s
        until(lambda: len(table.presses) == 5)
        assert stamps[1][1] < 2**32 * 4 / MHZ < stamps[4][1]
        devices = [device for _, device in stamps]
        assert devices == sorted(devices)
        for pair in pairwise(stamps[1:]):
            measured, stamped = distances(table, pair)
            assert measured[pair[1][0]] == stamped[pair[1][0]] or stamped[pair[1][0]] > CLOSE_US


def test_the_time_told_is_never_behind_the_stamps_when_read_first_nor_ahead_when_read_last():
    with Pico(late=200_000) as pico, serial.Serial(pico.path, timeout=15) as port:
        [(_, earlier)] = pico.press(1)
        send_line(port, b"T 7")
        port.read_until(b"\nT ")
        _, _, received, sent, _ = port.readline().split()
        [(_, later)] = pico.press(2)
    assert earlier <= int(received)
    assert int(received) <= int(sent) <= later


def test_everything_before_the_time_it_is_said_to_have_told_has_been_told(pico):
    at = {}
    marks = []
    with serial.Serial(pico.path, timeout=15) as port:
        for number in range(12):
            pico.order("slip", [[number % 6 + 1, 0], [(number + 1) % 6 + 1, 1]])
            while len(at) < 2 * number + 2 or not marks or marks[-1][0] <= max(at.values()):
                line = port.readline()
                assert line, "it says no more"
                match line.split():
                    case [b"P", _, seq, _, pressed, _]:
                        at[int(seq)] = int(pressed)
                    case [b"W", _, up_to, last, _]:
                        marks.append((int(up_to), int(last)))
    assert len(at) == 24
    for up_to, last in marks:
        assert all(pressed >= up_to for number, pressed in at.items() if number > last)


def test_while_a_contact_bounces_all_is_told_but_what_came_in_the_latest_50_ms(pico):
    marks = []
    received = 0
    with serial.Serial(pico.path, timeout=15) as port:
        pico.order("undecided", 2, True)
        pico.order("skip", 100_000)
        pico.press(1)
        while not received:
            match port.readline().split():
                case [b"W", _, up_to, _, _]:
                    marks.append(int(up_to))
                    if len(marks) == 3:
                        send_line(port, b"T 7")
                case [b"T", _, _, when, _, _]:
                    received = int(when)
    assert max(marks) <= received - 50_000


def test_a_press_that_is_known_late_because_it_bounced_bears_the_time_of_its_first_edge(pico):
    with listening(pico.path) as table:
        pico.order("undecided", 2, True)
        pico.order("skip", 100_000)
        stamps = pico.press(1, (2, 0), bounced_us=3000)
        until(lambda: len(table.presses) == 2)
        assert distances(table, stamps)[0] == distances(table, stamps)[1]


def test_a_press_of_a_contact_that_bounced_for_longer_bears_no_time_before_what_was_told(pico):
    marks = [0]
    pressed = 0
    with serial.Serial(pico.path, timeout=15) as port:
        pico.order("undecided", 2, True)
        pico.order("skip", 300_000)
        while not marks[-1]:
            match port.readline().split():
                case [b"W", _, up_to, _, _]:
                    marks.append(int(up_to))
        pico.press(2, bounced_us=200_000)
        while not pressed:
            match port.readline().split():
                case [b"W", _, up_to, _, _]:
                    marks.append(int(up_to))
                case [b"P", _, _, _, at, _]:
                    pressed = int(at)
    assert pressed >= max(marks)


# What is not acknowledged.


def test_64_presses_are_kept_the_oldest_and_more_are_refused_and_counted(pico):
    for _ in range(KEPT + 3):
        pico.press(2)
    with listening(pico.path, working=False) as table:
        until(lambda: len(table.presses) == KEPT)
        until(lambda: table.of(Working))
        assert [number for _, number in origins(table)] == list(range(1, KEPT + 1))
    with serial.Serial(pico.path, timeout=15) as port:
        assert port.read_until(b" 64 3 *").endswith(b" 64 3 *")
        send_line(port, b"H 1")
        assert port.read_until(b" 6 64 *").endswith(b" 6 64 *"), "there is room again"
        pico.press(1)
        assert port.read_until(b" 65 3 *").endswith(b" 65 3 *")


def test_presses_are_said_again_with_the_same_numbers_until_they_are_acknowledged(pico):
    stamps = pico.press((1, 0), (2, 1000))
    with serial.Serial(pico.path, timeout=5) as port:
        lines = []
        while len(lines) < 6:
            lines += [line for line in [port.readline()] if line.startswith(b"P")]
        boot = lines[-1].split()[1]
        assert {line.split(b" *")[0] for line in lines} == {
            b"P %b %d %d %d" % (boot, n, button, device) for n, (button, device) in enumerate(stamps, 1)
        }
        send_line(port, b"A 000000000000 2")
        send_line(port, b"A %b 3" % boot)
        send_line(port, b"A %b 02" % boot)
        send_line(port, b"A %b 1" % boot)
        send_line(port, b"H 1")
        assert port.read_until(b" 6 1 *").endswith(b" 6 1 *")
        port.read_until(b"\nP ")
        assert port.readline().startswith(boot + b" 2 2 ")
        send_line(port, b"A %b 2" % boot)
        send_line(port, b"H 1")
        port.read_until(b" 6 2 *")
        assert b"P " not in port.read_until(b"\nB ")


def test_an_acknowledgement_that_comes_late_takes_nothing_back(pico):
    pico.press((1, 0), (2, 1000), (3, 2000))
    with serial.Serial(pico.path, timeout=15) as port:
        port.read_until(b"\nP ")
        boot = port.readline().split()[0]
        send_line(port, b"A %b 2" % boot)
        send_line(port, b"A %b 1" % boot)
        send_line(port, b"A %b 0" % boot)
        send_line(port, b"H 1")
        assert port.read_until(b" 6 2 *").endswith(b" 6 2 *")
        port.read_until(b"\nP ")
        assert port.readline().startswith(boot + b" 3 3 ")


# The cable and the power.


def test_presses_made_while_the_cable_is_out_come_with_the_replug_numbered_as_they_were(pico):
    with listening(pico.path) as table:
        stamps = pico.press(1)
        until(lambda: len(table.presses) == 1)
        for n in (2, 3):
            pico.unplug()
            stamps += pico.press(n)
            until(lambda: len(table.of(Failed)) >= n - 1)  # noqa: B023
            pico.replug()
            until(lambda: len(table.presses) == n)  # noqa: B023
            until(lambda: isinstance(table.state[-1], Working))
        assert [press.seat for press in table.presses] == [1, 2, 3]
        assert len({boot for boot, _ in origins(table)}) == 1
        assert [number for _, number in origins(table)] == [1, 2, 3]


def test_a_power_cut_begins_another_boot(pico):
    with listening(pico.path) as table:
        for n in (1, 2):
            pico.press(4)
            until(lambda: len(table.presses) == n)  # noqa: B023
            if n == 1:
                pico.power_cycle()
        (boot, first), (other, second) = origins(table)
        assert boot != other
        assert first == second == 1


def test_an_evening_of_damaged_lines_and_pulled_cables_loses_and_doubles_nothing(pico):
    chance = random.Random(0)
    pressed = {}
    pico.to_pi = pico.to_box = damage(chance, 0.1)
    table = Table()
    with listening(pico.path, table, start=False, working=False):
        number = 0
        for _ in range(12):
            apart = sorted(32 * n for n in chance.sample(range(60), chance.choice((1, 1, 2, 6))))
            buttons = chance.sample(range(1, 7), len(apart))
            for _, device in sorted(pico.press(*zip(buttons, apart, strict=True)), key=lambda pressed: pressed[1]):
                number += 1
                pressed[number] = device
            if chance.random() < 0.3:
                pico.unplug()
            time.sleep(chance.uniform(0, 0.06))
            pico.replug()
        pico.to_pi = pico.to_box = damage(chance, 0.02)
        until(lambda: len(table.presses) == number)
        pico.to_pi = pico.to_box = lambda data: data
        until(lambda: table.state and isinstance(table.state[-1], Working))
    boot = origins(table)[0][0]
    devices = sorted(pressed.values())
    presses = sorted(table.presses, key=lambda press: press.at)
    assert sorted(number for _, number in origins(table)) == list(range(1, number + 1))
    assert {boot_of_press for boot_of_press, _ in origins(table)} == {boot}
    check(presses, {press.origin: device for press, device in zip(presses, devices, strict=True)})


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
