"""What is sealed in Speed: nothing that the table senses. Hands are in hands, and are played openly."""

from typing import Any

from companion.kit.nothing_sealed import *  # noqa: F403

OPTIONS: tuple[dict[str, Any], ...] = ({"cards": 8}, {"cards": 26})

NO_OPTIONS: tuple[dict[str, Any], ...] = tuple({"cards": value} for value in (4, 27, "8", None))

SCENES: tuple[dict[str, Any], ...] = (
    {"name": "turning up", "at": {"phase": "turn"}, "filled": ("lies",), "noise": 0.02},
    {"name": "racing", "at": {"phase": "race"}, "filled": ("lies",), "noise": 0.02},
    {"name": "somebody stuck", "at": {"phase": "race"}, "filled": ("stuck",), "noise": 0.02},
    {"name": "over", "options": {"cards": 8}, "at": {"phase": "over"}, "noise": 0.02},
)
"""Where a match is worth a look, by what the public view says there: every page is looked at in each."""
SHOWN: tuple[dict[str, Any], ...] = ({},)
"""The options that look different across the room."""
SLIP = "clubs-9"
"""A card that is tapped where it should not be, now and then."""
