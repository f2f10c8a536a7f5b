"""Past matches: one match, an evening, the season. Open to everybody, from what the public may know.

The record itself can't be downloaded: it holds secrets that are never revealed, such as the hands of a void round, and
the host plays too. The machine's owner gets it with `companion export`.
"""

import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion import games
from companion.game import Chart
from companion.history import spreadsheet
from companion.history.evening import evening as kept_of
from companion.history.standings import Result, by_game
from companion.judge import views
from companion.judge.views import PASSAGE
from companion.web.fair_queue import breathe
from companion.web.http.language import language
from companion.web.render.charts import Drawing, drawn
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords
from companion.web.routes.earlier_matches import decided_about, is_asked_about, offer_to_mend
from companion.web.routes.looking_back import (
    album,
    as_csv,
    as_day,
    everything,
    goes_on,
    in_turn,
    known,
    looks_of,
    played_on,
    shown_past,
    telling,
    that_count,
)
from companion.web.site import site

routes = Blueprint("history", __name__)


@routes.get("/results")
def latest() -> str:
    """Show the evening of the last match: tonight's, or last night's on the morning after."""
    return _evening(Page("results"), in_turn(site().archive.latest))


@routes.get("/evening/<of>")
def evening(of: str) -> str:
    """Show an evening: its matches, and its standings."""
    return _evening(Page("evening", of=as_day(of)), played_on(of))


@routes.get("/results/<int:number>")
def match(number: int) -> str:
    """Show one match: the score, the charts, the story passage by passage."""
    live = site().live
    archive = site().archive
    page = Page("results", of=str(number))
    since = request.args.get("since", type=int)
    start = max(0, since or 0)
    part = slice(start, start + PASSAGE)

    def read_match() -> tuple[Any, ...]:
        past = archive.match(number)
        match = past.match
        parts = views.view(match, None), views.passage(match, None, part), past.charts, past.moments
        live.faults.note(match.faults.values())
        return past, *parts

    past, view, passage, figures, steps = in_turn(read_match)
    result = past.result
    context = site().screens.past(page, language(), view)
    snapshot = live.snapshot
    pictures = album(lambda _: context["faces"])

    def as_drawing(chart: Chart) -> Drawing | None:
        breathe()
        call = partial(drawn, chart, context["words"], context["faces"])
        return live.faults.tried(result.game, "charts", call, lambda: None)

    more = {
        **telling(context["words"]),
        **known(),
        "counts": bool(that_count([result])),
        "result": result,
        "highlights": pictures.of_match(result),
        "finishes": pictures.photos_of_match(result),
        "keepsake": pictures.picture_of_match(result) if result.over else None,
        "steps": steps,
        "charts": list(filter(None, map(as_drawing, figures))),
        "sentences": site().screens.story(passage.told, context["words"]),
        "passage": passage,
        "most": PASSAGE,
        "reading": since is not None,
        "mending": None if result.demo else offer_to_mend(number, past, context["words"]),
        "is_asked": is_asked_about(number),
        "decided": decided_about(past, context["words"]),
        "command": _command(),
        "under_way": not result.over and snapshot.match == number and not snapshot.ended,
    }
    return site().screens.whole("result.html", {**context, **more})


def _command() -> str:
    """Return how the keeper calls the companion: as the table was started, if no `companion` is on the path."""
    started_as = sys.argv[0]
    is_called = Path(started_as).name == "companion" and shutil.which("companion") is None
    return started_as if is_called else "companion"


@routes.get("/results.csv")
def every_match() -> ResponseReturnValue:
    """Return every match, one line for each of its players."""
    return as_csv("results", spreadsheet.results(everything().results, language()))


@routes.get("/season.csv")
def season_standings() -> ResponseReturnValue:
    """Return the season's standings, of all games together and of each."""
    return as_csv("season", spreadsheet.standings(everything().tables, language()))


@routes.get("/evening/<of>.csv")
def evening_standings(of: str) -> ResponseReturnValue:
    """Return an evening's standings."""
    return as_csv(f"evening-{as_day(of)}", spreadsheet.standings(by_game(that_count(played_on(of))), language()))


@routes.get("/results/<int:number>.csv")
def figures(number: int) -> ResponseReturnValue:
    """Return the numbers behind a match's charts, one line each."""
    archive = site().archive
    chosen_language = language()

    def write_figures() -> bytes:
        past = archive.match(number)
        names = {player.seat: player.name for player in past.result.players}
        return spreadsheet.figures(past.charts, PageWords(past.result.game, chosen_language, names))

    return as_csv(f"match-{number}", in_turn(write_figures))


def _evening(page: Page, results: list[Result]) -> str:
    counting = that_count(results)
    installed = games.known()
    day = results[0].evening if results else ""
    snapshot = site().live.snapshot
    looks = looks_of(counting)
    souvenir = kept_of(counting)
    pictures = album(looks)
    more = {
        "matches": results[::-1],
        "day": day,
        "under_way": snapshot.in_play,
        "highlights": pictures.of_evening(souvenir) if souvenir else (),
        "finishes": pictures.photos_of_evening(souvenir) if souvenir else (),
        "keepsake": pictures.picture_of_evening(souvenir, counting, goes_on=goes_on(counting))
        if souvenir and day
        else None,
        "varied": bool(souvenir and day)
        and any(installed[result.game].variants for result in counting if result.game in installed),
    }
    return shown_past("evening.html", page, by_game(counting), len(counting), looks, **more)
