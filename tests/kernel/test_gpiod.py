"""What only the driver `gpiod` hears and says, on a real kernel's GPIO with an emulated chip."""

import os
import re
import threading
import time
from pathlib import Path

import pytest

from companion.cli.check.checking import missing
from companion.config import load
from companion.devices.buttons import gpio_source as gpio_buttons
from companion.devices.drivers.gpiod import Buzzers
from companion.devices.sensing import Buzzed, Failed, Passed, Source
from tests.kernel.pins import Pins
from tests.kernel.table import LINE, LINES, SEATS, bounce, listening, refusal
from tests.waiting import until

BOUNCE_S = 0.01
REST_S = 0.05


def buzzers(seats: tuple[int, ...] = SEATS, lines: tuple[int, ...] = LINES, chip: str = "") -> Source:
    return Buzzers(seats=seats, lines=lines, chip=chip).open(time.monotonic)


# Presses.


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
        up_to = 0.0
        for sensing in table.told:
            up_to = sensing.at if isinstance(sensing, Passed) else up_to
            assert not isinstance(sensing, Buzzed) or sensing.at >= up_to, "another was said to be the first"
        assert up_to


def test_a_release_that_bounces_is_no_press(pins: Pins) -> None:
    with listening(buzzers()) as table:
        pins.press(LINE[1])
        until(lambda: table.presses)
        took = 1.0
        while took > BOUNCE_S:  # on a busy machine it may have been a press of its own
            time.sleep(4 * REST_S)
            presses_before = len(table.presses)
            began = time.monotonic()
            pins.release(LINE[1])
            pins.press(LINE[1])
            took = time.monotonic() - began
        time.sleep(4 * REST_S)
        assert len(table.presses) == presses_before


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
            assert re.search("lost the GPIO chip|no GPIO chip called", failed.fault.says)
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
        assert re.search(r"\d+ edges of GPIO \d+ were lost.*Ask the players who called", failed.fault.says)
        until(table.works)
        time.sleep(REST_S)
        count = len(table.presses)
        pins.press(LINE[3])
        until(lambda: len(table.presses) > count)
        assert table.presses[-1].seat == 3


@pytest.mark.parametrize(
    ("chip", "pattern"),
    [
        ("/dev/gpiochip99", "There is no /dev/gpiochip99: correct `chip`. Here: /dev/gpiochip"),
        ("/dev/null", "/dev/null is not a GPIO chip"),
        ("pinctrl-rp1", "no GPIO chip called pinctrl-rp1.*Here: /dev/gpiochip. .pinctrl-bcm2711."),
    ],
)
@pytest.mark.usefixtures("pins")
def test_a_wrong_chip_is_told_with_those_that_are_there(chip: str, pattern: str) -> None:
    assert re.search(pattern, refusal(buzzers(chip=chip)))


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
            button_figures = source.figures.buttons[1]
            if button_figures.bounce.edges == 10:
                break
        assert button_figures.presses == len(table.presses)
        assert button_figures.bounce.edges == 10
        assert 0 < button_figures.bounce.lasted < 0.1


def test_check_opens_a_whole_table(pins: Pins, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[[buzzers]]\ndriver = "gpiod"\nseats = [1, 2]\nlines = [17, 27]\n')
    assert missing(load(path)) == []
    pins.unplug()
    (wrong,) = missing(load(path))
    assert wrong.startswith("buzzers GPIO 17, 27: There is no GPIO chip called pinctrl-rp1 or")
    pins.plug_in()
