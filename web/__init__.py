"""What people see: Flask routes, templates, static files. Reads views, enters events, holds no rule."""

import hashlib
import secrets
from pathlib import Path

from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined

from companion import games
from companion.history import bg_stats
from companion.words import figure, signed
from web.http import access, phone, responses, security
from web.http.gzip import pack
from web.http.once import Once
from web.render.context import Globals
from web.room import Room
from web.routes import (
    api,
    brought,
    check,
    consent,
    corrections,
    demo,
    history,
    how,
    joining,
    lobby,
    manual_entry,
    matches,
    pages,
    play,
    plays,
    streams,
    tags,
    virtual,
)
from web.site import open_site

__all__ = ["Room", "create_app"]

LARGEST_FORM = 16_384
"""Bytes."""


def create_app(room: Room) -> Flask:
    """Make the pages of a room."""
    app = Flask(__name__)
    # The key only signs answers to forms on phones without a script; a restart may forget them.
    app.config.update(
        SECRET_KEY=secrets.token_bytes(16),
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        SEND_FILE_MAX_AGE_DEFAULT=3600,
    )
    own = FileSystemLoader(Path(__file__).parent / "templates")
    theirs = {slug: FileSystemLoader(game.folder / "pages") for slug, game in games.known().items()}
    app.jinja_loader = ChoiceLoader([own, PrefixLoader(theirs)])
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    common: Globals = {"edition": _edition(), "checks": room.checkup is not None}
    app.jinja_env.globals.update(common)
    app.jinja_env.filters |= {"figure": figure, "signed": signed, "bg_stats": bg_stats.link}
    open_site(app, room)
    responses.handle_refusals(app)
    Once().put_on(app)
    pack(app)
    security.keep_out(app)
    access.check(app)
    phone.remember_phones(app)
    for subject in (
        *(pages, streams, joining, lobby, consent, manual_entry, matches, demo),
        *(corrections, virtual, play, history, how, tags, check, brought, api, plays),
    ):
        app.register_blueprint(subject.routes)
    return app


def _edition() -> str:
    """Name the static files' edition, so that a phone never mixes an old style sheet with a new page."""
    folders = [Path(__file__).parent / "static", *(game.folder / "pages" for game in games.known().values())]
    files = (file for folder in folders for file in sorted(folder.iterdir()) if file.suffix != ".html")
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]
