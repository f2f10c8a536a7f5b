"""What is sealed in Crazy Eights: nothing that the table senses. Hands are in hands, and are played openly."""

from typing import Any

from companion.kit.nothing_sealed import *  # noqa: F403

OPTIONS: tuple[dict[str, Any], ...] = (
    {"limit": 20},
    {"limit": 50, "dealt": 7},
    {"limit": 30, "drawing": "until"},
    {"limit": 20, "dealt": 8, "four_colours": True},
)

NO_OPTIONS: tuple[dict[str, Any], ...] = (
    *({"limit": value} for value in (19, 501, "50", None)),
    *({"dealt": value} for value in (4, 9, None)),
    *({"drawing": value} for value in ("two", "", None, True)),
    *({"four_colours": value} for value in (1, "yes", None)),
)

SCENES: tuple[dict[str, Any], ...] = (
    {"name": "a stack", "at": {"phase": "play"}, "filled": ("lies",), "noise": 0.02},
    {"name": "counting", "at": {"phase": "count"}, "filled": ("shown",), "noise": 0.02},
    {"name": "over", "options": {"limit": 20}, "at": {"phase": "over"}, "noise": 0.02},
)
"""Where a match is worth a look, by what the public view says there: every page is looked at in each."""
SHOWN: tuple[dict[str, Any], ...] = ({},)
"""The options that look different across the room."""
SLIP = "clubs-9"
"""A card that is tapped where it should not be, now and then."""
