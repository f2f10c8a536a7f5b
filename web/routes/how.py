"""How a game is played, in five pictures, and how its cards are tapped at this table."""

from collections.abc import Collection

from flask import Blueprint, render_template

from companion import games
from companion.act_cards import WAYS
from companion.events import seat_at
from companion.web.http.form_answers import Refused
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.site import or_404, site

LAYOUTS = ("one-reader", "four-seats", "six-seats")
"""The layouts of the building guide."""

routes = Blueprint("how", __name__)


@routes.get("/how/<slug>")
def show(slug: str) -> str:
    """Show how a game is played, first at a layout like this table's."""
    or_404(games.known().get(slug))
    room = site()
    context = room.screens.frame(Page("how", of=slug), language())
    drawn = room.live.faults.tried(
        slug,
        "page",
        lambda: render_template("how.html", **{**context, "brought": slug, "explained": _explained(slug)}),
        str,
    )
    if not drawn:
        raise Refused(500, "page-failed")
    return drawn


def _explained(slug: str) -> str:
    """Return the pictures and gestures; cached, because rendering takes long and anybody may ask for it."""
    room = site()
    chosen_language = language()
    places = room.hand.places if room.hand else _read(room.live.snapshot.devices)
    key = slug, chosen_language, layout(places)
    if key not in room.how_pages:
        context = room.screens.past(Page("how", of=slug), chosen_language, None)
        more = {
            "brought": slug,
            "its": context["of_game"](slug),
            "layouts": LAYOUTS,
            "mine": layout(places),
            "common_ways": WAYS,
        }
        room.how_pages[key] = room.screens.rendered("how-explained.html", {**context, **more})
    return room.how_pages[key]


def layout(places: Collection[str]) -> str:
    """Return the guide's layout whose readers are most like these; the smallest if no seat has a reader.

    >>> layout(("centre", "seat-1", "seat-2"))
    'four-seats'
    """
    seats = [seat for place in places if (seat := seat_at(place)) is not None]
    if not seats:
        return LAYOUTS[0]
    return LAYOUTS[1] if len(seats) <= 4 else LAYOUTS[2]


def _read(devices: Collection[str]) -> list[str]:
    return [name.removeprefix("reader ") for name in devices if name.startswith("reader ")]
