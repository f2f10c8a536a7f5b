"""What somebody at the table wants done who has no phone in hand: by a button, or by one of the table's own cards."""

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
"""What the table does: begin a match, rest, go on, or enter events, which are dated when that is done."""


class Intent(msgspec.Struct, frozen=True):
    """What somebody at the table wants done."""

    deed: Deed
    code: str = ""
    """The sentence that announces it; "": it is done at once, because it is theirs to do."""
    about: tuple[str, Mapping[str, Any]] | None = None
    """Code and facts of what the sentence quotes."""
