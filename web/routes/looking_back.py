"""Shared by the pages of past matches: reading results, players' looks, writing dates."""

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import Any, TypeVar

from flask import Response, abort, render_template
from markupsafe import Markup

from companion import player_names
from companion.access import people, player_looks
from companion.access.player_looks import Face
from companion.history.profile import mark
from companion.history.standings import Result, Season, counted, evening_of
from companion.web.http.form_answers import at_table
from companion.web.http.language import language
from companion.web.http.page_turns import waiting
from companion.web.http.phone import whose_turn
from companion.web.render.page_names import Page
from companion.web.render.souvenir import Album, Looks
from companion.web.render.words import NO_BREAK, PageWords
from companion.web.site import site
from companion.words import mean

T = TypeVar("T")


def as_day(of: str) -> str:
    """Read a date in ISO 8601; anything else is answered with 404."""
    try:
        return date.fromisoformat(of).isoformat()
    except ValueError:
        abort(404)


def as_csv(name: str, data: bytes) -> Response:
    """Return a CSV download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(data, mimetype="text/csv", headers=headers)


def played_on(of: str) -> list[Result]:
    """Return the matches of an evening."""
    archive = site().archive
    day = as_day(of)
    return in_turn(lambda: archive.evening(day))


def in_turn(find: Callable[[], T]) -> T:
    """Call `find` in a thread, one phone at a time: it may judge a whole match again."""
    with waiting(), site().judging_again.of(whose_turn()):
        return at_table(find)


def looked_through(find: Callable[[], T]) -> T:
    """Call `find` in a thread, one phone at a time, in a queue of its own.

    After an update, reading every match may take seconds; threads must be left for players and for pages of one
    evening.
    """
    with waiting(), site().looking_back.of(whose_turn()):
        return at_table(find)


def so_far() -> tuple[Season, int]:
    """Return the season of the matches judged so far, and how many are still missing."""
    archive = site().archive
    simulated = site().live.snapshot.simulated
    return looked_through(lambda: archive.so_far(simulated))


def everything() -> Season:
    """Return the whole season, waiting for every match to be judged: a download must be complete."""
    archive = site().archive
    simulated = site().live.snapshot.simulated
    return looked_through(lambda: archive.season(simulated))


def that_count(results: Iterable[Result]) -> list[Result]:
    """Return the results that count at this table."""
    return counted(results, site().live.snapshot.simulated)


def goes_on(counting: Sequence[Result]) -> bool:
    """Return whether an evening has no winner yet: it is tonight's, after its first match or during another."""
    tonight = evening_of(site().live.local_time)
    return counting[0].evening == tonight and (len(counting) == 1 or site().live.snapshot.people_play)


def looks_of(results: Iterable[Result]) -> Looks:
    """Return looks for the people of these matches, the same in every match; the nameless get their seat's."""
    people_here = site().phones.rights.people
    wished = dict[str, Face]()
    for player in (player for result in results for player in result.players):
        if (key := player_names.key(player.name)) and key not in wished:
            wished[key] = people.look(people_here, player.name) or player_looks.of_seat(player.seat)
    # Persons with a look of their own choose first, bots last: the first to come gets the look that several wish for.
    by_precedence = sorted(
        wished.items(),
        key=lambda name_and_face: (
            player_names.is_bots(name_and_face[0]),
            people.look(people_here, name_and_face[0]) is None,
        ),
    )
    looks_by_name = player_looks.each(dict(by_precedence))
    return lambda seated: {
        seat: looks_by_name.get(player_names.key(name)) or player_looks.of_seat(seat) for seat, name in seated.items()
    }


def album(look: Looks) -> Album:
    """Return the album of highlights and pictures in this request's language."""
    chosen_language = language()
    return Album(chosen_language, look, lambda of: date_of(of, chosen_language))


@functools.lru_cache(4096)
def date_of(of: str, chosen_language: str) -> str:
    """Write an evening's date in words; cached, because a season of years has many."""
    return PageWords(None, chosen_language).date(of)


@functools.lru_cache(16)
def ways_to(evenings: tuple[str, ...], chosen_language: str) -> Markup:
    """Return links to these evenings; cached, so that a season's page stays quick over the years."""
    return Markup("").join(
        Markup('<a href="/evening/{}">{}</a>').format(evening, date_of(evening, chosen_language))
        for evening in evenings
    )


def shown_past(template: str, page: Page, tables: Sequence[Any], played: int, looks: Looks | None, **more: Any) -> str:
    """Render a page of many matches with their standings."""
    context = site().screens.past(page, language(), None)
    return render_template(
        template, **context, **telling(context["words"]), **known(looks), **more, tables=tables, played=played
    )


def known(looks: Looks | None = None) -> dict[str, Any]:
    """Return the templates' functions for people's looks, their looks in a match, and the links to their pages.

    Without `looks` only chosen looks are shown: among many people too many would look alike.
    """
    people_here = site().phones.rights.people
    hidden = frozenset(people_here.hidden)

    def look(name: str) -> Face | None:
        return people.look(people_here, name) or (looks({1: name})[1] if looks and player_names.key(name) else None)

    return {
        "look_of": look,
        "face_in": lambda result, player: people_here.worn.get(result.match, {}).get(player.seat) or look(player.name),
        "page_of": lambda name: (
            f"/people/{mark(name)}" if player_names.is_persons(name) and player_names.key(name) not in hidden else ""
        ),
    }


def telling(words: PageWords) -> dict[str, Any]:
    """Return the templates' functions that write dates, times and averages."""

    def clock(began: str) -> str:
        try:
            at = datetime.fromisoformat(began)
        except ValueError:
            return ""
        return words.rules.clock.format(hour=at.hour, minute=at.minute)

    def lasting(seconds: int) -> str:
        hours, minutes = divmod(max(1, math.ceil(seconds / 60)), 60)
        return f"{hours}{NO_BREAK}h{NO_BREAK}{minutes:02}" if hours else f"{minutes}{NO_BREAK}min"

    return {
        "day_of": lambda of: date_of(of, words.language),
        "clock_of": clock,
        "mean": functools.partial(mean, language=words.language),
        "lasting": lasting,
    }
