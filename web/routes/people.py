"""Players' pages, which the player or the host may hide."""

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion import player_names
from companion.access import people
from companion.acts.remembering import is_theirs
from companion.acts.table_acts import HideProfile
from companion.history.profile import Profile, mark, profile
from companion.web.http.form_answers import at_table
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords
from companion.web.routes.acting import done, this_phone
from companion.web.routes.looking_back import album, known, looks_of, so_far, telling, that_count
from companion.web.site import or_404, site

routes = Blueprint("people", __name__)


@routes.get("/people")
def everybody() -> ResponseReturnValue:
    """Redirect to the standings, which link to every player's page."""
    return redirect("/season#standings")


@routes.get("/people/<name>")
def show(name: str) -> str:
    """Show a player's page; if it is hidden, say so, and let the player and the host show it again."""
    rights = site().phones.rights
    profile, lacking = _profile(name)
    context = site().screens.past(Page("people", of=name), language(), None)
    looks = looks_of(profile.of)
    hidden = player_names.key(profile.name) in rights.people.hidden
    more = {
        **telling(context["words"]),
        **known(looks),
        "profile": None if hidden else profile,
        "face": people.look(rights.people, profile.name) or looks({1: profile.name})[1],
        "words_of": lambda slug: PageWords(slug, language()),
        "records": album(looks).of_awards(profile.records),
        "lacking": lacking,
        "theirs": is_theirs(this_phone(), profile.name, rights),
        "name": profile.name,
    }
    return render_template("people.html", **context, **more)


@routes.post("/people/<name>")
def hide(name: str) -> ResponseReturnValue:
    """Hide a page, or show it again."""
    return done(HideProfile(_profile(name)[0].name, request.form.get("hidden") == "yes"))


def _profile(name: str) -> tuple[Profile, int]:
    """Return a player's profile, and how many matches are not judged yet. Without a profile, answer 404."""
    hidden = {mark(key) for key in site().phones.rights.people.hidden}
    every, lacking = so_far()
    counting = that_count(every.results)
    return or_404(at_table(lambda: profile(counting, name, hidden))), lacking
