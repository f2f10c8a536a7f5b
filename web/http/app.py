"""The Flask app that every site starts from: its folders, limits and sessions."""

import functools
import secrets
from collections.abc import Callable
from email.message import Message
from typing import Any

from flask import Flask, current_app, request
from werkzeug.datastructures import Headers
from werkzeug.routing import Rule

from companion.web.http import left_pages, odd_requests
from companion.web.http.cookies import EncryptedSessions
from companion.web.http.faults import FaultJournal

LARGEST_FORM = 16_384
"""Bytes."""
LONGER = "LONGER"
"""The setting that returns, by a request's path and headers, the bytes it may have beyond a form's."""


def may_send_no_more(path: str, headers: Message | Headers) -> int:
    """Allow no request longer than a form."""
    return 0


def _let_some_send_more() -> None:
    """Raise Flask's limit for a body that the server let in; runs before any of it is read."""
    most = current_app.config[LONGER](request.path, request.headers)
    if most:
        request.max_content_length = most


class LateRoute(Rule):
    """A route that compiles its URL builder at first use: compiling all at the start would take 50 ms."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compile_builder = functools.cache(super()._compile_builder)

        def build(route: Rule, /, **values: Any) -> tuple[str, str]:
            return compile_builder(append_unknown)(route, **values)

        return build


class App(Flask):
    """An app that journals faults at a bounded rate, and sends its session cookie over TLS only where it got TLS."""

    url_rule_class = LateRoute
    session_interface = EncryptedSessions()

    def __init__(self, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self._faults = FaultJournal()

    def log_exception(self, exc_info: Any) -> None:
        """Journal an exception that a route has raised."""
        self._faults.note(f"{request.method} {request.path[:100]}", exc_info[1])


def new_app(language: str = "") -> Flask:
    """Make an app without routes; `language` is for phones that prefer none of ours."""
    app = App("companion.web")
    # The key signs only messages flashed to phones without a script, which a restart may lose.
    app.config.update(
        SECRET_KEY=secrets.token_bytes(16),
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        SEND_FILE_MAX_AGE_DEFAULT=3600,
        LANGUAGE=language,
        **{LONGER: may_send_no_more},
    )
    app.before_request(_let_some_send_more)
    odd_requests.refuse(app)
    left_pages.have_them_load_again(app)
    return app
