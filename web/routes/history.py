"""After the match: how it went, the evening, the season. For everybody in the room, from what the public may know.

The record itself is not handed out here: it holds what is never told, the hands of a void round for one, and the host
plays too. Whoever owns the machine has it from `companion export`.
"""

import functools
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from companion.access import people
from companion.history import spreadsheet
from companion.history.charts import charts
from companion.history.standings import Result, Season, by_game, counted
from companion.judge import views
from companion.judge.views import PASSAGE
from web.http.language import language
from web.http.responses import at_table
from web.render.charts import drawn
from web.render.page import Page
from web.render.sentences import Sentences
from web.render.words import PageWords
from web.site import site

routes = Blueprint("history", __name__)


@routes.get("/results")
def latest() -> str:
    """Show the evening of the last match: tonight's, or last night's on the morning after."""

    return _evening(Page("results"), _looked(site().archive.latest))


@routes.get("/evening/<of>")
def evening(of: str) -> str:
    """Show an evening: its matches, and its standings."""
    return _evening(Page("evening", of=_day(of)), _of_evening(of))


@routes.get("/season")
def season() -> str:
    """All that was played at this table: the standings, all games together and each by itself."""
    found = _season()
    return _shown("season.html", Page("season"), found.tables, found.played, evenings=found.evenings)


@routes.get("/results/<int:number>")
def match(number: int) -> str:
    """One match: the score, the charts, the whole story, passage by passage."""
    live, archive, page = site().live, site().archive, Page("results", of=str(number))
    since = request.args.get("since", type=int)
    part = slice(max(0, since or 0), max(0, since or 0) + PASSAGE)

    def found() -> tuple[Any, ...]:
        match, result = archive.match(number)
        shown = views.view(match, None), views.passage(match, None, part), charts(match)
        live.faults.note(match.faults.values())
        return result, *shown

    with site().judging_again:
        result, view, passage, figures = at_table(found)
    context, shown = site().screens.past(page, language(), view), live.snapshot
    more = {
        **_telling(context["words"]),
        "result": result,
        "charts": [drawn(chart, context["words"], context["faces"]) for chart in figures],
        "sentences": Sentences(passage.told, context["words"]).all,
        "passage": passage,
        "most": PASSAGE,
        "reading": since is not None,
        "under_way": not result.over and shown.match == number and not shown.ended,
    }
    return site().screens.whole("result.html", {**context, **more})


@routes.get("/results/<int:number>/then/<int:entry>")
def then(number: int, entry: int) -> str:
    """Show the table as it stood when this entry of a match's story was told."""
    archive = site().archive
    with site().judging_again:
        view = at_table(lambda: views.then(archive.match(number)[0], entry))
    if view is None:
        abort(404)
    context = site().screens.past(Page("score"), language(), view)
    return site().screens.whole("then.html", {**context, "match": number})


@routes.get("/results.csv")
def every_match() -> ResponseReturnValue:
    """Every match, a line for each of its players."""
    return _csv("results", spreadsheet.results(_season().results, language()))


@routes.get("/season.csv")
def season_standings() -> ResponseReturnValue:
    """Return the standings, all games together and each by itself."""
    return _csv("season", spreadsheet.standings(_season().tables, language()))


@routes.get("/evening/<of>.csv")
def evening_standings(of: str) -> ResponseReturnValue:
    """Return an evening's standings."""
    return _csv(f"evening-{_day(of)}", spreadsheet.standings(by_game(_that_count(_of_evening(of))), language()))


@routes.get("/results/<int:number>.csv")
def figures(number: int) -> ResponseReturnValue:
    """Return what a match's charts show, a line a figure."""
    archive, wanted = site().archive, language()

    def found() -> bytes:
        match, result = archive.match(number)
        names = {player.seat: player.name for player in result.players}
        return spreadsheet.figures(charts(match), PageWords(match.game.slug, wanted, names))

    with site().judging_again:
        return _csv(f"match-{number}", at_table(found))


def _season() -> Season:
    """Look at every match, for one who asks after the other.

    The first time it takes seconds; however many ask, threads are left for those who play, and for those who ask for
    one evening.
    """
    archive, simulated = site().archive, site().live.snapshot.simulated
    with site().looking_back:
        return at_table(lambda: archive.season(simulated))


def _day(of: str) -> str:
    try:
        return date.fromisoformat(of).isoformat()
    except ValueError:
        abort(404)


def _of_evening(of: str) -> list[Result]:
    archive, day = site().archive, _day(of)
    return _looked(lambda: archive.evening(day))


def _looked(find: Callable[[], list[Result]]) -> list[Result]:
    """Look at an evening, for one who asks after the other: a long match under way is judged again for each."""
    with site().judging_again:
        return at_table(find)


def _that_count(found: list[Result]) -> list[Result]:
    return counted(found, site().live.snapshot.simulated)


def _evening(page: Page, found: list[Result]) -> str:
    counting = _that_count(found)
    day, now = found[0].evening if found else "", site().live.snapshot
    played = None if now.ended else now.under_way
    more = {"matches": found[::-1], "day": day, "under_way": played}
    return _shown("evening.html", page, by_game(counting), len(counting), **more)


def _shown(template: str, page: Page, tables: Sequence[Any], played: int, **more: Any) -> str:
    context = site().screens.past(page, language(), None)
    return render_template(
        template, **context, **_telling(context["words"]), **_known(), **more, tables=tables, played=played
    )


def _known() -> dict[str, Any]:
    """How people look who have chosen an animal and a colour."""
    here = site().phones.rights.people
    return {"look_of": lambda name: people.look(here, name)}


def _telling(words: PageWords) -> dict[str, Any]:
    """How dates, times and averages are written."""

    def clock(began: str) -> str:
        try:
            return f"{datetime.fromisoformat(began):%H:%M}"
        except ValueError:
            return ""

    def mean(place: float) -> str:
        return f"{place:.1f}".replace(".", "," if words.language == "fr" else ".")

    def lasting(seconds: int) -> str:
        hours, minutes = divmod(max(1, round(seconds / 60)), 60)
        return f"{hours} h {minutes:02}" if hours else f"{minutes} min"

    return {"day_of": lambda of: _date(of, words.language), "clock_of": clock, "mean": mean, "lasting": lasting}


@functools.lru_cache(4096)
def _date(of: str, language: str) -> str:
    """Write a date in words; over the years a season has many."""
    year, month, number = of.split("-")
    words = PageWords(None, language)
    day = "1er" if language == "fr" and number == "01" else str(int(number))
    return words.say("date", {"number": day, "month": words.say(f"month-{int(month)}"), "year": year})


def _csv(name: str, data: bytes) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(data, mimetype="text/csv", headers=headers)
