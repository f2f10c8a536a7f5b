"""What a phone is given to keep."""

from flask import Response

A_YEAR = 365 * 24 * 3600


def remember(answer: Response, name: str, value: str, seconds: int = A_YEAR) -> None:
    """Have the phone send this with what it asks for; no page's script sees it, and no other site makes it be sent."""
    answer.set_cookie(name, value, max_age=seconds, httponly=True, samesite="Strict")
