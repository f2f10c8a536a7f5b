"""The shared state of the setup's routes."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from flask import Flask, current_app, request
from gevent.event import Event
from msgspec import Struct

from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.backups import finding
from companion.network.own_wifi import OwnWifi
from companion.network.page_address import PageAddress
from companion.setup.session import Setup
from companion.setup.whose_setup import is_new, may_set_up
from companion.web.bell import Bell
from companion.web.feed import Feed
from companion.web.http.phone import COOKIE, known_by

UPLOAD = "/setup/backup"
"""The path to which a phone sends a backup."""
_KEY = "setup"


class Work(Struct, frozen=True, eq=False):
    """A table that is being set up."""

    setup: Setup
    phones: Phones
    """The table's own; the phone that sets it up is its host's."""
    found_at: PageAddress
    bell: Bell
    done: Event
    """Set to end these pages and start the table's own."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies whose `X-Forwarded-…` headers are trusted."""
    own_wifi: OwnWifi | None = None
    """The table's own Wi-Fi, if it is open."""
    feeds: dict[tuple[bool, str], Feed] = {}
    """By whether the phone sets it up, and language."""
    mounts: Path = finding.MOUNTS
    """The list of mounted disks, among which a USB stick with a backup may be."""

    @property
    def address(self) -> str:
        """The URL at which phones find it."""
        return self.found_at.url


def open_setup(app: Flask, work: Work) -> None:
    """Attach a setup to an app."""
    app.extensions[_KEY] = work
    work.setup.watch(work.bell.ring)
    work.phones.watch(work.bell.ring)


def work() -> Work:
    """Return the setup of the current request."""
    return cast(Work, current_app.extensions[_KEY])


def phone() -> str | None:
    """Return the key of this request's phone."""
    return known_by(request.cookies.get(COOKIE, ""))


def is_seen_to_set_up(of: Work, phone: str | None) -> bool:
    """Return whether a phone sets the table up, or may begin to; note that it was seen."""
    of.phones.here(seat_rights.who(of.phones.rights, phone))
    return may_set_up(of.phones.rights, phone)


def may_send(of: Work, cookies: Mapping[str, str]) -> bool:
    """Return whether a phone with these cookies may restore a backup on this table."""
    return is_new(of.setup.table) and may_set_up(of.phones.rights, known_by(cookies.get(COOKIE, "")))
