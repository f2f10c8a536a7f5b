"""What keeps strangers out: no other site's page may act here, and nothing of ours may load or frame anything else."""

import ipaddress
import re
from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from flask.typing import ResponseReturnValue

from companion.web.http.form_answers import Refused, turned_away
from companion.web.http.gzip import FILES

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    # No page of another site may load anything of ours, nor hold a window that we are in.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": with it browsers send `Origin: null` for our own forms, and no origin could be checked.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


_LOCAL = re.compile(r"[\w-]+|[\w.-]+\.(local|lan|home|internal|home\.arpa|localhost)", re.ASCII)


def keep_out(app: Flask, address: str, origins: Collection[str] = ()) -> None:
    """Put the guards on every route of a site at this address.

    Pages from `origins` may read what other programs are told.
    """
    own = urlsplit(address).hostname
    app.before_request(_no_second_line)
    app.before_request(lambda: _no_other_name(own))
    app.before_request(_no_other_site)
    app.after_request(lambda response: _headers(response, origins))


def _no_second_line() -> None:
    """Refuse line ends: a redirect repeats what follows the question mark in a header."""
    if b"\r" in request.query_string or b"\n" in request.query_string:
        abort(400)


def _no_other_name(own: str | None) -> ResponseReturnValue | None:
    """Show nothing under a name that is not ours: no other site may read who plays here, and how."""
    return None if _is_here(request.host, own) else turned_away("other-name")


def _no_other_site() -> None:
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    # Over plain http browsers send only the origin; what sends neither is not a browser.
    origin = request.headers.get("Origin")
    where = request.headers.get("Sec-Fetch-Site", "same-origin")
    if where not in ("same-origin", "none") or origin not in (None, request.host_url.rstrip("/")):
        raise Refused(403, "other-site")


def _is_here(host: str, own: str | None) -> bool:
    """Return whether the site may go by this name.

    Any name on the internet can be made to lead here, and its page would then pass for ours: so only addresses, names
    that the internet does not give out, and the name in the site's own address.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return bool(_LOCAL.fullmatch(name)) or name == own
    return True


def _headers(response: Response, origins: Collection[str]) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint not in FILES or response.status_code >= 400:
        response.headers.setdefault("Cache-Control", "no-store")
    if request.blueprint == "api":
        response.vary.add("Origin")
        if (origin := request.headers.get("Origin")) in origins:
            response.headers["Access-Control-Allow-Origin"] = origin
    return response
