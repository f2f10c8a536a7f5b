"""Whether a phone's player plays by ear: kept in the phone's own cookie, so only its own pages are read aloud."""

from typing import NamedTuple, get_args

from flask import request
from msgspec.structs import replace

from companion.web.render.page_names import Aloud, Page, Speaker
from companion.web.site import site

COOKIE = "aloud"
WISHES: tuple[Aloud, ...] = get_args(Aloud)[1:]
SPEAKERS: tuple[Speaker, ...] = get_args(Speaker)


class ByEar(NamedTuple):
    """How much is said, and by whom."""

    aloud: Aloud = ""
    speaker: Speaker = "reader"


def wish() -> ByEar:
    """Return this phone's choice."""
    aloud, _, speaker = request.cookies.get(COOKIE, "").partition("-")
    chosen = next((wish for wish in WISHES if wish == aloud), None)
    if chosen is None:
        return ByEar()
    return ByEar(chosen, next((known_speaker for known_speaker in SPEAKERS if known_speaker == speaker), "page"))


def as_read_aloud(page: Page) -> Page:
    """Return the page with this phone's choice, which concerns only a seat's own page; bots wait for its player."""
    if page.kind != "seat" or page.seat is None:
        return page
    aloud, speaker = wish()
    simulation = site().simulation
    if simulation is not None:
        simulation.plays_by_ear(page.seat, is_by_ear=bool(aloud))
    return replace(page, aloud=aloud, speaker=speaker)
