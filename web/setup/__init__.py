"""The setup's pages: for a table without a settings file, and again when its host wants to."""

from flask import Flask

from companion.errors import CompanionError
from companion.web.http import captive_portal, security
from companion.web.http.app import LONGER, new_app
from companion.web.http.editions import keep_files
from companion.web.http.gzip import pack
from companion.web.http.one_page_answers import handle_refusals_on
from companion.web.http.prefix import keep_below
from companion.web.http.uploads import may_send_backup
from companion.web.render.environment import prepare
from companion.web.render.subjects.site import AboutSite
from companion.web.routes import brought
from companion.web.setup import pages
from companion.web.setup.site import UPLOAD, Work, may_send, open_setup

__all__ = ["Work", "create_setup"]


def create_setup(work: Work) -> Flask:
    """Make the Flask app of a table that is being set up."""
    app = new_app(work.setup.table.language)
    app.config[LONGER] = may_send_backup(UPLOAD, lambda cookies: may_send(work, cookies))
    prepare(app, AboutSite(own_wifi=work.own_wifi))
    open_setup(app, work)
    pack(app)
    keep_below(app)
    keep_files(app)
    captive_portal.answer(app)
    security.keep_out(app, work.found_at, proxies=work.proxies)
    handle_refusals_on(app, pages.shown)
    app.register_error_handler(CompanionError, pages.not_done)
    app.register_blueprint(brought.routes)
    app.register_blueprint(pages.routes)
    return app
