"""Tables in many states, made at once: matches judged as they come and put into a log, for tests of every page."""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion import games
from companion.judge.match import Match
from companion.kit.matches import play
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
    noise: float = 0.1
    seed: int = 0
    """The first worth trying."""


SCENES = (
    Scene("before the first match"),
    Scene("stop it!, ready", "stop-it", at={"phase": "ready"}),
    Scene("stop it!, collecting", "stop-it", at={"phase": "collecting"}, filled=("rounds",)),
    Scene("stop it!, shouted", "stop-it", at={"phase": "shouted"}, filled=("rounds",)),
    Scene("stop it!, counting", "stop-it", at={"phase": "counting"}, filled=("rounds", "counted", "faults"), seed=101),
    Scene("stop it!, scored", "stop-it", at={"phase": "scored"}),
    Scene("stop it!, over", "stop-it", at={"phase": "over"}),
    Scene("STOP me GO, ready", "stop-me-go", at={"phase": "ready"}),
    Scene("STOP me GO, misdeed", "stop-me-go", at={"phase": "misdeed"}, filled=("flips",)),
    Scene("STOP me GO, intervention", "stop-me-go", at={"phase": "intervention"}, filled=("laid", "rounds")),
    Scene("STOP me GO, arrest", "stop-me-go", at={"phase": "arrest"}, filled=("flips",)),
    Scene("STOP me GO, reward", "stop-me-go", at={"phase": "reward"}),
    Scene("STOP me GO, values", "stop-me-go", at={"phase": "values"}),
    Scene("STOP me GO, over", "stop-me-go", at={"phase": "over"}, noise=0.02),
    Scene("¡Go!, playing", "go", at={"phase": "playing"}, filled=("rounds",)),
    Scene("¡Go!, turns", "go", {"tracking": "turns"}, {"phase": "playing"}, filled=("turn", "rounds"), noise=0.02),
    Scene("¡Go!, called", "go", at={"phase": "called"}, filled=("rounds",), noise=0.02),
    Scene("¡Go!, over", "go", {"target": 2}, {"phase": "over"}, noise=0.0),
    Scene("Kartel, the ring", "kartel", {"ring": True}, {"phase": "ring"}, filled=("ring",), noise=0.02),
    Scene("Kartel, on the ring", "kartel", {"ring": True}, {"phase": "play"}, filled=("cells",), noise=0.02),
    Scene("Kartel, by hand", "kartel", {}, {"phase": "play"}, filled=("cells", "turn_over"), noise=0.05),
    Scene("Kartel, over", "kartel", {}, {"phase": "over"}, noise=0.02),
)


def _there(scene: Scene, match: Match) -> bool:
    table = match.game.view(match.state, None)
    return all(table[key] == wanted for key, wanted in scene.at.items()) and all(table[key] for key in scene.filled)


def match_of(scene: Scene) -> Match:
    """Play to where the scene is, by chance; the same each time."""
    assert scene.game
    game = games.known()[scene.game]
    for seed in range(scene.seed, scene.seed + 200):
        chance = random.Random(seed)
        most = 5000 if scene.at["phase"] == "over" else 400
        events = play(
            game,
            chance,
            dict(scene.options),
            most=most,
            noise=scene.noise,
            undo=0.01,
            enough=lambda match: match.over or _there(scene, match),
        )
        match = Match(events[0])
        for event in events[1:]:
            match.add(event)
        if _there(scene, match):
            return match
    raise AssertionError(f"no match comes to: {scene.name}")


@contextmanager
def stood(scene: Scene, folder: Path, **more: Any) -> Iterator[Live]:
    """Give a table that stands so."""
    folder.mkdir(exist_ok=True)
    if scene.game:
        log = Log(folder / "log.sqlite", writes=True)
        first, *rest = match_of(scene).events
        log.append(log.open_match(BEGAN, True, first), [(event, "") for event in rest])
        log.close()
    with living(folder, simulated=True, **more) as live:
        yield live


def pages_of(live: Live) -> tuple[str, ...]:
    """Give the addresses of what a match changes; of the seats one that is waited for, and one that isn't."""
    view = live.snapshot.views.get(None)
    if view is None:
        return ("/", "/seat/1", "/host", "/table")
    seats = [player["seat"] for player in view["players"]]
    waited = view["table"]["now"].get("seats") or seats
    mine, other = waited[0], next((seat for seat in seats if seat not in waited), seats[-1])
    own = (f"/seat/{mine}", f"/seat/{other}", f"/host/{mine}", f"/story/{mine}")
    return tuple(dict.fromkeys(("/", *own, "/host", "/table", "/results/1")))
