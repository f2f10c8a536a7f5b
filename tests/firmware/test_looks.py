"""What is said of a lamp's cues is what the firmware shows."""

import ast

import pytest

from companion.cli.firmware import LOOKS
from companion.devices.lamp_cues import Cue
from tests.hardware.wiring import ROOT

_COLOURS = {
    # lit: red, green, blue
    (False, False, False): "dark",
    (False, False, True): "blue",
    (True, True, False): "amber",
    (False, True, False): "green",
    (True, False, False): "red",
    (True, True, True): "white",
}


def cues() -> dict[str, tuple[tuple[int, int, int], int, int]]:
    """Return the firmware's cues, without what only a Pico can import."""
    tree = ast.parse((ROOT / "firmware/lamps.py").read_text(encoding="utf-8"))
    (found,) = (
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CUES"
    )
    told: dict[str, tuple[tuple[int, int, int], int, int]] = ast.literal_eval(found)
    return told


@pytest.mark.parametrize("cue", Cue)
def test_a_cue_is_told_by_its_colour_and_by_whether_it_blinks(cue: Cue) -> None:
    colour, _, dark_ms = cues()[cue]
    red, green, blue = (part > 0 for part in colour)
    assert LOOKS[cue].startswith(_COLOURS[red, green, blue])
    assert ("blinking" in LOOKS[cue]) == (dark_ms > 0)


@pytest.mark.parametrize("cue", Cue)
def test_the_guide_tells_the_same(cue: Cue) -> None:
    assert f"| {LOOKS[cue]} |" in (ROOT / "hardware/README.md").read_text(encoding="utf-8")
