"""The payloads between tables and hub: UTF-8 JSON of these values.

A reader ignores unknown keys, and counts what it can't read. Payloads of others are read with `read` or `decoded`.
"""

import re
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

T = TypeVar("T", bound=msgspec.Struct)

LARGEST = 64 * 1024
"""Bytes; no payload is larger, and a larger one is not read."""
LARGEST_RESULT = 16 * 1024
"""Bytes; no result is larger: a real one has less than a thousand."""
DEEPEST = 64
"""Levels of nested lists and objects, many times what a payload has. Decoders, SQLite and Python have different limits
in each version, so that one could fail on what another has accepted."""
EXPIRES_S = 3600
"""Seconds after which the broker forgets a public view."""

LARGEST_NUMBER = 2**53
"""The largest integer that every JSON reader and SQLite represent exactly."""

LONGEST_NAME = 1000
"""Characters of a player's name, many times what a table takes."""

LONGEST_CARD = 64
"""Characters of a club card's digest."""

Count = Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)]
Seat = Count
MatchNumber = Count
"""A match's number in its table's log."""
Score = Annotated[int, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
Scores = dict[Annotated[str, Meta(pattern="^[1-9][0-9]*$")], Score | None]
"""By seat; null: the match has no scores."""


TableState = Literal["ready", "ended", "lost"]
"""Whether a table is there."""


class TableStatus(msgspec.Struct, frozen=True):
    """`status`: whether the table is there. Retained, and the will of its connection."""

    state: TableState
    """`ready` on connecting, `ended` before leaving on purpose, `lost` as the will."""
    birth: Count
    """Grows by one with every connection; the will of an older birth is ignored."""


class About(msgspec.Struct, frozen=True):
    """`about`: what kind of table it is. Retained."""

    name: str
    games: tuple[str, ...]
    """Their slugs."""
    seats: tuple[Seat, ...]
    languages: tuple[str, ...]
    address: str
    """Where phones find it."""
    version: str
    """The companion's."""
    simulated: bool


class PublicView(msgspec.Struct, frozen=True, omit_defaults=True):
    """`public`: what everybody may know of the match as it stands. Retained for an hour."""

    match: MatchNumber | None
    """null while no match has been started."""
    at: float
    """Seconds on the table's clock, which no other clock need agree with."""
    view: dict[str, Any] | None
    """What `companion replay --view public` prints."""
    ended: bool | None = None
    """Whether the match is ended early, which its view does not tell; left out if it never was, and by earlier
    versions."""


class SeatedPlayer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sat where."""

    seat: Seat
    name: Annotated[str, Meta(max_length=LONGEST_NAME)]
    card: Annotated[str, Meta(max_length=LONGEST_CARD)] = ""
    """What stands for their club card, by the club's secret the same at every table; left out if they have none. A hub
    shows it to nobody: it would tell whoever has the secret, or another of its members, which tag that is."""


class MatchResult(msgspec.Struct, frozen=True):
    """`result/<match>`: how a match ended, once it is over or was ended, and again whenever that changes."""

    match: MatchNumber
    revision: Count
    """A higher one replaces a lower one."""
    began: str
    """Wall-clock time, ISO 8601, as the table knew it."""
    game: str
    options: dict[str, Any]
    players: tuple[SeatedPlayer, ...]
    over: bool
    """false: it was ended early."""
    scores: Scores
    winners: tuple[Seat, ...]
    simulated: bool
    demo: bool
    """Whether it counts for nobody: it played itself, or its table has left it out."""


class Ask(msgspec.Struct, frozen=True):
    """`ask`: send the results of all matches after this number again. By the hub, to a table."""

    since: Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]


_TEXT = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
"""A JSON string, even an unterminated one: otherwise each of its quotes would start a new search to the end."""
_NO_BRACKETS = bytes({*range(256)} - {*b"[]{}"})

Payload = TableStatus | About | PublicView | MatchResult | Ask
KINDS: dict[str, type[Payload]] = {
    "status": TableStatus,
    "about": About,
    "public": PublicView,
    "result": MatchResult,
    "ask": Ask,
}
"""By kind, as in `topics.Spot.what`."""


def instant(began: str) -> float | None:
    """Parse an ISO 8601 time into seconds since 1970; None if it is none.

    >>> instant("2026-11-22T20:15:03+01:00") == instant("2026-11-22T19:15:03Z"), instant("yesterday")
    (True, None)
    """
    try:
        return datetime.fromisoformat(began).timestamp()
    except (ValueError, OverflowError):
        return None


def agrees(result: MatchResult) -> bool:
    """Return whether a result is consistent: one player a seat, scores and winners among them, and a valid time."""
    seats = [player.seat for player in result.players]
    scoring = {*map(str, seats)}
    return (
        len(scoring) == len(seats)
        and {*result.winners} <= {*seats}
        and result.scores.keys() <= scoring
        and instant(result.began) is not None
    )


def written(payload: msgspec.Struct) -> bytes:
    """Encode a payload."""
    return msgspec.json.encode(payload)


def decoded(payload: bytes | bytearray, kind: Any = Any) -> Any:
    """Decode another program's payload. Raises ValueError if it is too large, too deep, no JSON or of another kind."""
    if len(payload) > LARGEST:
        raise ValueError(f"{len(payload)} bytes")
    if payload.count(b"[") + payload.count(b"{") > DEEPEST and _depth(payload) > DEEPEST:
        raise ValueError(f"more than {DEEPEST} levels")
    return msgspec.json.decode(payload, type=kind)


def read(payload: bytes, kind: type[T]) -> T | None:
    """Decode another program's payload; None if it is invalid."""
    try:
        message: T = decoded(payload, kind)
    except ValueError:
        return None
    return message


def _depth(payload: bytes | bytearray) -> int:
    """Count the levels of nested lists and objects without decoding them."""
    deepest = 0
    depth = 0
    for bracket in _TEXT.sub(b"", payload).translate(None, _NO_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
