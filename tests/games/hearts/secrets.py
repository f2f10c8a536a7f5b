"""What is sealed in Hearts: nothing that the table senses. Hands are in hands, and are played openly."""

from typing import Any

from companion.kit.nothing_sealed import *  # noqa: F403

OPTIONS: tuple[dict[str, Any], ...] = (
    {"limit": 20},
    {"limit": 50},
    {"limit": 20, "passing": "none"},
    {"limit": 20, "passing": "left", "moon": "own", "four_colours": True},
)

NO_OPTIONS: tuple[dict[str, Any], ...] = (
    *({"limit": value} for value in (19, 201, "50", None)),
    *({"passing": value} for value in ("right", "", None, True)),
    *({"moon": value} for value in ("all", None, 1)),
    *({"four_colours": value} for value in (1, "yes", None)),
)

SCENES: tuple[dict[str, Any], ...] = (
    {"name": "passing", "at": {"phase": "pass"}, "filled": ("passed",), "noise": 0.02},
    {"name": "a trick", "at": {"phase": "play"}, "filled": ("trick", "lies"), "noise": 0.02},
    {"name": "over", "options": {"limit": 20}, "at": {"phase": "over"}, "noise": 0.02},
)
"""Where a match is worth a look, by what the public view says there: every page is looked at in each."""
SHOWN: tuple[dict[str, Any], ...] = ({},)
"""The options that look different across the room."""
SLIP = "clubs-9"
"""A card that is tapped where it should not be, now and then."""
