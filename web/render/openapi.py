"""The OpenAPI 3.1 description of the interfaces for other programs, made from the types of their answers."""

from functools import cache
from typing import Any

import msgspec

import companion
from companion.field_meanings import schemas
from companion.history.standings import Result
from companion.judge.views import PASSAGE
from companion.web.render.api_values import PastMatch, PeopleNow, TableNow

MOST = 500
"""The most matches in one answer."""
DIGITS = 15
"""The most digits of a number that a program asks with: every program that reads JSON keeps it exactly."""

PROBLEM = "application/problem+json"
"""The media type of an error (RFC 9457)."""

WHERE = "#/components/schemas/{name}"
NUMBER = {"type": "integer", "minimum": 0, "maximum": 10**DIGITS - 1, "default": 0}


class Problem(msgspec.Struct, frozen=True):
    """Why a request was not answered. Its type is about:blank: the status says all that a program can act on."""

    title: str
    """The status in HTTP's words."""
    status: int
    detail: str
    """What is wrong and what to do now, in the language asked for."""


_LANG = {
    "name": "lang",
    "in": "query",
    "description": "The language of sentences, en or fr; without it, or with any other, as the request prefers.",
    "schema": {"type": "string"},
}
_AFTER = {
    "name": "after",
    "in": "query",
    "description": f"Only matches with a higher number; one answer has at most {MOST}.",
    "schema": NUMBER,
}
_SINCE = {
    "name": "since",
    "in": "query",
    "description": f"How many entries of the story to skip; one answer has at most {PASSAGE}.",
    "schema": NUMBER,
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


@cache
def document() -> dict[str, Any]:
    """Return the whole description of a table's interface."""
    (now_schema, result, past, season, _), named = schemas((TableNow, Result, PastMatch, PeopleNow, Problem), WHERE)
    results = {"type": "array", "items": result}
    paths = {
        "/api/1/public": path("public", "The match on the table", now_schema, _LANG),
        "/api/1/stream": path("stream", _STREAM, now_schema, _LANG, _LAST, kind="text/event-stream"),
        "/api/1/results": path("results", "How matches ended, oldest first", results, _AFTER),
        "/api/1/matches/{number}": path("match", "One match", past, _NUMBER, _LANG, _SINCE),
        "/api/1/people": path("people", "The season's standings", season),
        "/api/1/openapi.json": path("openapi", "This description", {"type": "object"}),
    }
    return described(
        "The table companion", "What a table shows, for other programs; nothing can be done here.", paths, named
    )


def described(title: str, summary: str, paths: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """Return the whole description of an interface; `named` are the schemas that its paths refer to."""
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": companion.__version__, "summary": summary},
        "paths": paths,
        "components": {"schemas": named},
    }


def path(
    name: str, what: str, answer: dict[str, Any], *parameters: dict[str, Any], kind: str = "application/json"
) -> dict[str, Any]:
    """Describe a path that answers GET; `name` is its name in generated clients."""
    refused = {
        "description": "Why not",
        "content": {PROBLEM: {"schema": {"$ref": WHERE.format(name=Problem.__name__)}}},
    }
    return {
        "get": {
            "operationId": name,
            "summary": what.partition(":")[0],
            "parameters": list(parameters),
            "responses": {"200": {"description": what, "content": {kind: {"schema": answer}}}, "default": refused},
        }
    }
