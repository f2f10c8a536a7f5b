"""The cookies that a phone is given."""

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface

A_YEAR = 365 * 24 * 3600


def remember(answer: Response, name: str, value: str, seconds: int = A_YEAR) -> None:
    """Set a cookie that no script reads and no other site's page sends.

    Set over TLS it is never sent without; set behind a proxy's path it is sent below that path only.
    """
    below = f"{request.script_root}/"
    answer.set_cookie(
        name, value, max_age=seconds, path=below, httponly=True, samesite="Strict", secure=request.is_secure
    )


class EncryptedSessions(SecureCookieSessionInterface):
    """Flask's sessions, whose cookie is restricted as in `remember`."""

    def get_cookie_secure(self, _: Flask) -> bool:
        """Return whether this request came over TLS."""
        return request.is_secure

    def get_cookie_path(self, _: Flask) -> str:
        """Return the path below which a proxy serves this request."""
        return f"{request.script_root}/"
