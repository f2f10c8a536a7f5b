"""What every route of a table that can't start shares, and whose phone is the host's there."""

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
"""The cookie of a phone that has typed the host's code here; the phone's own keeps what it holds at the table."""
UPLOAD = "/first-aid/backup"
_KEY = "first-aid"


class Ward(Struct, frozen=True, eq=False):
    """A table that can't start."""

    aid: FirstAid
    found_at: PageAddress
    """Where phones find it."""
    bell: Bell
    name: str = ""
    language: str = ""
    proxies: tuple[str, ...] = ()
    """The addresses of reverse proxies that may say for whom they ask."""
    own_wifi: OwnWifi | None = None
    """The table's own Wi-Fi, if it is open."""
    feeds: dict[tuple[bool, str], Feed] = {}
    """What is streamed to the host's phones, and to all others, in each language."""


def open_ward(app: Flask, ward: Ward) -> None:
    """Have this app show what ails a table."""
    app.extensions[_KEY] = ward
    ward.aid.watch(ward.bell.ring)


def ward() -> Ward:
    """Return the table that the current request is about."""
    return cast(Ward, current_app.extensions[_KEY])


def is_host() -> bool:
    """Whether this request's phone is the host's, or has typed the code."""
    return is_hosts(ward(), request.cookies)


def still_host(of: Ward) -> Callable[[], bool]:
    """Return whether this request's phone is the host's, to be asked again and again."""
    token = request.cookies.get(COOKIE, "")
    proof = request.cookies.get(PROOF)
    return lambda: _is_host(of, token, proof)


def is_hosts(of: Ward, cookies: Mapping[str, str]) -> bool:
    """Whether a phone with these cookies is the host's, or has typed the code."""
    return _is_host(of, cookies.get(COOKIE, ""), cookies.get(PROOF))


def _is_host(of: Ward, token: str, proof: str | None) -> bool:
    return of.aid.is_host(known_by(token), proof)
