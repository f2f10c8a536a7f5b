"""The podium of a match: who stands where, and what was best in it, as far as everybody may know."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.game import AnyGame
from companion.history.souvenir import LEADS, Highlight, people
from companion.history.standings import places
from companion.web.render.words import PageWords
from companion.words import figure

MOST = 3
"""How many steps there are, and how many of the best moments are told."""
RACE = {"comeback": "", **dict.fromkeys(LEADS, "minute-whole"), "finish": "ahead"}
"""The ways in which a match was won, most worth telling first, and what says each one's figure, if it has one."""
QUICK = 1_000_000
"""Microseconds: anything longer in a demonstration is due to its pace, and is nobody's feat."""


class Ranked(Struct, frozen=True):
    """A player on the podium."""

    place: int
    """From 1, shared by ties; 0: the match tells only who won."""
    seat: int
    points: int | None
    """None: the match has no scores."""


class Best(Struct, frozen=True):
    """What nobody did better in the match, or how it was won."""

    title: str
    where: str
    seats: tuple[int, ...]
    """Several if they were equal at the same time."""
    figure: str


def steps(view: Mapping[str, Any], game: AnyGame) -> tuple[Ranked, ...]:
    """Return where everybody stands at the end, the winners first."""
    points = {int(seat): own for seat, own in view["scores"].items()}
    told = None not in points.values()

    found = places(points if told else dict.fromkeys(points), view["winners"], fewest_win=game.fewest_win)
    return tuple(
        Ranked(found[seat] if told or seat in view["winners"] else 0, seat, points[seat])
        for seat in sorted(points, key=lambda seat: (found[seat], seat))
    )


def theirs(highlights: Sequence[Highlight], *, demo: bool) -> list[Highlight]:
    """Leave out what took long because of a demonstration's pace."""
    return [one for one in highlights if not demo or one.unit != "microseconds" or one.value <= QUICK]


def bests(highlights: Sequence[Highlight], words: PageWords) -> tuple[Best, ...]:
    """Return the best moments: first what the game measures, then how the match was won."""
    told = sorted(highlights, key=lambda one: [*RACE].index(one.code) if one.code in RACE else -1)
    return tuple(best(one, words) for one in told[:MOST])


def best(one: Highlight, words: PageWords) -> Best:
    """Tell a highlight."""
    if one.column:
        chart, column = one.column
        where = words.say(f"chart-{chart}-column", dict(column)) if column else ""
        if {*words.names} - people(words.names):
            where = " · ".join(filter(None, (where, words.say("bots-aside"))))
        shown = words.span(one.value) if one.unit == "microseconds" else figure(one.value)
        return Best(words.say(one.code), where, one.seats, shown)
    facts: dict[str, Any] = {"number": (one.minute or 0) + 1, "gain": one.value, "points": one.value}
    if one.code == "comeback":
        facts["gap"] = words.say("gap", facts)
    title, where = words.say(f"souvenir-{one.code}"), words.say(f"souvenir-{one.code}-where", facts)
    return Best(title, where, one.seats, words.say(RACE[one.code], facts) if RACE[one.code] else "")
