"""The hub's interface for other programs, described as OpenAPI 3.1."""

from functools import cache
from typing import Any

import msgspec

from companion.club.payloads import MatchResult, Scores, SeatedPlayer, TableState
from companion.field_meanings import schemas
from companion.web.render.openapi import NUMBER, WHERE, Problem, described, path


class TableAtHub(msgspec.Struct, frozen=True):
    """A table as the hub knows it."""

    table: str
    """Its id."""
    name: str
    state: TableState
    match: int | None
    """The number of the match on it; null if it has told of none."""
    game: str | None
    over: bool
    scores: Scores
    players: tuple[SeatedPlayer, ...]
    behind_s: float
    """Seconds by which what is shown here is late."""


class NumberedResult(MatchResult, frozen=True, kw_only=True):
    """A match's standing result, and by which number the hub keeps it."""

    number: int
    """Grows with every result and every revision."""
    table: str


_AFTER = {
    "name": "after",
    "in": "query",
    "description": "Only results with a higher number: those that came later.",
    "schema": NUMBER,
}


@cache
def document() -> dict[str, Any]:
    """Return the whole description of a hub's interface."""
    (table, result, _), named = schemas((TableAtHub, NumberedResult, Problem), WHERE)
    paths = {
        "/api/1/tables": path("tables", "All tables as they stand", {"type": "array", "items": table}),
        "/api/1/results": path(
            "results", "The standing result of each match, as they came", {"type": "array", "items": result}, _AFTER
        ),
        "/api/1/openapi.json": path("openapi", "This description", {"type": "object"}),
    }
    return described("A club's hub", "The tables of a club and their results, for other programs.", paths, named)
