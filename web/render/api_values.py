"""The answers for other programs under `/api/1`: what the pages show, as values; `openapi.py` describes them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

import msgspec

from companion import games
from companion.access import people
from companion.access.people import People
from companion.access.player_looks import of_seat
from companion.game import Chart
from companion.history.standings import Result, Season, Standing
from companion.judge.views import Passage, View
from companion.live.snapshot import Snapshot
from companion.web.render.players import names_of
from companion.web.render.subjects.all_shown import AllAbout
from companion.web.render.verdicts import Sentence


class PlayerNow(msgspec.Struct, frozen=True):
    """The player at a seat, as the pages show them."""

    seat: int
    name: str
    """As corrected, if it was typed wrong; "" if none was given."""
    animal: str
    colour: str
    points: int | None
    """null if the match has no scores."""
    won: bool


class SaidNow(msgspec.Struct, frozen=True):
    """What the pages say, in the language asked for; "" if they say nothing."""

    game: str
    """The game's title."""
    news: str = ""
    """The headline: what just happened."""
    more: str = ""
    """What explains it."""
    task: str = ""
    """What the table waits for."""


class TableNow(msgspec.Struct, frozen=True):
    """The match on the table, as everybody may know it."""

    match: int | None = None
    """Its number in the log; None: none has been started yet."""
    view: View | None = None
    """As `companion replay --view public` prints it."""
    simulated: bool = False
    """Whether its cards and buzzers are virtual."""
    demo: bool = False
    """Whether it plays itself."""
    pause: Literal["break", "ended", None] = None
    """Why no act is accepted now; null if the match goes on, or there is none."""
    players: tuple[PlayerNow, ...] = ()
    """In the game's order."""
    said: SaidNow | None = None
    """null if none has been started yet."""


class StoryLine(msgspec.Struct, frozen=True):
    """A sentence of a match's story."""

    minute: int
    """Whole minutes after the start."""
    text: str
    """In the language asked for."""
    rule: str
    """The rule it rests on, or ""."""
    misplay: bool
    """Whether it broke the rules, and so changed nothing."""


class PastMatch(msgspec.Struct, frozen=True):
    """A match, as its page shows it."""

    result: Result
    view: View
    """The current state, or the final one."""
    first: int
    """How many entries of the story come before those given here."""
    whole: int
    """How many the whole story has."""
    story: tuple[StoryLine, ...]
    """Oldest first."""
    charts: tuple[Chart, ...]


class SeasonPlayer(msgspec.Struct, frozen=True):
    """How somebody did in the matches that count."""

    name: str
    animal: str | None
    """What they chose; null if nothing yet."""
    colour: str | None
    played: int
    won: int
    place: float
    """On average."""
    best: int | None
    """Points; null if the matches are of several games, or none had points."""


class SeasonTable(msgspec.Struct, frozen=True):
    """The standings of one game, or of all together."""

    game: str | None
    """null for all games together."""
    people: tuple[SeasonPlayer, ...]
    """Most wins first."""


class PeopleNow(msgspec.Struct, frozen=True):
    """The season's standings."""

    played: int
    """How many matches count."""
    tables: tuple[SeasonTable, ...]


def table_as_told(about: AllAbout) -> TableNow:
    """Return the match on the table, as the pages show it to everybody."""
    snapshot = about.page.snapshot
    view = about.match.view
    if view is None:
        return TableNow(simulated=snapshot.simulated)
    return TableNow(
        snapshot.match,
        cast("View", view),
        simulated=snapshot.simulated,
        demo=snapshot.demo,
        pause=_pause(snapshot),
        players=tuple(_player(seat, view, about) for seat in names_of(view)),
        said=_said(view, about),
    )


def _pause(snapshot: Snapshot) -> Literal["break", "ended", None]:
    if snapshot.ended:
        return "ended"
    return "break" if snapshot.pause else None


def past_match(
    result: Result, view: View, story: Passage, charts: Sequence[Chart], sentences: Sequence[Sentence]
) -> PastMatch:
    """Return a match from the log; `sentences` are its story in words."""
    lines = zip(story.times, sentences, strict=True)
    entries = tuple(StoryLine(int(at // 60), sentence.text, sentence.rule, sentence.misplay) for at, sentence in lines)
    return PastMatch(result, view, story.first, story.whole, entries, tuple(charts))


def everybody(season: Season, people_known: People) -> PeopleNow:
    """Return the standings, with how people look."""
    tables = (
        SeasonTable(game, tuple(_season_player(standing, people_known) for standing in standings))
        for game, standings in season.tables
    )
    return PeopleNow(season.played, tuple(tables))


def _player(seat: int, view: Mapping[str, Any], about: AllAbout) -> PlayerNow:
    face = about.people.faces.get(seat) or of_seat(seat)
    name = about.page.words.names[seat]
    return PlayerNow(
        seat,
        name,
        face.animal,
        face.colour,
        points=view["scores"].get(str(seat)),
        won=seat in view["winners"],
    )


def _said(view: Mapping[str, Any], about: AllAbout) -> SaidNow:
    news = about.match.news
    task = about.match.task
    is_waiting = not view["over"] and about.page.snapshot.pause is None
    return SaidNow(
        games.known()[view["game"]].title,
        news="".join(news.headline) if news else "",
        more="".join(news.more) if news else "",
        task=task.text if task is not None and is_waiting else "",
    )


def _season_player(standing: Standing, people_known: People) -> SeasonPlayer:
    face = people.look(people_known, standing.name)
    return SeasonPlayer(
        standing.name,
        animal=face.animal if face else None,
        colour=face.colour if face else None,
        played=standing.played,
        won=standing.won,
        place=standing.place,
        best=standing.best,
    )
