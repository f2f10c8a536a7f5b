"""For programs: who is there and what is played, and every result, to be followed by number."""

from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from companion.club.hub.known_table import KnownTable
from companion.club.hub.store import KeptResult
from companion.web.hub.current_hub import hub
from companion.web.routes.forms import whole

routes = Blueprint("api", __name__, url_prefix="/api/1")
JSON = "application/json"


@routes.get("/tables")
def tables() -> Response:
    """Return all tables as they stand."""
    of = hub()
    known = sorted(of.follower.tables().values(), key=lambda one: (one.name.casefold(), one.table))
    return Response(msgspec.json.encode([_table(one, of.follower.behind(one)) for one in known]), mimetype=JSON)


@routes.get("/results")
def results() -> Response:
    """Return the standing revision of each result that came after a number, in the order in which they came."""
    after = whole(request.args.get("after", "0"), 18)
    if after is None:
        wrong = {"error": "after is the number of the last result you have: a whole number, 0 for none"}
        return Response(msgspec.json.encode(wrong), 400, mimetype=JSON)
    return Response(_listed(hub().store.results(after)), mimetype=JSON)


def _table(one: KnownTable, behind: float) -> dict[str, Any]:
    shown = one.shown
    return {
        "table": one.table,
        "name": one.name,
        "state": one.state,
        "match": one.match,
        "game": shown.game if shown else None,
        "over": shown.over if shown else False,
        "scores": shown.scores if shown else {},
        "players": shown.players if shown else [],
        "behind_s": behind,
    }


def _listed(found: Iterator[KeptResult]) -> Iterator[bytes]:
    """Write a list of any length, piece by piece."""
    before = b"["
    for one in found:
        head = {"number": one.number, "table": one.table, "match": one.match, "revision": one.revision}
        yield before + msgspec.json.encode(head)[:-1] + b"," + _without_cards(one.told)[1:]
        before = b",\n"
    yield b"[]" if before == b"[" else b"]"


def _without_cards(told: msgspec.Raw) -> bytes:
    """Leave out what stands for the players' club cards: it is between the tables and the hub."""
    if b'"card"' not in bytes(told):
        return bytes(told)
    result = msgspec.json.decode(told, type=dict[str, msgspec.Raw])
    players = msgspec.json.decode(result["players"], type=list[dict[str, msgspec.Raw]])
    for player in players:
        player.pop("card", None)
    result["players"] = msgspec.Raw(msgspec.json.encode(players))
    return msgspec.json.encode(result)
