"""What an observer may know of a match, as plain values: the same for `replay --view` and for every page.

A view holds no `seq` and no number of events, for three cards tapped or five would show in it. `entry` numbers only
what everybody was told.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion import games
from companion.errors import WrongInput
from companion.game import Misplay, Now, Observer, Verdict
from companion.judge.match import Match

LATEST = 12
"""How many of the last verdicts a view tells; the whole story is asked for by itself."""

PASSAGE = 100
"""How many entries of a story a page shows: a long match must not hold up who plays it."""

UNSHOWN: dict[str, Any] = {"now": {"code": "now-unshown"}}
"""What is shown of a table whose game's code failed to show it."""


def now(match: Match) -> Now:
    """Return what the table waits for, as everybody may know it."""
    return match.tried("now", lambda: match.game.now(match.state), Now("now-unshown"))


def observer(name: str) -> Observer:
    """Read "public", "host" or "seat-3". Raises `WrongInput`."""
    match name.split("-"):
        case ["public" | "host"]:
            return None
        case ["seat", "1" | "2" | "3" | "4" | "5" | "6" as seat]:
            return int(seat)
    raise WrongInput(f"unknown observer {name!r}; known: public, host, seat-1 … seat-6")


def view(match: Match, who: Observer) -> dict[str, Any]:
    """Build up what this observer may know now."""
    outcome = match.outcome
    table = match.tried("view", lambda: _table(match, who), UNSHOWN)
    return {
        "game": match.game.slug,
        "players": [{"seat": seat, "name": name} for seat, name in match.names.items()],
        "over": match.over,
        "scores": {str(seat): points for seat, points in outcome.scores.items()},
        "winners": list(outcome.winners),
        "table": table,
        "told": story(match, who, LATEST),
    }


def _table(match: Match, who: Observer) -> dict[str, Any]:
    waited = match.game.now(match.state)
    said: dict[str, Any] = {"code": waited.code, **waited.facts}
    if waited.seats:
        said["seats"] = list(waited.seats)
    if waited.first is not None:
        said["first"] = waited.first
    return {"now": said, **match.game.view(match.state, who)}


def story(match: Match, who: Observer, most: int | None = None) -> list[dict[str, Any]]:
    """Return what this observer was told, oldest first: the last `most` verdicts, or all."""
    found: list[dict[str, Any]] = []
    entry = len(match.public)
    for verdict in reversed(match.told):
        if len(found) == most:
            break
        entry -= verdict.to is None
        if verdict.to is None or verdict.to == who:
            found.append(_told(verdict, entry))
    return found[::-1]


class Passage(msgspec.Struct, frozen=True):
    """A part of an observer's story, oldest first: a long match is not told in one go."""

    first: int
    """How many entries stand before it."""
    whole: int
    """How many the whole story has."""
    told: list[dict[str, Any]]
    times: list[float]
    """How long after the start, in seconds, this observer was told each of them.

    The table's own clock tells that; which time of day it was, a table without a network is not sure of.
    """

    @property
    def end(self) -> int:
        """How many entries there are up to its last."""
        return self.first + len(self.told)


UNTOLD = Passage(0, 0, [], [])
"""What is told before the first match."""


def passage(match: Match, who: Observer, part: slice) -> Passage:
    """Return this part of what this observer was told."""
    heard = [at for at, verdict in enumerate(match.told) if verdict.to is None or verdict.to == who]
    chosen = heard[part]
    told = []
    entry = sum(verdict.to is None for verdict in match.told[: chosen[0]]) if chosen else 0
    for verdict in (match.told[at] for at in chosen):
        told.append(_told(verdict, entry))
        entry += verdict.to is None
    times = [max(0.0, match.told_at[at] - match.started.at) for at in chosen]
    return Passage(part.indices(len(heard))[0], len(heard), told, times)


def _told(verdict: Verdict, entry: int) -> dict[str, Any]:
    return {
        "entry": entry if verdict.to is None else None,
        "code": verdict.code,
        "misplay": isinstance(verdict, Misplay),
        "facts": dict(verdict.facts),
    }


class Sound(msgspec.Struct, frozen=True):
    """The latest thing of a match that sounds."""

    name: str
    """first, start or end."""
    entry: int
    """The public entry that brought it about: a later sound has a greater one."""


def sound(view: Mapping[str, Any]) -> Sound | None:
    """Return what sounds in a view; None: nothing that is still told."""
    rulings = [one for one in view["told"] if one["entry"] is not None and not one["misplay"]]
    if view["over"]:
        return Sound("end", rulings[-1]["entry"]) if rulings else None
    sounds = games.known()[view["game"]].sounds
    return next((Sound(sounds[one["code"]], one["entry"]) for one in reversed(rulings) if one["code"] in sounds), None)
