"""The phone that a request comes from: a spectator's, until it claims a part and gets a random token as a cookie.

Every claim brings a new token, so planting or seeing an old one gains nothing (session fixation).
"""

import re
import secrets
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from flask import Flask, Response, g, request

from companion.access import seat_rights
from companion.access.address_holder import holder_of
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, Rights, Who
from companion.web.http.cookies import remember
from companion.web.render.page_names import Page
from companion.web.site import site

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

COOKIE = "phone"
_SENT = re.compile(r"(?:^|;) *phone=([0-9a-f]{32}) *(?:;|$)")
_TOKEN = re.compile(r"[0-9a-f]{32}")


class Right(Enum):
    """Who may call a route or see a page."""

    ANYBODY = "anybody"
    PLAYER = "a phone that is host or holds a seat; what exactly it may do its own route decides"
    HOLDER = "the phone that holds the seat in the path"
    WAITING = "a phone that gets a seat when the next match begins: the one in the path, where there is one"
    HOST = "the host's phone"
    FIRST = "the host's phone, and any while the table has no host"


def remember_phones(app: Flask) -> None:
    """Send a phone its new token with the answer to a claim."""
    app.after_request(_keep)


def me() -> Who:
    """Return this request's phone, and the parts that it has."""
    return seat_rights.who(site().phones.rights, known_by(g.get("token") or request.cookies.get(COOKIE, "")))


def is_hosts(rights: Rights, cookies: Mapping[str, str]) -> bool:
    """Whether a phone with these cookies is the host's."""
    return seat_rights.who(rights, known_by(cookies.get(COOKIE, ""))).host


def known_by(token: str) -> str | None:
    """Return the key of the phone with this token; None if the token is malformed."""
    return seat_rights.phone_of(token) if _TOKEN.fullmatch(token) else None


def whose_turn() -> str:
    """Return the key under which this request queues: the phone's own if it has a part, else its address."""
    return _queue_of(me(), request.remote_addr or "")


def asker_of(phones: Phones) -> "Callable[[WSGIEnvironment], str]":
    """Return `whose_turn` for WSGI, before Flask has read the request.

    So no player waits for others at the same address: behind a proxy, or in one IPv6 network.
    """

    def asker(environ: "WSGIEnvironment") -> str:
        sent = _SENT.search(environ.get("HTTP_COOKIE", ""))
        who = seat_rights.who(phones.rights, seat_rights.phone_of(sent[1]) if sent else None)
        return _queue_of(who, environ.get("REMOTE_ADDR", ""))

    return asker


def _queue_of(who: Who, address: str) -> str:
    return who.phone if who.phone and (who.parts or who.waits) else holder_of(address)


def new_token() -> str:
    """Make a new token for this request's phone."""
    return secrets.token_hex(16)


def keep(token: str) -> None:
    """Have this request's answer set its phone's new token."""
    g.token = token


def has(right: Right, who: Who, seat: int | None, rights: Rights) -> bool:
    """Return whether a phone has this right; `seat` is the one in the path."""
    match right:
        case Right.ANYBODY:
            return True
        case Right.PLAYER:
            return bool(who.parts)
        case Right.HOLDER:
            return seat in who.parts
        case Right.WAITING:
            return bool(who.waits) if seat is None else seat in who.waits
        case Right.HOST:
            return who.host
        case Right.FIRST:
            return who.host or HOST not in rights.holders


def right_to(page: Page) -> Right:
    """Return the right that a page needs."""
    match page.kind, page.seat:
        case ("seat" | "story", int()):
            return Right.HOLDER
        case ("lobby", int()):
            return Right.WAITING
        case ("host", int()) | ("mend", _) | ("codes" | "setup" | "network", None):
            return Right.HOST
        case ("host" | "table" | "tags" | "check", None):
            return Right.FIRST
    return Right.ANYBODY


def may_see(page: Page) -> bool:
    """Return whether the phone of this request may see a page."""
    return has(right_to(page), me(), page.seat, site().phones.rights)


def _keep(response: Response) -> Response:
    if "token" in g:
        phones = site().phones
        who = seat_rights.who(phones.rights, seat_rights.phone_of(g.token))
        phones.here(who, request.remote_addr or "")  # the request itself counted for the old token
        remember(response, COOKIE, g.token)
    return response
