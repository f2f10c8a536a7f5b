"""The match that a request is about: the current one, or one of the log that is over or was ended."""

from flask import request

from companion.web.http.form_answers import Refused
from companion.web.site import site

LONGEST = 9
"""Digits."""


def named_match() -> int | None:
    """Return the number of the match that this request names; None: it names none, or the one being played.

    Raises `Refused`.
    """
    number = typed_match() if request.values.get("match") else None
    return None if number == site().live.snapshot.in_play else number


def typed_match() -> int:
    """Read a match's number from the request. Raises `Refused`."""
    text = request.values.get("match", "")
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST):
        raise Refused(404, "not-in-log")
    return int(text)
