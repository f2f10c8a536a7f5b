"""Reloads pages left open by another site at this address: a table, its setup and its first aid follow one another.

Such a page asks for its own stream, which this site lacks. Any answer but a stream would leave it waiting for ever.
"""

from flask import Flask, Response, request

from companion.web.feed import LOAD_AGAIN


def have_them_load_again(app: Flask) -> None:
    """Answer a request for a stream that the app lacks."""
    app.before_request(_answer_for_another_site)


def _answer_for_another_site() -> Response | None:
    rule = request.url_rule
    is_own = rule is not None and rule.rule.startswith("/stream/")
    return load_again() if request.path.startswith("/stream/") and not is_own else None


def load_again() -> Response:
    """Return a stream that makes its page reload."""
    return Response(LOAD_AGAIN, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
