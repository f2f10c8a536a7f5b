"""Guards against other sites: their pages may not act here, and ours may not load or frame anything of theirs."""

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
"""The headers that matter for a style sheet, a script, a font or a picture."""
FOR_A_MONTH = "max-age=2592000"
"""HSTS for a month only: a table that loses its certificate can't be reached until this has expired."""


def keep_out(
    app: Flask,
    found_at: PageAddress,
    origins: Collection[str] = (),
    proxies: Collection[str] = (),
    asker_of: "Callable[[WSGIEnvironment], str]" = by_address,
) -> None:
    """Put the guards on every route of a site with these URLs.

    Pages from `origins` may read the programs' interface. `proxies` are trusted to name their clients. `asker_of`
    returns the key under which a request queues.
    """
    in_turn = RequestsInTurn(app.wsgi_app, PageTurns(), asker_of)
    app.wsgi_app = ForwardedRequests(in_turn, Proxies(proxies))  # type: ignore[method-assign] # as Flask says
    app.before_request(_no_second_line)
    app.before_request(lambda: _no_other_name(found_at))
    app.before_request(lambda: _no_other_site(found_at))
    app.after_request(lambda response: _headers(response, origins))


def _no_second_line() -> None:
    """Refuse line ends in the query: a redirect repeats it in a header."""
    if b"\r" in request.query_string or b"\n" in request.query_string:
        abort(400)


def _no_other_name(found_at: PageAddress) -> ResponseReturnValue | None:
    """Refuse requests for a host that is not ours, against DNS rebinding: no other site may read who plays, and how.

    Behind a proxy both names count: the one that it was asked for, and the one by which it asks.
    """
    by_proxy = request.environ.get("werkzeug.proxy_fix.orig", {}).get("HTTP_HOST")
    names = [host_of(host) for host in (_host(), by_proxy) if host is not None]
    return None if all(is_own(name, found_at.urls) for name in names) else turned_away("other-name")


def _no_other_site(found_at: PageAddress) -> None:
    """Refuse acts from another site's page (CSRF).

    Over https and on localhost browsers send `Sec-Fetch-Site`, which is right even where a proxy changes the host;
    otherwise only `Origin`. A client that sends neither is no browser.
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
    """Return the `Host` header as it was sent.

    Werkzeug's `request.host` is empty for some names in use: with an underscore, or an IPv6 zone.
    """
    return str(request.environ.get("HTTP_HOST", request.host))


def _origin(url: str) -> tuple[str, str, int | None] | None:
    """Return scheme, host and port (None: not given, and no default); None if it is no URL with a host."""
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
    elif request.script_root:  # the site that serves this below a path may frame it, as Home Assistant does
        policy = HEADERS["Content-Security-Policy"].replace("frame-ancestors 'none'", "frame-ancestors 'self'")
        response.headers["Content-Security-Policy"] = policy
    # A file's URL may also answer with HTML: Flask's answer to OPTIONS is an empty page.
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
