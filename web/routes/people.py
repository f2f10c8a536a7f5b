"""A page for each player, which the player or the host may hide."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion import player_names
from companion.access import people
from companion.access.seat_rights import Who
from companion.history.profile import Profile, mark, profile
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, change_rights
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords
from companion.web.routes.looking_back import album, known, looks_of, so_far, telling, that_count
from companion.web.site import site, there

routes = Blueprint("people", __name__)


@routes.get("/people/<who>")
def show(who: str) -> str:
    """Show a player's page; if it is hidden, say so, and let the player and the host show it again."""
    now, (found, lacking) = site().phones.rights, _profile(who)
    context = site().screens.past(Page("people", of=who), language(), None)
    looks = looks_of(found.of)
    hidden = player_names.key(found.name) in now.people.hidden
    more = {
        **telling(context["words"]),
        **known(looks),
        "profile": None if hidden else found,
        "face": people.look(now.people, found.name) or looks({1: found.name})[1],
        "words_of": lambda slug: PageWords(slug, language()),
        "records": album(looks).of_awards(found.records),
        "lacking": lacking,
        "theirs": _is_theirs(phone.me(), found.name),
        "name": found.name,
    }
    return render_template("people.html", **context, **more)


@routes.post("/people/<who>")
def hide(who: str) -> ResponseReturnValue:
    """Hide a page, or show it again."""
    name = _profile(who)[0].name
    if not _is_theirs(phone.me(), name):
        raise Refused(403, "people-not-yours", name=name)
    wished = request.form.get("hidden") == "yes"
    change_rights(lambda now: replace(now, people=people.hide(now.people, name, wished)))
    return answered(site().screens.words(language()).say("people-now-hidden" if wished else "people-now-shown"))


def _profile(who: str) -> tuple[Profile, int]:
    """Return what is known about a player, and how many matches are not judged yet."""
    hidden = {mark(key) for key in site().phones.rights.people.hidden}
    every, lacking = so_far()
    counting = that_count(every.results)
    return there(at_table(lambda: profile(counting, who, hidden))), lacking


def _is_theirs(who: Who, name: str) -> bool:
    """Whether a phone is the host's, or the first with which somebody of that name played here."""
    known = people.find_person(site().phones.rights.people, name)
    return who.host or (known is not None and known.phone is not None and known.phone == who.phone)
