"""What holds for buttons through either driver, on a real kernel's GPIO with an emulated chip."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import gpiod
import pytest

from companion.devices.drivers import gpiod as driver_gpiod
from companion.devices.drivers import rpi_gpio as driver_rpi_gpio
from companion.devices.sensing import Source
from tests.kernel.pins import Pins
from tests.kernel.table import LINE, LINES, SEATS, bounce, listening, refusal
from tests.waiting import until


@dataclass(frozen=True)
class Driver:
    """A driver, and what it can be asked for where the emulator is slow."""

    name: str
    settings: type[driver_gpiod.Buzzers] | type[driver_rpi_gpio.Buzzers]
    apart: float
    """Seconds between two presses whose order must be right."""
    rest: float
    """Seconds of rest between presses of one button: a driver that stamps late must see 30 ms all the same."""
    rounds: int
    bounces: tuple[int, int]
    """Of a button that closes, and of one that opens."""
    uncertainty: tuple[float, float]
    """Seconds: the least and the most that it tells."""
    late: float
    """Seconds by which a stamp may come after its edge."""
    in_use: str

    def buzzers(self) -> Source:
        return self.settings(seats=SEATS, lines=LINES).open(time.monotonic)


GPIOD = Driver(
    "gpiod", driver_gpiod.Buzzers, 0.001, 0.05, 50, (50, 20), (0.0002, 0.1), 0.0, "GPIO 27 (by another program)"
)
RPI_GPIO = Driver(
    "rpi-gpio", driver_rpi_gpio.Buzzers, 0.02, 0.4, 8, (10, 5), (0.01, 1.0), 0.4, "is already in use (GPIO busy)"
)


@pytest.fixture(params=[GPIOD, RPI_GPIO], ids=lambda driver: driver.name)
def driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    if request.param is RPI_GPIO:
        request.getfixturevalue("pi_4")
    return request.param  # type: ignore[no-any-return]


Figure = Callable[[str, object], None]


def test_a_press_is_told_with_seat_time_bound_and_origin(driver: Driver, pins: Pins) -> None:
    with listening(driver.buzzers()) as table:
        earliest = time.monotonic()
        pins.press(LINE[3])
        until(lambda: table.presses)
        latest = time.monotonic()
        (press,) = table.presses
        least, most = driver.uncertainty
        assert press.seat == 3
        assert earliest - press.uncertainty <= press.at <= latest
        assert least <= press.uncertainty < most
        assert press.origin.startswith("gpio-")


def test_presses_are_told_in_their_order(driver: Driver, pins: Pins, record_property: Figure) -> None:
    chosen = random.Random(1)
    pressed = []
    began = []
    with listening(driver.buzzers()) as table:
        for _ in range(driver.rounds):
            for seat in chosen.sample(SEATS, 6):
                began.append(time.monotonic())
                pins.press(LINE[seat])
                pressed.append(seat)
                time.sleep(driver.apart)
            time.sleep(driver.rest)
            for line in LINES:
                pins.release(line)
            time.sleep(driver.rest)
        until(lambda: len(table.presses) >= len(pressed))
        time.sleep(0.2)
        presses = sorted(table.presses, key=lambda press: press.at)
    assert [press.seat for press in presses] == pressed
    assert len({press.origin for press in presses}) == len(pressed)
    assert table.works()
    late = sorted(round((press.at - at) * 1e6) for press, at in zip(presses, began, strict=True))
    figure = f"{driver.name}, from the write to the pin to the stamp, µs (median, 99 %, most)"
    record_property(figure, (late[len(late) // 2], late[len(late) * 99 // 100], late[-1]))
    bounds = sorted(round(press.uncertainty * 1e6) for press in presses)
    record_property(f"{driver.name}, told bound, ± µs (median, most)", (bounds[len(bounds) // 2], bounds[-1]))


def test_a_bouncing_button_is_one_press_at_its_first_edge(driver: Driver, pins: Pins, record_property: Figure) -> None:
    late, (closing, opening) = [], driver.bounces
    with listening(driver.buzzers()) as table:
        for seat in SEATS * 2:
            presses_before = len(table.presses)
            began = time.monotonic()
            steady = bounce(pins, LINE[seat], closing)
            ended = time.monotonic()
            time.sleep(driver.rest)
            steady &= bounce(pins, LINE[seat], opening)
            pins.release(LINE[seat])
            time.sleep(driver.rest)
            until(lambda presses_before=presses_before: len(table.presses) > presses_before)
            if steady:
                (press,) = table.presses[presses_before:]
                assert press.seat == seat
                assert began <= press.at < ended + driver.late
                late.append(round((press.at - began) * 1e6))
        assert len(late) > 6
        assert table.works()
    late.sort()
    figure = f"{driver.name}, first of many edges to the stamp, µs (median, most)"
    record_property(figure, (late[len(late) // 2], late[-1]))


def test_a_held_button_is_one_press_and_must_be_released_for_the_next(driver: Driver, pins: Pins) -> None:
    with listening(driver.buzzers()) as table:
        pins.press(LINE[4])
        time.sleep(0.3)
        assert [press.seat for press in table.presses] == [4]
        pins.release(LINE[4])
        time.sleep(driver.rest)
        pins.press(LINE[4])
        until(lambda: len(table.presses) == 2)


def test_a_line_in_use_is_told(driver: Driver, pins: Pins) -> None:
    with gpiod.request_lines(pins.path, {27: None}, consumer="another program"):
        assert driver.in_use in refusal(driver.buzzers())
    with listening(driver.buzzers()) as table:
        pins.press(LINE[2])
        until(lambda: table.presses)
