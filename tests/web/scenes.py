"""Tables in many states, made at once: matches judged as they come and put into a log, for tests of every page."""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion import games
from companion.game import AnyGame
from companion.judge import views
from companion.judge.match import Match
from companion.kit.random_matches import play, secrets
from companion.live.table import Live
from companion.storage.log import Log
from tests.web.table import living

BEGAN = "2026-11-20T20:00:00+01:00"


class Scene(Struct, frozen=True):
    """How a table stands."""

    name: str
    game: str | None = None
    options: Mapping[str, Any] = {}
    at: Mapping[str, Any] = {}
    """What the public view's `table` says there; `filled` are names that say something."""
    filled: tuple[str, ...] = ()
    waits: str = ""
    """What the table waits for there, by its code; "": that does not matter."""
    noise: float = 0.1
    seed: int = 0
    """The first worth trying."""


def scenes_of(game: AnyGame) -> Iterator[Scene]:
    """The scenes that a game names, or one for all that its matches wait for."""
    for named in getattr(secrets(game), "SCENES", None) or _awaited(game):
        yield Scene(**{**named, "name": f"{game.title}, {named['name']}", "game": game.slug})


def _awaited(game: AnyGame) -> list[dict[str, Any]]:
    codes: dict[str, None] = {}
    for seed in range(3):
        match = Match(play(game, random.Random(seed), {}, most=1)[0])
        for event in play(game, random.Random(seed), {}, most=5000, noise=0.02, undo=0.0)[1:]:
            match.add(event)
            codes[views.now(match).code] = None
    return [{"name": code, "waits": code} for code in codes]


def is_reached(scene: Scene, match: Match) -> bool:
    table = match.game.view(match.state, None)
    if scene.waits and views.now(match).code != scene.waits:
        return False
    return all(table[key] == value for key, value in scene.at.items()) and all(table[key] for key in scene.filled)


BEFORE = Scene("before the first match")
STARTED, *_OTHERS = (scene for game in games.known().values() for scene in scenes_of(game))
SCENES = (BEFORE, STARTED, *_OTHERS)


def match_of(scene: Scene) -> Match:
    """Play to where the scene is, by chance; the same each time."""
    assert scene.game
    game = games.known()[scene.game]
    for seed in range(scene.seed, scene.seed + 200):
        chance = random.Random(seed)
        most = 5000 if (scene.at.get("phase") == "over" or scene.waits == "now-over") else 400
        events = play(
            game,
            chance,
            dict(scene.options),
            most=most,
            noise=scene.noise,
            undo=0.01,
            enough=lambda match: match.over or is_reached(scene, match),
        )
        match = Match(events[0])
        for event in events[1:]:
            match.add(event)
        if is_reached(scene, match):
            return match
    raise AssertionError(f"no match comes to: {scene.name}")


@contextmanager
def stood(scene: Scene, folder: Path, **more: Any) -> Iterator[Live]:
    """Return a table that stands so."""
    folder.mkdir(exist_ok=True)
    if scene.game:
        log = Log(folder / "log.sqlite", writes=True)
        first, *later_events = match_of(scene).events
        log.append(log.open_match(BEGAN, True, first), [(event, "") for event in later_events])
        log.close()
    with living(folder, simulated=True, **more) as live:
        yield live


def pages_of(live: Live) -> tuple[str, ...]:
    """Return the addresses of what a match changes; of the seats one that is waited for, and one that isn't."""
    view = live.snapshot.views.get(None)
    if view is None:
        return ("/", "/seat/1", "/host", "/table")
    seats = [player["seat"] for player in view["players"]]
    waited = view["table"]["now"].get("seats") or seats
    part = waited[0]
    other = next((seat for seat in seats if seat not in waited), seats[-1])
    of_seat = (f"/seat/{part}", f"/seat/{other}", f"/host/{part}", f"/story/{part}")
    return tuple(dict.fromkeys(("/", *of_seat, "/host", "/table", "/results/1")))
