"""What every route of a table that is being set up shares, and who may set it up."""

from typing import cast

from flask import Flask, current_app, request
from gevent.event import Event
from msgspec import Struct

from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.network.own_wifi import OwnWifi
from companion.network.page_address import PageAddress
from companion.setup.session import Setup
from companion.web.bell import Bell
from companion.web.feed import Feed
from companion.web.http.phone import COOKIE, known_by, new_token

_KEY = "setup"
AWAY_S = 60.0
"""Seconds without a sign of the phone that began, after which another may continue a new table's setup."""


class Work(Struct, frozen=True, eq=False):
    """A table that is being set up."""

    setup: Setup
    phones: Phones
    """The table's own: whoever sets it up is its host."""
    found_at: PageAddress
    bell: Bell
    done: Event
    """Set to end these pages and start the table's own."""
    proxies: tuple[str, ...] = ()
    """The addresses of reverse proxies that may say for whom they ask."""
    own_wifi: OwnWifi | None = None
    """The table's own Wi-Fi, if it is open."""
    feeds: dict[tuple[bool, str], Feed] = {}
    """What is streamed to the phone that sets it up, and to all others, in each language."""

    @property
    def address(self) -> str:
        """Where phones find it."""
        return self.found_at.url


def open_setup(app: Flask, work: Work) -> None:
    """Have this app set up a table."""
    app.extensions[_KEY] = work
    work.setup.watch(work.bell.ring)
    work.phones.watch(work.bell.ring)


def work() -> Work:
    """Return the setup that the current request is about."""
    return cast(Work, current_app.extensions[_KEY])


def phone() -> str | None:
    """Return the key of this request's phone."""
    return known_by(request.cookies.get(COOKIE, ""))


def keeps(of: Work, known: str | None) -> bool:
    """Whether this phone sets the table up."""
    return known is not None and of.phones.rights.holders.get(HOST) == known


def is_free(of: Work) -> bool:
    """Whether nobody is setting it up yet."""
    return HOST not in of.phones.rights.holders


def keeps_or_may(of: Work, known: str | None) -> bool:
    """Whether this phone sets the table up, or may begin to."""
    return is_free(of) or keeps(of, known)


def still_keeps(of: Work, known: str | None) -> bool:
    """Whether this phone sets the table up, or may begin to; note that it has been seen."""
    of.phones.here(seat_rights.who(of.phones.rights, known))
    return keeps_or_may(of, known)


def may_go_on(of: Work) -> bool:
    """Whether another phone may continue: at a new table, if the one that began has not been seen lately."""
    holder = of.phones.rights.holders.get(HOST)
    return not of.setup.table.sensors and (holder is None or of.phones.presence.silence(holder) > AWAY_S)


def went_away(of: Work) -> None:
    """Free the setup, so that nobody holds it. Raises `NotKept`."""
    of.phones.change(lambda now: seat_rights.free(now, {HOST}))


def claimed(code: str = "") -> str:
    """Make the phone of this request the one that sets the table up; return its new token.

    This takes the host's code, or none while nobody does. Raises `NoSuchCode` and `NotKept`.
    """
    token, of = new_token(), work().phones
    fresh, before = seat_rights.phone_of(token), phone()
    if code:
        of.claim(fresh, code, before)
    else:
        of.change(lambda now: seat_rights.first(now, fresh, before))
    of.here(seat_rights.who(of.rights, fresh))
    return token
