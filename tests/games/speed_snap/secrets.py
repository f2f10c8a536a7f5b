"""What is sealed in Speed Snap: nothing. Nobody looks at their own cards, and what is turned lies open."""

from typing import Any

from companion.kit.nothing_sealed import *  # noqa: F403

OPTIONS: tuple[dict[str, Any], ...] = (
    {"deals": 1},
    {"deals": 2, "tie_window": 0.05},
    {"deals": 1, "head_starts": {"1": 0.12, "3": 0.3}},
)

NO_OPTIONS: tuple[dict[str, Any], ...] = (
    *({"deals": value} for value in (0, 6, "2", None)),
    *({"tie_window": value} for value in (-0.1, 60, "0", None)),
    *({"head_starts": value} for value in ({"7": 0.1}, {"1": 1.5}, {"1": -0.1}, None)),
)

SCENES: tuple[dict[str, Any], ...] = (
    {"name": "a pile", "at": {"phase": "turn"}, "filled": ("lies",), "noise": 0.02},
    {"name": "over", "options": {"deals": 1}, "at": {"phase": "over"}, "noise": 0.02},
)
"""Where a match is worth a look, by what the public view says there: every page is looked at in each."""
SHOWN: tuple[dict[str, Any], ...] = ({},)
"""The options that look different across the room."""
SLIP = "clubs-9"
"""A card that is tapped where it should not be, now and then."""
