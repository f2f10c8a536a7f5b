"""Requests made at the table without a phone: by a button, or by one of the table's own cards."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgspec

from companion.events import Event, Started
from companion.live.pause import Why


class GoOn(Enum):
    """The break is over."""

    NOW = "now"


Deed = Started | Why | GoOn | tuple[Event, ...]
"""What the table does: begin a match, pause it, go on, or enter events, which are dated when they are entered."""


class Intent(msgspec.Struct, frozen=True):
    """A request made at the table."""

    deed: Deed
    code: str = ""
    """Code of the sentence that announces it; "": it is done at once, because nobody else need agree."""
    about: tuple[str, Mapping[str, Any]] | None = None
    """Code and facts of what the sentence quotes."""
