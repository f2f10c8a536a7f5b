"""The pages of a table that can't start: what is wrong, and which remedies people may choose."""

from flask import Flask

from companion.errors import CompanionError
from companion.web.first_aid import pages
from companion.web.first_aid.site import UPLOAD, Ward, is_hosts, open_ward
from companion.web.http import captive_portal, security
from companion.web.http.app import LONGER, new_app
from companion.web.http.gzip import pack
from companion.web.http.one_page_answers import handle_refusals_on
from companion.web.http.prefix import keep_below
from companion.web.http.uploads import may_send_backup
from companion.web.render.environment import prepare
from companion.web.render.subjects.site import AboutSite
from companion.web.routes import brought

__all__ = ["Ward", "create_first_aid"]


def create_first_aid(ward: Ward) -> Flask:
    """Make the Flask app of a table that can't start."""
    app = new_app(ward.language)
    app.config[LONGER] = may_send_backup(UPLOAD, lambda cookies: is_hosts(ward, cookies))
    prepare(app, AboutSite(own_wifi=ward.own_wifi, table_name=ward.name))
    open_ward(app, ward)
    pack(app)
    keep_below(app)
    captive_portal.answer(app)
    security.keep_out(app, ward.found_at, proxies=ward.proxies)
    handle_refusals_on(app, pages.shown)
    app.register_error_handler(CompanionError, pages.not_done)
    app.register_blueprint(brought.routes)
    app.register_blueprint(pages.routes)
    return app
