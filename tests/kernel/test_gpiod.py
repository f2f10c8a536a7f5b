"""The driver `gpiod` on a real kernel's GPIO, with an emulated chip."""

import os
import random
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

import gpiod
import pytest

from companion.cli.check.measuring import missing
from companion.config import load
from companion.devices.buttons import source as gpio_buttons
from companion.devices.drivers.gpiod import Buzzers
from companion.devices.sensing import Failed, NotThere, Source
from tests.kernel.pins import Pins
from tests.kernel.table import listening
from tests.waiting import until

SEATS = (1, 2, 3, 4, 5, 6)
LINES = (17, 27, 22, 23, 24, 25)
LINE = dict(zip(SEATS, LINES, strict=True))
REST_S = 0.05


def buzzers(seats: tuple[int, ...] = SEATS, lines: tuple[int, ...] = LINES, chip: str = "") -> Source:
    return Buzzers(seats=seats, lines=lines, chip=chip).open(time.monotonic)


def bounce(pins: Pins, line: int, bounces: int) -> bool:
    """Let a contact open and close many times; it ends closed.

    Gives False if it was open for long meanwhile: then the emulator stood still, and it is no bouncing any more.
    """
    longest, opened = 0.0, time.monotonic()
    for left in reversed(range(bounces + 1)):
        pins.press(line)
        longest = max(longest, time.monotonic() - opened)
        if left:
            time.sleep(0.0002)
            opened = time.monotonic()
            pins.release(line)
            time.sleep(0.0002)
    return longest < 0.02


# Presses.


def test_a_press_is_told_with_seat_time_bound_and_origin(pins: Pins) -> None:
    with listening(buzzers()) as table:
        before = time.monotonic()
        pins.press(LINE[3])
        until(lambda: table.presses)
        after = time.monotonic()
        (press,) = table.presses
        assert press.seat == 3
        assert before - press.uncertainty <= press.at <= after
        assert 0.0002 <= press.uncertainty < 0.1
        assert press.origin.startswith("gpio-")


def test_600_edges_are_300_presses_in_their_order(pins: Pins, record_property: Callable[[str, object], None]) -> None:
    chosen, pressed, late = random.Random(1), [], []
    with listening(buzzers()) as table:
        for _ in range(50):
            for seat in chosen.sample(SEATS, 6):
                late.append(time.monotonic())
                pins.press(LINE[seat])
                pressed.append(seat)
                time.sleep(0.001)
            time.sleep(REST_S)
            for line in LINES:
                pins.release(line)
            time.sleep(REST_S)
        until(lambda: len(table.presses) >= 300)
        time.sleep(0.2)
        presses = sorted(table.presses, key=lambda press: press.at)
    assert [press.seat for press in presses] == pressed
    assert len({press.origin for press in presses}) == 300
    assert table.works()
    late = sorted(round((press.at - at) * 1e6) for press, at in zip(presses, late, strict=True))
    record_property(
        "gpiod, from the write to the pin to the stamp, µs (median, 99 %, most)", (late[150], late[297], late[-1])
    )
    bounds = sorted(round(press.uncertainty * 1e6) for press in presses)
    record_property("gpiod, told bound, ± µs (median, most)", (bounds[150], bounds[-1]))


