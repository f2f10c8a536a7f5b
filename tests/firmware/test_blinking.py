"""The number that a lamp blinks, by the real firmware in MicroPython."""

from collections.abc import Iterator
from itertools import groupby

import pytest
import serial

from tests.firmware.pico import HERE, Pico


@pytest.fixture(scope="module")
def letters() -> Iterator[list[str]]:
    """What a lamp shows that is to say 1, 5, 7, 7 again every second, 8 after 7, `read` and `off`."""
    with Pico(main=HERE / "blinking.py") as pico, serial.Serial(pico.path, timeout=15) as port:
        port.write(b"!")
        yield port.read_until(b"end\n").decode().splitlines()[:-1]


def signs(letters: str) -> str:
    """Return a letter for each sign, and a space for each pause between numbers."""
    runs = [(lit == "#", 10 * len([*run])) for lit, run in groupby(letters)]
    return "".join(_sign(*run) for run in runs).strip()


def _sign(lit: bool, milliseconds: int) -> str:
    if not lit:
        return " " if milliseconds > 1000 else ""
    return "L" if milliseconds > 400 else "s"


def test_a_card_is_a_short_sign_and_five_are_a_long_one(letters: list[str]) -> None:
    short, five, seven, *_ = map(signs, letters)
    assert set(short.split()) == {"s"}
    assert set(five.split()[:-1]) == {"L"}
    assert set(seven.split()[:-1]) == {"Lss"}


def test_a_number_that_is_said_again_goes_on_where_it_was(letters: list[str]) -> None:
    assert letters[3] == letters[2]


def test_another_number_begins_anew_after_a_pause(letters: list[str]) -> None:
    assert letters[4].startswith("." * 100)
    assert signs(letters[4]).startswith("Lsss ")


def test_any_other_cue_ends_it(letters: list[str]) -> None:
    assert (set(letters[5]), set(letters[6])) == ({"#"}, {"."})
