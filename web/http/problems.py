"""Errors as programs read them: problem details (RFC 9457)."""

from http import HTTPStatus

import msgspec
from flask import Response, request

from companion.web.render.openapi import PROBLEM, Problem


def is_for_programs() -> bool:
    """Return whether the request is to the programs' interface."""
    return request.path.startswith("/api/")


def problem(status: int, detail: str) -> Response:
    """Refuse a program's request."""
    refusal = Problem(HTTPStatus(status).phrase, status, detail)
    return Response(msgspec.json.encode(refusal), status, mimetype=PROBLEM)
