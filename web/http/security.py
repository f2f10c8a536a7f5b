"""What keeps strangers out: no other site's page may act here, and nothing of ours may load or frame anything else."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from flask.typing import ResponseReturnValue

from companion.network.page_address import PageAddress
from companion.web.fair_queue import PageTurns
from companion.web.http.form_answers import Refused, turned_away
from companion.web.http.gzip import FILES
from companion.web.http.own_names import host_of, is_own
from companion.web.http.page_turns import RequestsInTurn, by_address
from companion.web.http.proxies import ForwardedRequests, Proxies

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

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

OF_FILES = ("Cross-Origin-Resource-Policy", "X-Content-Type-Options")
"""Those that mean something with a style sheet, a script, a font or a picture."""
FOR_A_MONTH = "max-age=2592000"
"""Seconds. No longer, so that a table that has lost its certificate is not out of reach for a year."""


def keep_out(
    app: Flask,
    found_at: PageAddress,
    origins: Collection[str] = (),
    proxies: Collection[str] = (),
    asker_of: "Callable[[WSGIEnvironment], str]" = by_address,
) -> None:
    """Put the guards on every route of a site that is found there.

    Pages from `origins` may read what other programs are told. `proxies` may say whom they ask for. `asker_of` returns
    whose turn a request needs.
    """
    in_turn = RequestsInTurn(app.wsgi_app, PageTurns(), asker_of)
    app.wsgi_app = ForwardedRequests(in_turn, Proxies(proxies))  # type: ignore[method-assign] # as Flask says
    app.before_request(_no_second_line)
    app.before_request(lambda: _no_other_name(found_at))
    app.before_request(lambda: _no_other_site(found_at))
    app.after_request(lambda response: _headers(response, origins))


def _no_second_line() -> None:
    """Refuse line ends: a redirect repeats what follows the question mark in a header."""
    if b"\r" in request.query_string or b"\n" in request.query_string:
        abort(400)


def _no_other_name(found_at: PageAddress) -> ResponseReturnValue | None:
    """Show nothing under a name that is not ours: no other site may read who plays here, and how.

    Neither under one that a proxy was asked for, nor under one by which it asks.
    """
    by_proxy = request.environ.get("werkzeug.proxy_fix.orig", {}).get("HTTP_HOST")
    names = [host_of(host) for host in (_host(), by_proxy) if host is not None]
    return None if all(is_own(name, found_at.urls) for name in names) else turned_away("other-name")


def _no_other_site(found_at: PageAddress) -> None:
    """Refuse acts from another site's page.

    Browsers say where a page is from: over https, and at this machine, whether it is from where its form goes, which
    they alone know if a proxy in between has another name; otherwise only its origin. What says neither is no browser.
    """
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site", "")
    if site not in ("", "none", "same-origin"):
        raise Refused(403, "other-site")
    if origin is None:
        return
    page = _origin(origin)
    if page is not None and page in map(_origin, (f"{request.scheme}://{_host()}/", *found_at.urls)):
        return
    if page is None or site != "same-origin" or not is_own(page[1], found_at.urls):
        raise Refused(403, "other-site")


def _host() -> str:
    """Return the name by which the site was asked for, as it was written.

    Werkzeug's `request.host` is empty for names that are in use all the same: with an underscore, or an IPv6 zone.
    """
    return str(request.environ.get("HTTP_HOST", request.host))


def _origin(url: str) -> tuple[str, str, int | None] | None:
    """Return scheme, name and port, which may be left out; None if it is none."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


def _headers(response: Response, origins: Collection[str]) -> Response:
    if request.endpoint == "api.overlay" and origins:
        framed = f"frame-ancestors {' '.join(origins)}"
        policy = HEADERS["Content-Security-Policy"].replace("frame-ancestors 'none'", framed)
        response.headers["Content-Security-Policy"] = policy
    elif request.script_root:  # the site of which this is a part may show it in a frame, as Home Assistant does
        policy = HEADERS["Content-Security-Policy"].replace("frame-ancestors 'none'", "frame-ancestors 'self'")
        response.headers["Content-Security-Policy"] = policy
    # At a file's address a page may stand too: whoever asks for its OPTIONS is answered with one, though it is empty.
    is_file = request.endpoint in FILES and response.status_code < 400 and response.mimetype != "text/html"
    for name in OF_FILES if is_file else HEADERS:
        response.headers.setdefault(name, HEADERS[name])
    if request.is_secure:
        response.headers.setdefault("Strict-Transport-Security", FOR_A_MONTH)
    if not is_file:
        response.headers.setdefault("Cache-Control", "no-store")
    if request.blueprint == "api":
        response.vary.add("Origin")
        if (origin := request.headers.get("Origin")) in origins:
            response.headers["Access-Control-Allow-Origin"] = origin
    return response
