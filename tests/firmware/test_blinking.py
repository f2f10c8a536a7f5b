"""The number that a lamp blinks, by the real firmware in MicroPython."""

from collections.abc import Iterator
from itertools import groupby

import pytest
import serial

from tests.firmware.pico import HERE, Pico


@pytest.fixture(scope="module")
def shown() -> Iterator[list[str]]:
    """What a lamp shows that is to say 1, 5, 7, 7 again every second, 8 after 7, `read` and `off`."""
    with Pico(main=HERE / "blinking.py") as pico, serial.Serial(pico.path, timeout=15) as port:
        port.write(b"!")
        yield port.read_until(b"end\n").decode().splitlines()[:-1]


def signs(shown: str) -> str:
    """Return a letter for each sign, and a space for each pause between numbers."""
    runs = [(lit == "#", 10 * len([*run])) for lit, run in groupby(shown)]
    return "".join(_sign(*run) for run in runs).strip()


def _sign(lit: bool, milliseconds: int) -> str:
    if not lit:
        return " " if milliseconds > 1000 else ""
    return "L" if milliseconds > 400 else "s"


def test_a_card_is_a_short_sign_and_five_are_a_long_one(shown: list[str]) -> None:
    one, five, seven, *_ = map(signs, shown)
    assert set(one.split()) == {"s"}
    assert set(five.split()[:-1]) == {"L"}
    assert set(seven.split()[:-1]) == {"Lss"}


def test_a_number_that_is_said_again_goes_on_where_it_was(shown: list[str]) -> None:
    assert shown[3] == shown[2]


def test_another_number_begins_anew_after_a_pause(shown: list[str]) -> None:
    assert shown[4].startswith("." * 100)
    assert signs(shown[4]).startswith("Lsss ")


def test_any_other_cue_ends_it(shown: list[str]) -> None:
    assert (set(shown[5]), set(shown[6])) == ({"#"}, {"."})
