"""The cookies that a phone is given."""

from flask import Response

A_YEAR = 365 * 24 * 3600


def remember(answer: Response, name: str, value: str, seconds: int = A_YEAR) -> None:
    """Have the phone send this with its requests; no script sees it, and no other site can have it sent."""
    answer.set_cookie(name, value, max_age=seconds, httponly=True, samesite="Strict")
