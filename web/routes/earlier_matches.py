"""Decisions about a match that is over or was ended: the host makes them with one other player's agreement."""

from typing import Any

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from companion.access.seat_rights import HOST
from companion.acts.match_acts import CountAgain, LeaveOut
from companion.events import SEATS
from companion.history.judged_past_matches import JudgedAgain
from companion.history.standings import evening_of
from companion.judge import corrections, views
from companion.judge.views import PASSAGE
from companion.player_names import legible
from companion.web.http import phone
from companion.web.http.language import language
from companion.web.http.named_match import typed_match
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords
from companion.web.routes.acting import done, table_now
from companion.web.routes.looking_back import date_of, in_turn
from companion.web.site import dealing, site

routes = Blueprint("earlier_matches", __name__)


@routes.get("/results/<int:number>/enter/<int:seat>")
def enter_for(number: int, seat: int) -> str:
    """Show the form that enters what was missed at a seat, or by the host (0)."""
    archive = site().archive
    match = in_turn(lambda: archive.match(number)).match
    if seat not in (HOST, *match.seats):
        abort(404)
    page = Page("mend", seat or None, of=str(number))
    context = site().screens.past(page, language(), views.view(match, None))
    return site().screens.whole("mend.html", {**context, "for_host": seat == HOST})


@routes.post("/leave-out")
def leave_out() -> ResponseReturnValue:
    """Exclude a match from every count: the season's, its people's and the club's."""
    return done(LeaveOut(typed_match()))


@routes.post("/count-again")
def count_again() -> ResponseReturnValue:
    """Include a match again that was left out."""
    return done(CountAgain(typed_match()))


def offer_to_mend(number: int, past: JudgedAgain, speech: PageWords) -> dict[str, Any] | None:
    """Return what a match's page offers the host to correct; None for other phones, and while it is being played.

    The match on the table whose things are simulated must go on, if it was ended, before anything is taken back.
    """
    snapshot = site().live.snapshot
    if not phone.me().host or snapshot.in_play == number:
        return None
    match = past.match
    simulation = dealing() if snapshot.match == number else None
    is_dealt = past.is_dealt or simulation is not None
    passage = views.passage(match, None, slice(-PASSAGE, None))
    return {
        "sentences": site().screens.story(passage.told, speech)[::-1],
        "misread": () if is_dealt else corrections.offered(match, len(match.public) - passage.first),
        "stays": 0 if simulation is None else simulation.stays,
        "seats": [seat for seat in SEATS if seat in match.seats],
        "over": match.over,
        "must_go_on": simulation is not None and not match.over,
        "waits": snapshot.people_play,
    }


def is_asked_about(number: int) -> bool:
    """Return whether this phone has asked others about a match, and still waits for their answer."""
    question = table_now().question
    if question is None or question.phone != phone.me().phone:
        return False
    return number == (question.match if question.earlier is None else question.earlier.number)


def decided_about(past: JudgedAgain, speech: PageWords) -> list[str]:
    """Return a line for each decision that still holds for a match: what, who and when."""
    lines = []
    for decision in past.decided:
        day = evening_of(decision.noted)
        parts = (
            speech.say(f"decided-{decision.what.value}"),
            speech.several([legible(name, speech.language) for name in decision.names]),
            date_of(day, speech.language) if day else "",
        )
        lines.append(" · ".join(filter(None, parts)))
    return lines
