"""What people see: Flask routes, templates, static files. Reads views, enters events, holds no rule."""

import hashlib
import secrets
from pathlib import Path

from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined

from companion import games
from companion.checkup import Checkup
from companion.live import Live
from companion.phones import Phones
from web import (
    access,
    acts,
    answers,
    asking,
    check,
    guard,
    joining,
    matches,
    pages,
    phone,
    putting_right,
    results,
    stickers,
    streams,
    virtual,
)
from web.once import Once
from web.packing import pack
from web.ports import Demo, Hand
from web.site import Site

__all__ = ["Demo", "Hand", "create_app"]

LARGEST_FORM = 16_384
"""Bytes."""


def create_app(
    live: Live, *, phones: Phones, hand: Hand | None, demo: Demo | None, address: str, checkup: Checkup | None = None
) -> Flask:
    """Make the page of a live table. `hand` and `demo` are None on a real one; `address` is where phones find it.

    `checkup` knows how the devices do; None: nobody does.
    """
    app = Flask(__name__)
    # The key only signs answers to forms on phones without a script; a restart may forget them.
    app.config.update(
        SECRET_KEY=secrets.token_bytes(16),
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        SEND_FILE_MAX_AGE_DEFAULT=3600,
    )
    own = FileSystemLoader(Path(__file__).parent / "templates")
    brought = {slug: FileSystemLoader(game.folder / "pages") for slug, game in games.known().items()}
    app.jinja_loader = ChoiceLoader([own, PrefixLoader(brought)])
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["edition"] = _edition(Path(__file__).parent / "static")
    app.jinja_env.globals["checks"] = checkup is not None
    Site(app, live, phones, hand, demo, address, checkup)
    answers.handle_refusals(app)
    Once().put_on(app)
    pack(app)
    guard.keep_out(app)
    access.check(app)
    phone.remember_phones(app)
    for blueprint in (
        *(pages.pages, streams.streams, joining.joining, asking.asking, acts.acts, matches.matches),
        putting_right.putting_right,
        *(virtual.virtual, results.results, stickers.stickers, check.check),
    ):
        app.register_blueprint(blueprint)
    return app


def _edition(static: Path) -> str:
    """Name the static files' edition, so that a phone never mixes an old style sheet with a new page."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(static.iterdir()))).hexdigest()[:8]
