"""After the setup: what comes next, and the host's way back to the setup."""

from flask import Blueprint, Response, redirect, render_template
from flask.typing import ResponseReturnValue
from gevent.event import Event

from companion.acts.upkeep_acts import SetUpAnew
from companion.web.feed import Feed, Message
from companion.web.http.language import language
from companion.web.http.phone import may_see
from companion.web.render.page_names import Page
from companion.web.routes.acting import done
from companion.web.routes.streams import sent
from companion.web.site import site, there

PAGE = Page("setup")

routes = Blueprint("after_setup", __name__)


@routes.get("/setup")
def look() -> ResponseReturnValue:
    """Show the host what comes after the setup: stickers, then the first match. All others sit down."""
    set_up = there(site().set_up)
    if not may_see(PAGE):
        return redirect("/", 303)
    return render_template("setup-done.html", **site().screens.frame(PAGE, language()), soon=set_up.is_set())


@routes.get("/stream/setup")
def stream() -> Response:
    """Have a phone that still shows the setup reload its page."""
    return sent(Feed(lambda: Message(b""), Event), lambda: False)


@routes.post("/setup/anew")
def begin() -> ResponseReturnValue:
    """Set the table up again; past matches are kept."""
    there(site().set_up)
    return done(SetUpAnew(), PAGE.url)
