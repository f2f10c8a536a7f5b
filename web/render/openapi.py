"""The interface for other programs, described as OpenAPI 3.1: made from the types of its answers."""

from functools import cache
from typing import Any

import companion
from companion.field_meanings import schemas
from companion.history.standings import Result
from companion.judge.views import PASSAGE
from companion.web.render.api_values import PastMatch, PeopleNow, TableNow
from companion.words import LANGUAGES

MOST = 500
"""The most matches in one answer."""

_WHERE = "#/components/schemas/{name}"
_LANG = {
    "name": "lang",
    "in": "query",
    "description": "The language of sentences; by default as the request prefers.",
    "schema": {"enum": list(LANGUAGES)},
}
_AFTER = {
    "name": "after",
    "in": "query",
    "description": f"Only matches with a higher number; one answer has at most {MOST}.",
    "schema": {"type": "integer", "minimum": 0, "default": 0},
}
_SINCE = {
    "name": "since",
    "in": "query",
    "description": f"How many entries of the story to skip; one answer has at most {PASSAGE}.",
    "schema": {"type": "integer", "minimum": 0, "default": 0},
}
_NUMBER = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
_LAST = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The id of the last message received: while that is still current, nothing is sent again.",
    "schema": {"type": "string"},
}
_STREAM = (
    "Server-sent events: a message, with an id, whenever anything here has changed, and `tick` every four seconds as "
    "a sign of life. Each message tells all, so who missed some has missed nothing that still holds."
)
_NOT_THERE = "There is no such match, or it can't be read"


@cache
def document() -> dict[str, Any]:
    """Return the whole description."""
    (now, result, past, season), named = schemas((TableNow, Result, PastMatch, PeopleNow), _WHERE)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "The table companion",
            "version": companion.__version__,
            "summary": "What a table shows, for other programs; nothing can be done here.",
        },
        "paths": {
            "/api/1/public": _path("The match on the table", now, _LANG),
            "/api/1/stream": _path(_STREAM, now, _LANG, _LAST, kind="text/event-stream"),
            "/api/1/results": _path("How matches ended, oldest first", {"type": "array", "items": result}, _AFTER),
            "/api/1/matches/{number}": _path("One match", past, _NUMBER, _LANG, _SINCE, missing=_NOT_THERE),
            "/api/1/people": _path("The season's standings", season),
            "/api/1/openapi.json": _path("This description", {"type": "object"}),
        },
        "components": {"schemas": named},
    }


def _path(
    what: str, answer: dict[str, Any], *parameters: dict[str, Any], kind: str = "application/json", missing: str = ""
) -> dict[str, Any]:
    answers = {"200": {"description": what, "content": {kind: {"schema": answer}}}}
    if missing:
        answers["404"] = {"description": missing}
    return {"get": {"summary": what.partition(":")[0], "parameters": list(parameters), "responses": answers}}
