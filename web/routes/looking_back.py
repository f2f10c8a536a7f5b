"""What the pages of past matches share: which matches, whom they show, how dates are written."""

import functools
from collections.abc import Callable, Iterable
from datetime import date
from typing import TypeVar

from flask import abort

from companion import names
from companion.access import faces, people
from companion.access.faces import Face
from companion.history.standings import Result, counted
from web.http.language import language
from web.http.responses import at_table
from web.render.souvenir import Album, Looks
from web.render.words import PageWords
from web.site import site

T = TypeVar("T")


def as_day(of: str) -> str:
    """Read a date in ISO 8601; there is no other evening."""
    try:
        return date.fromisoformat(of).isoformat()
    except ValueError:
        abort(404)


def played_on(of: str) -> list[Result]:
    """Return the matches of an evening."""
    archive, day = site().archive, as_day(of)
    return looked(lambda: archive.evening(day))


def looked(find: Callable[[], T]) -> T:
    """Look at what was played, for one who asks after the other: a long match under way is judged again for each."""
    with site().judging_again:
        return at_table(find)


def that_count(found: list[Result]) -> list[Result]:
    """Return those of them that count at this table."""
    return counted(found, site().live.snapshot.simulated)


def looks_of(found: Iterable[Result]) -> Looks:
    """Return how the people of these matches look, the same in each of them; who is known by no name by their seat."""
    here, wished = site().phones.rights.people, dict[str, Face]()
    for player in (player for one in found for player in one.players if names.key(player.name)):
        chosen = people.look(here, player.name)
        wished.setdefault(names.key(player.name), chosen or faces.of_seat(player.seat))
    each = faces.each(dict(sorted(wished.items(), key=lambda one: people.look(here, one[0]) is None)))
    return lambda seated: {seat: each.get(names.key(name)) or faces.of_seat(seat) for seat, name in seated.items()}


def album(look: Looks) -> Album:
    """Tell of matches in this request's language."""
    wanted = language()
    return Album(wanted, look, lambda of: date_of(of, wanted))


@functools.lru_cache(4096)
def date_of(of: str, wanted: str) -> str:
    """Write an evening's date in words; over the years a season has many."""
    year, month, number = of.split("-")
    words = PageWords(None, wanted)
    day = "1er" if wanted == "fr" and number == "01" else str(int(number))
    return words.say("date", {"number": day, "month": words.say(f"month-{int(month)}"), "year": year})
