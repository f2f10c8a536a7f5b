"""The match that a request is about: the current one, or one of the log that is over or was ended."""

from flask import request

from companion.web.http.form_answers import Refused
from companion.web.site import dealing, site

LONGEST = 9
"""Digits."""


def named_match() -> int | None:
    """Return the number of the match that this request names; None: it names none, or the one being played, or the one
    on the table whose things are simulated: even over, it changes only together with them.

    Raises `Refused`.
    """
    number = typed_match() if request.values.get("match") else None
    snapshot = site().live.snapshot
    is_on_table = number == snapshot.in_play or (number == snapshot.match and dealing() is not None)
    return None if is_on_table else number


def typed_match() -> int:
    """Read a match's number from the request. Raises `Refused`."""
    text = request.values.get("match", "")
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST):
        raise Refused(404, "not-in-log")
    return int(text)
