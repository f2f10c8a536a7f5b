"""The club's MQTT topics, all below `table-companion/1/<club>/<table>/`.

>>> topic_of("wednesday", "abcdefgh234567ab", "result/12")
'table-companion/1/wednesday/abcdefgh234567ab/result/12'
>>> placed("table-companion/1/wednesday/abcdefgh234567ab/result/12")
Spot(club='wednesday', table='abcdefgh234567ab', what='result', match=12)
"""

import re
import secrets

import msgspec

from companion.club_settings import CLUB

_NAME = "table-companion"
ROOT = f"{_NAME}/1"
TABLE = "[a-z2-7]{16}"
"""The form of a table's id, which is also its client id."""

_SPOT = re.compile(rf"{ROOT}/({CLUB})/({TABLE})/(?:(status|about|public|ask)|(result)/([1-9][0-9]{{0,17}}))", re.ASCII)
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


class Spot(msgspec.Struct, frozen=True):
    """A parsed topic."""

    club: str
    table: str
    what: str
    """status, about, public, result or ask."""
    match: int | None = None
    """For a result, the match's number in that table's log."""


def topic_of(club: str, table: str, kind: str) -> str:
    """Return a table's topic for `kind`: status, about, public, result/12 or ask."""
    return f"{ROOT}/{club}/{table}/{kind}"


def every(club: str) -> str:
    """Return the filter for all topics of a club, of any version, except results."""
    return f"{_NAME}/+/{club}/+/+"


def placed(topic: str) -> Spot | None:
    """Parse a topic; None if it is not one of ours, or of an unknown version."""
    parts = _SPOT.fullmatch(topic)
    if parts is None:
        return None
    club, table, kind, result, match = parts.groups()
    return Spot(club, table, result or kind, int(match) if match else None)


def is_table(text: object) -> bool:
    """Return whether this has the form of a table's id."""
    return isinstance(text, str) and re.fullmatch(TABLE, text, re.ASCII) is not None


def drawn_table() -> str:
    """Make a random table id."""
    return "".join(secrets.choice(_LETTERS) for _ in range(16))
