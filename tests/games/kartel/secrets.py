"""What is sealed in Kartel: nothing. Every token is won openly; to remember the closed piles is all there is."""

from typing import Any

from companion.kit.nothing_sealed import *  # noqa: F403

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"money": False},
    {"free_gang": "zero"},
    {"ring": True},
    {"ring": True, "money": False, "free_gang": "zero"},
)

NO_OPTIONS: tuple[dict[str, Any], ...] = (
    *({"money": value} for value in (0, "true", None, 1.0)),
    *({"ring": value} for value in (1, "yes", {})),
    *({"free_gang": value} for value in ("plus", "Minus", None, True, ["zero"])),
)


SCENES: tuple[dict[str, Any], ...] = (
    {"name": "the ring", "options": {"ring": True}, "at": {"phase": "ring"}, "filled": ("ring",), "noise": 0.02},
    {"name": "on the ring", "options": {"ring": True}, "at": {"phase": "play"}, "filled": ("cells",), "noise": 0.02},
    {"name": "by hand", "at": {"phase": "play"}, "filled": ("cells", "turn_over"), "noise": 0.05},
    {"name": "over", "at": {"phase": "over"}, "noise": 0.02},
)
"""Where a match is worth a look, by what the public view says there: every page is looked at in each."""
SHOWN: tuple[dict[str, Any], ...] = ({}, {"ring": True})
"""The options that look different across the room."""
SLIP = "red-1"
"""A card that is tapped where it should not be, now and then."""
