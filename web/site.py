"""What every route of one running page shares."""

from typing import cast

from flask import Flask, current_app
from gevent.lock import BoundedSemaphore

from companion.access.phones import Phones
from companion.devices.check.checkup import Checkup
from companion.history.archive import Archive
from companion.live.demo import Demo, Hand
from companion.live.table import Live
from web.bell import Bell
from web.questions import Questions
from web.render.screens import Screens

_KEY = "companion"


class Site:
    """The live table and what shows it. `hand` and `demo` are None on a real table."""

    def __init__(
        self,
        app: Flask,
        live: Live,
        phones: Phones,
        hand: Hand | None,
        demo: Demo | None,
        address: str,
        checkup: Checkup | None,
    ):
        self.live = live
        self.phones = phones
        self.hand = hand
        self.demo = demo
        self.address = address
        self.checkup = checkup
        self.bell = Bell()
        self.questions = Questions(self.bell.ring)
        self.screens = Screens(app.jinja_env, live, phones, self.questions, hand, demo, address, checkup)
        self.archive = Archive(live.kept_in)
        self.looking_back = BoundedSemaphore(1)
        live.watch(self.bell.ring)
        phones.watch(self.bell.ring)
        app.extensions[_KEY] = self


def site() -> Site:
    """Give the site of the request under way."""
    return cast(Site, current_app.extensions[_KEY])
