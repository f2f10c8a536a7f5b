"""Matches in the file format of the app BG Stats."""

from collections.abc import Iterable

from flask import Blueprint, Response, abort

from companion.history import bg_stats as exported
from companion.history.standings import Result
from companion.web.routes.looking_back import as_day, in_turn, played_on
from companion.web.site import site

routes = Blueprint("bg_stats", __name__)


@routes.get("/results/<int:number>.bgsplay")
def match(number: int) -> Response:
    """Return one match."""
    archive = site().archive
    result = in_turn(lambda: archive.match(number).result)
    if not exported.can_take(result):
        abort(404)
    return _file(f"match-{number}", [result])


@routes.get("/evening/<of>.bgsplay")
def evening(of: str) -> Response:
    """Return an evening's matches."""
    return _file(f"evening-{as_day(of)}", filter(exported.can_take, played_on(of)))


def _file(name: str, results: Iterable[Result]) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.bgsplay"'}
    return Response(exported.play_file(results), mimetype="application/json", headers=headers)
