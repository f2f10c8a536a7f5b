"""Decisions about a match after its end, which the log keeps beside it; nothing is deleted."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

import msgspec

INSERT = "INSERT INTO decision (match, at, noted, names, what, newest) VALUES (?, ?, ?, ?, ?, ?)"
COLUMNS = "match, at, noted, names, what, newest"
READ = "match, CAST(at AS REAL), CAST(noted AS BLOB), CAST(names AS BLOB), CAST(what AS BLOB)"


class Decided(Enum):
    """What was decided."""

    PUT_RIGHT = "put-right"
    """Something was taken back, put right or entered."""
    LEFT_OUT = "left-out"
    """It counts nowhere from then on."""
    COUNTS = "counts"
    """It counts again."""
    TAKEN_UP = "taken-up"
    """It is the match on the table again."""


class Decision(msgspec.Struct, frozen=True):
    """One decision about a match."""

    what: Decided
    at: float
    """Seconds on the table's clock."""
    noted: str
    """Local time, ISO 8601; "" if nobody knew it."""
    names: tuple[str, ...]
    """Who decided, as far as they have names."""


NONE: tuple[Decision, ...] = ()


def values(match: int, decision: Decision, newest: int) -> tuple[Any, ...]:
    """Return the values for `INSERT`; `newest` is the last match begun by then."""
    names = msgspec.json.encode(decision.names).decode()
    return match, decision.at, decision.noted, names, decision.what.value, newest


def by_match(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[Decision]]:
    """Read rows of `READ`; malformed ones are left out."""
    decisions: dict[int, list[Decision]] = {}
    for match, at, noted, names, code in rows:
        try:
            decision = Decision(
                Decided(code.decode()), float(at), noted.decode(), msgspec.json.decode(names, type=tuple[str, ...])
            )
        except (AttributeError, TypeError, ValueError):
            continue
        decisions.setdefault(match, []).append(decision)
    return decisions


def is_left_out(decisions: Sequence[Decision]) -> bool:
    """Whether a match counts nowhere, by the latest decision about that."""
    about_counting = [decision.what for decision in decisions if decision.what in (Decided.LEFT_OUT, Decided.COUNTS)]
    return about_counting[-1:] == [Decided.LEFT_OUT]


def that_stand(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return the decisions still in force: the last time the match was put right, and whether it is left out."""
    latest = {decision.what: decision for decision in decisions}
    if not is_left_out(decisions):
        latest.pop(Decided.LEFT_OUT, None)
    return tuple(latest[kind] for kind in (Decided.PUT_RIGHT, Decided.LEFT_OUT) if kind in latest)


def of(decisions: Mapping[int, Sequence[Decision]], match: int) -> Sequence[Decision]:
    """Return the decisions about this match, oldest first."""
    return decisions.get(match, NONE)
