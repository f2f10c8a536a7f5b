"""The shared state of first aid's routes, and which phone is the host's there."""

from collections.abc import Callable, Mapping
from typing import cast

from flask import Flask, current_app, request
from msgspec import Struct

from companion.first_aid.session import FirstAid
from companion.network.own_wifi import OwnWifi
from companion.network.page_address import PageAddress
from companion.web.bell import Bell
from companion.web.feed import Feed
from companion.web.http.phone import COOKIE, known_by

PROOF = "first-aid"
"""The cookie of a phone that has typed the host's code here; apart from the phone's own, which stays valid later."""
UPLOAD = "/first-aid/backup"
_KEY = "first-aid"


class Ward(Struct, frozen=True, eq=False):
    """A table that can't start."""

    aid: FirstAid
    found_at: PageAddress
    """The URLs at which phones find it."""
    bell: Bell
    name: str = ""
    language: str = ""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies whose `X-Forwarded-…` headers are trusted."""
    own_wifi: OwnWifi | None = None
    """The table's own Wi-Fi, if it is open."""
    feeds: dict[tuple[bool, str], Feed] = {}
    """By whether the phone is the host's, and language."""


def open_ward(app: Flask, ward: Ward) -> None:
    """Attach a table that can't start to an app."""
    app.extensions[_KEY] = ward
    ward.aid.watch(ward.bell.ring)


def ward() -> Ward:
    """Return the table that the current request is about."""
    return cast(Ward, current_app.extensions[_KEY])


def is_host() -> bool:
    """Whether this request's phone is the host's, or has typed the code."""
    return is_hosts(ward(), request.cookies)


def still_host(of: Ward) -> Callable[[], bool]:
    """Return a test of whether this request's phone is still the host's, usable after the request."""
    token = request.cookies.get(COOKIE, "")
    proof = request.cookies.get(PROOF)
    return lambda: _is_host(of, token, proof)


def is_hosts(of: Ward, cookies: Mapping[str, str]) -> bool:
    """Whether a phone with these cookies is the host's, or has typed the code."""
    return _is_host(of, cookies.get(COOKIE, ""), cookies.get(PROOF))


def _is_host(of: Ward, token: str, proof: str | None) -> bool:
    return of.aid.is_host(known_by(token), proof)
