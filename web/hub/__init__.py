"""The pages of a club's hub: all tables at a glance, the season, tournaments, and routes for programs."""

import secrets

from flask import Flask
from werkzeug.exceptions import HTTPException

from companion.club.hub.hub import Hub
from companion.club.hub.store import HubFault
from companion.web.http import security
from companion.web.http.form_answers import Refused
from companion.web.http.gzip import pack
from companion.web.hub import api, bracket, keeper_pages, season, tournament, wall
from companion.web.hub.current_hub import open_hub
from companion.web.render.environment import Outfit, prepare
from companion.web.routes import brought

LARGEST_FORM = 16_384
"""Bytes."""


def create_hub(hub: Hub) -> Flask:
    """Make the pages of a hub."""
    app = Flask("web")
    app.config.update(
        SECRET_KEY=secrets.token_bytes(16),
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        SEND_FILE_MAX_AGE_DEFAULT=3600,
    )
    prepare(app, Outfit())
    open_hub(app, hub)
    pack(app)
    security.keep_out(app, hub.address)
    app.register_error_handler(Refused, keeper_pages.refused)
    app.register_error_handler(HTTPException, keeper_pages.failed)
    app.register_error_handler(HubFault, keeper_pages.unkept)
    for subject in (api, wall, season, tournament, bracket, keeper_pages, brought):
        app.register_blueprint(subject.routes)
    return app
