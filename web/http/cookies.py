"""The cookies that a phone is given."""

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface

A_YEAR = 365 * 24 * 3600


def remember(answer: Response, name: str, value: str, seconds: int = A_YEAR) -> None:
    """Have the phone send this with its requests; no script sees it, and no other site can have it sent.

    A phone that came over an encrypted connection never sends it over another, and one that came by a proxy's path
    sends it below that path alone.
    """
    below = f"{request.script_root}/"
    answer.set_cookie(
        name, value, max_age=seconds, path=below, httponly=True, samesite="Strict", secure=request.is_secure
    )


class EncryptedSessions(SecureCookieSessionInterface):
    """Flask's own, over encrypted connections alone where the phone came over one."""

    def get_cookie_secure(self, _: Flask) -> bool:
        """Return whether this request's phone came over an encrypted connection."""
        return request.is_secure

    def get_cookie_path(self, _: Flask) -> str:
        """Return the path below which this request's phone asked."""
        return f"{request.script_root}/"
