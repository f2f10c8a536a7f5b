"""What every route of one running page shares."""

from typing import cast

from flask import Flask, current_app

from companion.live import Live
from companion.phones import Phones
from web.bell import Bell
from web.ports import Demo, Hand
from web.questions import Questions
from web.screens import Screens

_KEY = "companion"


class Site:
    """The live table and what shows it. `hand` and `demo` are None on a real table."""

    def __init__(self, app: Flask, live: Live, phones: Phones, hand: Hand | None, demo: Demo | None, address: str):
        self.live = live
        self.phones = phones
        self.hand = hand
        self.demo = demo
        self.address = address
        self.bell = Bell()
        self.questions = Questions(self.bell.ring)
        self.screens = Screens(app.jinja_env, live, phones, self.questions, hand, demo, address)
        live.watch(self.bell.ring)
        phones.watch(self.bell.ring)
        app.extensions[_KEY] = self


def site() -> Site:
    """Give the site of the request under way."""
    return cast(Site, current_app.extensions[_KEY])
