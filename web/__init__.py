"""What people see: Flask routes, templates, static files. Reads views, enters events, holds no rule."""

import hashlib
import secrets
from pathlib import Path

from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined

from companion import games
from companion.access.phones import Phones
from companion.devices.check.checkup import Checkup
from companion.live.demo import Demo, Hand
from companion.live.table import Live
from web.http import access, phone, responses, security
from web.http.gzip import pack
from web.http.once import Once
from web.routes import check, corrections, entering, history, joining, matches, pages, questions, streams, tags, virtual
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
    responses.handle_refusals(app)
    Once().put_on(app)
    pack(app)
    security.keep_out(app)
    access.check(app)
    phone.remember_phones(app)
    for subject in (
        *(pages, streams, joining, questions, entering, matches),
        *(corrections, virtual, history, tags, check),
    ):
        app.register_blueprint(subject.routes)
    return app


def _edition(static: Path) -> str:
    """Name the static files' edition, so that a phone never mixes an old style sheet with a new page."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(static.iterdir()))).hexdigest()[:8]
