"""The pages of a club's hub: all tables, the season, tournaments, and the programs' interface."""

from flask import Flask
from werkzeug.exceptions import HTTPException

from companion.club.credentials import WrongCredentials
from companion.club.hub.hub import Hub
from companion.club.hub.store import HubFault
from companion.web.http import security
from companion.web.http.app import new_app
from companion.web.http.editions import keep_files
from companion.web.http.form_answers import Refused
from companion.web.http.gzip import pack
from companion.web.http.prefix import keep_below
from companion.web.hub import api, bracket, keeper_pages, schedule, season, tournament, wall
from companion.web.hub.current_hub import open_hub
from companion.web.render.environment import prepare
from companion.web.render.subjects.site import AboutSite
from companion.web.routes import brought


def create_hub(hub: Hub) -> Flask:
    """Make the Flask app of a hub."""
    app = new_app()
    prepare(app, AboutSite())
    open_hub(app, hub)
    pack(app)
    keep_below(app)
    keep_files(app)
    security.keep_out(app, hub.found_at, proxies=hub.proxies)
    app.register_error_handler(Refused, keeper_pages.refused)
    app.register_error_handler(HTTPException, keeper_pages.failed)
    app.register_error_handler(HubFault, keeper_pages.unkept)
    app.register_error_handler(WrongCredentials, keeper_pages.unkept)
    for subject in (api, wall, season, tournament, bracket, schedule, keeper_pages, brought):
        app.register_blueprint(subject.routes)
    return app
