"""The hub's interface for programs: the tables, and every result, read on by number."""

from collections.abc import Iterator

import msgspec
from flask import Blueprint, Response, request

from companion.club.hub.known_table import KnownTable
from companion.club.hub.store import KeptResult
from companion.web.http.form_answers import Refused
from companion.web.http.problems import problem
from companion.web.hub.current_hub import hub
from companion.web.hub.keeper_pages import said
from companion.web.hub.openapi import TableAtHub, document
from companion.web.render.openapi import DIGITS
from companion.web.routes.forms import whole
from companion.web.routes.health import Wellness, answer_watcher, of_program, warn_if

routes = Blueprint("api", __name__)
JSON = "application/json"


@routes.get("/api/1/tables")
def tables() -> Response:
    """Return the state of all tables."""
    of = hub()
    tables = sorted(of.follower.tables().values(), key=lambda table: (table.name.casefold(), table.table))
    return Response(msgspec.json.encode([_table(table, of.follower.behind(table)) for table in tables]), mimetype=JSON)


@routes.get("/api/1/results")
def results() -> Response:
    """Return the latest revision of each result with a number above `after`, in order of arrival."""
    newest_read = whole(request.args.get("after", "0"), DIGITS)
    if newest_read is None:
        raise Refused(400, "api-number", name="after")
    return Response(_listed(hub().store.results(newest_read)), mimetype=JSON)


@routes.get("/api/1/openapi.json")
def interface() -> Response:
    """Return this interface's OpenAPI document."""
    return Response(msgspec.json.encode(document()), mimetype=JSON)


@routes.get("/health")
def health() -> Response:
    """Return the hub's health; the HTTP status is 503 if results may be lost."""
    follower = hub().follower
    checks = {
        "file": Wellness.FAIL if follower.disk_trouble else Wellness.PASS,
        "broker": warn_if(not follower.connected),
        "program": of_program(),
    }
    return answer_watcher(checks)


@routes.errorhandler(Refused)
def refused(wrong: Refused) -> Response:
    """Answer a refusal as a problem."""
    return problem(wrong.status, said(wrong))


def _table(table: KnownTable, behind: float) -> TableAtHub:
    on_screen = table.shown
    return TableAtHub(
        table=table.table,
        name=table.name,
        state=table.state,
        match=table.match,
        game=on_screen.game if on_screen else None,
        over=on_screen.over if on_screen else False,
        scores=on_screen.scores if on_screen else {},
        players=on_screen.players if on_screen else (),
        behind_s=behind,
    )


def _listed(results: Iterator[KeptResult]) -> Iterator[bytes]:
    """Write a JSON list piece by piece, so that a long one never is in memory as a whole."""
    separator = b"["
    for result in results:
        # Spliced as bytes: the stored JSON need not be decoded and written again.
        head = {"number": result.number, "table": result.table, "match": result.match, "revision": result.revision}
        yield separator + msgspec.json.encode(head)[:-1] + b"," + _without_cards(result.told)[1:]
        separator = b",\n"
    yield b"[]" if separator == b"[" else b"]"


def _without_cards(content: msgspec.Raw) -> bytes:
    """Remove the keys of the players' club cards, which are between the tables and the hub."""
    if b'"card"' not in bytes(content):  # most results: nothing need be decoded
        return bytes(content)
    result = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    players = msgspec.json.decode(result["players"], type=list[dict[str, msgspec.Raw]])
    for player in players:
        player.pop("card", None)
    result["players"] = msgspec.Raw(msgspec.json.encode(players))
    return msgspec.json.encode(result)
