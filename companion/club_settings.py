"""The `[club]` section of a table's file and of its hub's: where the club meets, and who comes there.

One section may be written from the other, so both are read here.
"""

import re
from pathlib import Path
from typing import Any

from companion.broker_settings import BrokerSettings, checked_broker
from companion.settings import Wrong, converted, written_value

CLUB = "[a-z0-9-]{1,32}"
"""The form of a club's name in topics."""


class ClubSettings(BrokerSettings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[club]`: the broker to which the table reports how its matches stand; without this section, to nobody."""

    club: str
    """The club's name in the broker's topics: up to 32 of a-z, 0-9 and -."""
    name: str
    """What the club calls this table; in a hub's file: what people call the club, by default as `club`."""
    home_assistant: bool = False
    """Whether Home Assistant finds the table by itself."""


def read_club(raw: Any, path: Path) -> ClubSettings:
    """Check the `[club]` section of the file at `path`; its own files are relative to that. Raises `Wrong`."""
    written: ClubSettings = converted(raw, ClubSettings, "club")
    club = checked_broker(written, raw, path, "club")
    if not re.fullmatch(CLUB, club.club, re.ASCII):
        raise Wrong(f"club = {written_value('club', raw)}: up to 32 of a-z, 0-9 and -", section="club", key="club")
    return club