def test_a_bouncing_button_is_one_press_at_its_first_edge(
    pins: Pins, record_property: Callable[[str, object], None]
) -> None:
    late = []
    with listening(buzzers()) as table:
        for seat in SEATS * 3:
            before = len(table.presses)
            began = time.monotonic()
            steady = bounce(pins, LINE[seat], 50)
            ended = time.monotonic()
            time.sleep(REST_S)
            steady &= bounce(pins, LINE[seat], 20)
            pins.release(LINE[seat])
            time.sleep(REST_S)
            until(lambda before=before: len(table.presses) > before)
            if steady:
                (press,) = table.presses[before:]
                assert press.seat == seat
                assert began <= press.at < ended
                late.append(round((press.at - began) * 1e6))
        assert len(late) > 9
        assert table.works()
    late.sort()
    record_property("gpiod, first of 143 edges to the stamp, µs (median, most)", (late[len(late) // 2], late[-1]))


def test_two_at_once_are_both_told(pins: Pins) -> None:
    with listening(buzzers()) as table:
        for count in range(1, 21):
            together = threading.Barrier(2)

            def press(seat: int, together: threading.Barrier = together) -> None:
                together.wait()
                pins.press(LINE[seat])

            threads = [threading.Thread(target=press, args=(seat,)) for seat in (2, 5)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            until(lambda count=count: len(table.presses) >= 2 * count)
            assert {press.seat for press in table.presses[-2:]} == {2, 5}
            time.sleep(REST_S)
            pins.release(LINE[2])
            pins.release(LINE[5])
            time.sleep(REST_S)
        assert len(table.presses) == 40


def test_a_held_button_is_one_press_and_must_be_released_for_the_next(pins: Pins) -> None:
    with listening(buzzers()) as table:
        pins.press(LINE[1])
        time.sleep(0.3)
        assert [press.seat for press in table.presses] == [1]
        pins.release(LINE[1])
        time.sleep(0.005)  # a release that bounces
        pins.press(LINE[1])
        time.sleep(0.2)
        assert len(table.presses) == 1
        pins.release(LINE[1])
        time.sleep(REST_S)
        pins.press(LINE[1])
        until(lambda: len(table.presses) == 2)


def test_a_button_held_since_before_the_start_is_no_press(pins: Pins) -> None:
    with Pins("other") as other:
        source = Buzzers(seats=(1,), lines=(4,), chip=other.path, pull="none").open(time.monotonic)
        other.press(4)
        with listening(source) as table:
            time.sleep(0.1)
            other.release(4)
            time.sleep(REST_S)
            assert table.presses == []
            other.press(4)
            until(lambda: table.presses)


def test_a_button_to_the_supply_is_active_high(pins: Pins) -> None:
    settings = Buzzers(seats=(6,), lines=(5,), pull="down", active_low=False)
    with listening(settings.open(time.monotonic)) as table:
        pins.release(5)  # up: pressed
        until(lambda: table.presses)
        assert [press.seat for press in table.presses] == [6]


# Faults.


def test_a_chip_that_is_unplugged_is_told_and_found_again(pins: Pins) -> None:
    with listening(buzzers()) as table:
        pins.press(LINE[1])
        until(lambda: table.presses)
        for _ in range(3):
            pins.unplug()
            until(table.failed)
            failed = table.state[-1]
            assert isinstance(failed, Failed)
            assert re.search("lost the GPIO chip|no GPIO chip called", failed.why)
            pins.plug_in()
            until(table.works)
            count = len(table.presses)
            time.sleep(REST_S)
            pins.press(LINE[2])
            until(lambda count=count: len(table.presses) > count)
            assert table.presses[-1].seat == 2
        assert len(table.presses) == 4


def test_lost_edges_are_told_and_the_buttons_go_on(pins: Pins, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpio_buttons, "SHOWN_S", 0.5)
    with listening(buzzers()) as table:
        table.gate.clear()
        pins.press(LINE[1])  # the driver waits for the disk from here on
        for _ in range(1500):
            bounce(pins, LINE[2], 1)
            pins.release(LINE[2])
            time.sleep(0.0005)
        pins.release(LINE[1])
        table.gate.set()
        until(table.failed)
        failed = table.state[-1]
        assert isinstance(failed, Failed)
        assert re.search(r"\d+ edges of GPIO \d+ were lost.*Ask the players who called", failed.why)
        until(table.works)
        time.sleep(REST_S)
        count = len(table.presses)
        pins.press(LINE[3])
        until(lambda: len(table.presses) > count)
        assert table.presses[-1].seat == 3


def refusal(source: Source) -> str:
    with pytest.raises(NotThere) as told:
        source.start()
    source.close()
    return str(told.value)


def test_a_line_in_use_is_told_with_who_uses_it(pins: Pins) -> None:
    with gpiod.request_lines(pins.path, {27: None}, consumer="another program"):
        assert "GPIO 27 (by another program)" in refusal(buzzers())
    source = buzzers()
    source.start()
    source.close()


@pytest.mark.parametrize(
    ("chip", "told"),
    [
        ("/dev/gpiochip99", "There is no /dev/gpiochip99: correct `chip`. Here: /dev/gpiochip"),
        ("/dev/null", "/dev/null is not a GPIO chip"),
        ("pinctrl-rp1", "no GPIO chip called pinctrl-rp1.*Here: /dev/gpiochip. .pinctrl-bcm2711."),
    ],
)
@pytest.mark.usefixtures("pins")
def test_a_wrong_chip_is_told_with_those_that_are_there(chip: str, told: str) -> None:
    assert re.search(told, refusal(buzzers(chip=chip)))


@pytest.mark.usefixtures("pins")
def test_a_line_beyond_the_chip_is_told() -> None:
    assert "has lines 0 to 27, but no 40" in refusal(buzzers((1,), (40,)))


def test_a_chip_that_is_not_ours_names_the_group(pins: Pins) -> None:
    os.seteuid(65534)
    try:
        assert f"No permission to open {pins.path}: add this user to the group gpio" in refusal(buzzers())
    finally:
        os.seteuid(0)


def test_every_bounce_of_a_contact_is_counted(pins: Pins) -> None:
    source = buzzers()
    with listening(source) as table:
        # Where the emulator stands still in the middle, one bouncing looks like two.
        for _ in range(20):
            bounce(pins, LINE[2], 5)
            time.sleep(REST_S)
            pins.release(LINE[2])
            time.sleep(REST_S)
            found = source.figures.buttons[1]
            if found.bounce.edges == 10:
                break
        assert found.presses == len(table.presses)
        assert found.bounce.edges == 10
        assert 0 < found.bounce.lasted < 0.1


def test_check_opens_a_whole_table(pins: Pins, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[[buzzers]]\ndriver = "gpiod"\nseats = [1, 2]\nlines = [17, 27]\n')
    assert missing(load(path)) == []
    pins.unplug()
    (wrong,) = missing(load(path))
    assert wrong.startswith("buzzers GPIO 17, 27: There is no GPIO chip called pinctrl-rp1 or")
    pins.plug_in()
