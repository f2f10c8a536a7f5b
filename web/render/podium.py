"""The podium of a match: the places and the best moments, from what everybody may know."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.game import AnyGame
from companion.history.souvenir import LEADS, Highlight, people
from companion.history.standings import places
from companion.web.render.words import PageWords
from companion.words import figure

MOST = 3
"""How many steps the podium has, and how many of the best moments it tells."""
RACE = {"comeback": "", **dict.fromkeys(LEADS, "minute-whole"), "finish": "ahead"}
"""The ways to win a match, the most remarkable first, each with the sentence for its figure, or ""."""
QUICK = 1_000_000
"""Microseconds: anything longer in a demonstration is due to its pace, and no player's achievement."""


class Ranked(Struct, frozen=True):
    """A player on the podium."""

    place: int
    """From 1, shared by ties; 0: the match tells only who won."""
    seat: int
    points: int | None
    """None: the match has no scores."""


class Best(Struct, frozen=True):
    """A best moment of the match, or how it was won."""

    title: str
    where: str
    seats: tuple[int, ...]
    """Several if they were equal at the same time."""
    figure: str


def steps(view: Mapping[str, Any], game: AnyGame) -> tuple[Ranked, ...]:
    """Return where everybody stands at the end, the winners first."""
    points = {int(seat): score for seat, score in view["scores"].items()}
    has_scores = None not in points.values()
    place_of = places(points if has_scores else dict.fromkeys(points), view["winners"], fewest_win=game.fewest_win)
    return tuple(
        Ranked(place_of[seat] if has_scores or seat in view["winners"] else 0, seat, points[seat])
        for seat in sorted(points, key=lambda seat: (place_of[seat], seat))
    )


def theirs(highlights: Sequence[Highlight], *, demo: bool) -> list[Highlight]:
    """Return the highlights that are the players' own: not those that took long because of a demonstration's pace."""
    return [
        highlight
        for highlight in highlights
        if not demo or highlight.unit != "microseconds" or highlight.value <= QUICK
    ]


def worth_telling(highlights: Sequence[Highlight]) -> list[Highlight]:
    """Return the highlights without the margin of the win, if another tells already that the winner always led."""
    codes = {highlight.code for highlight in highlights}
    return [highlight for highlight in highlights if not (highlight.code == "finish" and "led" in codes)]


def bests(highlights: Sequence[Highlight], words: PageWords) -> tuple[Best, ...]:
    """Return the best moments: first what is rare and what the game measures, then how the match was won."""
    codes = [*RACE]
    ranked = sorted(
        worth_telling(highlights), key=lambda highlight: codes.index(highlight.code) if highlight.code in RACE else -1
    )
    return tuple(best(highlight, words) for highlight in ranked[:MOST])


def best(highlight: Highlight, words: PageWords) -> Best:
    """Put a highlight into words."""
    if highlight.column:
        chart, column = highlight.column
        where = words.say(f"chart-{chart}-column", dict(column)) if column else ""
        if {*words.names} - people(words.names):
            where = " · ".join(filter(None, (where, words.say("bots-aside"))))
        value = words.span(highlight.value) if highlight.unit == "microseconds" else figure(highlight.value)
        return Best(words.say(highlight.code), where, highlight.seats, value)
    if highlight.is_of_game:
        title = words.say(highlight.code, {"number": highlight.value})
        return Best(title, words.say(f"{highlight.code}-where"), highlight.seats, "")
    if highlight.code == "rush":
        title = words.say("souvenir-rush", {"number": len(highlight.seats)})
        where = words.say("souvenir-rush-where", {"seat": highlight.seats[0]})
        return Best(title, where, highlight.seats, words.span(highlight.value))
    facts: dict[str, Any] = {"number": (highlight.minute or 0) + 1, "gain": highlight.value, "points": highlight.value}
    if highlight.code == "comeback":
        facts["gap"] = words.say("gap", facts)
    tale = f"tale-{highlight.code}"  # as the game itself would tell it
    title = words.say(tale if words.has(tale) else f"souvenir-{highlight.code}")
    where = words.say(f"souvenir-{highlight.code}-where", facts)
    return Best(title, where, highlight.seats, words.say(RACE[highlight.code], facts) if RACE[highlight.code] else "")
