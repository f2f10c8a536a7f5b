"""What is said of a lamp's cues is what the firmware shows."""

from itertools import combinations

import pytest

from companion.cli.firmware import LOOKS, NUMBER_LOOK
from companion.devices.lamp_cues import Cue
from hardware.lamp_pictures import ORDER, ROOT, Look, drawn, looks

_COLOURS = {
    # lit: red, green, blue
    (False, False, False): "dark",
    (False, False, True): "blue",
    (True, True, False): "amber",
    (False, True, False): "green",
    (True, False, False): "red",
    (True, True, True): "white",
}


@pytest.mark.parametrize("cue", Cue)
def test_a_cue_is_told_by_its_colour_and_by_whether_it_blinks(cue: Cue) -> None:
    colour, _, dark_ms = looks()[cue]
    red, green, blue = (part > 0 for part in colour)
    assert LOOKS[cue].startswith(_COLOURS[red, green, blue])
    assert ("blinking" in LOOKS[cue]) == (dark_ms > 0)


@pytest.mark.parametrize("cue", Cue)
def test_the_guide_tells_the_same(cue: Cue) -> None:
    assert f"| {LOOKS[cue]} |" in (ROOT / "hardware/README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("look", "other"), [*combinations(looks(), 2)])
def test_who_sees_no_colours_tells_any_two_apart_by_rhythm_or_brightness(look: str, other: str) -> None:
    dim, bright = sorted((_brightness(looks()[look]), _brightness(looks()[other])))
    assert _rhythm(looks()[look]) != _rhythm(looks()[other]) or bright > 1.5 * dim


def _brightness(look: Look) -> float:
    """Return the share of white's (ITU-R BT.709)."""
    red, green, blue = look[0]
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


def _rhythm(look: Look) -> tuple[int, int]:
    _, on, off = look
    return (on, off) if off else (0, 0)


def test_the_guide_tells_how_a_number_is_blinked() -> None:
    assert f"| {NUMBER_LOOK} |" in (ROOT / "hardware/README.md").read_text(encoding="utf-8")


def test_the_guide_shows_what_every_lamp_looks_like() -> None:
    """`make hardware` draws it."""
    assert set(ORDER) == {*Cue, ""}
    assert (ROOT / "hardware/pictures/lamps.svg").read_text(encoding="utf-8") == drawn()
