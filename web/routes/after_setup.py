"""The page after the setup, and the host's way back into the setup."""

from flask import Blueprint, redirect, render_template
from flask.typing import ResponseReturnValue

from companion.acts.upkeep_acts import SetUpAnew
from companion.web.http.language import language
from companion.web.http.phone import may_see
from companion.web.render.page_names import Page
from companion.web.routes.acting import done
from companion.web.site import or_404, site

PAGE = Page("setup")

routes = Blueprint("after_setup", __name__)


@routes.get("/setup")
def look() -> ResponseReturnValue:
    """Show the host the next steps: stickers, then the first match. Others are led to where they sit down."""
    set_up = or_404(site().set_up)
    if not may_see(PAGE):
        return redirect("/", 303)
    return render_template("setup-done.html", **site().screens.frame(PAGE, language()), soon=set_up.is_set())


@routes.post("/setup/anew")
def begin() -> ResponseReturnValue:
    """Run the setup again; past matches are kept."""
    or_404(site().set_up)
    return done(SetUpAnew(), PAGE.url)
