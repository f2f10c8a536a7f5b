"""Pages that look back take nothing from what is played now, whatever that is."""

import itertools
import random
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from flask import Flask

from companion import games
from companion.history.profile import mark
from companion.live import demo_script
from companion.live.demo import Demo
from companion.live.pause import Why
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.web.site import archive_of
from tests.waiting import until
from tests.web.bots.sitting import begin_with_bots
from tests.web.evenings import SLUGS
from tests.web.table import TestHand, app_with, client_of, living, phones_of

DAY = "2026-11-20"
OVER = range(1, len(SLUGS) + 2)
"""The matches of past evenings that were played to their end, of every game."""
MOMENTS = 8
"""Of each of them, evenly spread: looking at hundreds takes long."""
MOVES = 9
"""In a match under way: things are held, laid and hidden by then."""


@pytest.fixture
def live(tmp_path: Path, played: Path) -> Iterator[Live]:
    """A table with evenings behind it, the last match ended early, and with a clock that leaps."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    with living(tmp_path, itertools.count(0.0, 1.0).__next__, simulated=True) as live:
        live.pause(Why.ENDED)
        yield live


@pytest.fixture
def simulation(live: Live) -> Simulation:
    return Simulation(live, seed=lambda: "always the same")


@pytest.fixture
def demo(live: Live) -> Iterator[Demo]:
    """It holds as soon as its hands lie open."""
    demo = Demo(live, TestHand(live), random.Random(1))
    live.watch(lambda: demo.hold() if demo.telling and demo.telling.hands else None)
    yield demo
    demo.stop()


@pytest.fixture
def app(live: Live, demo: Demo, simulation: Simulation) -> Flask:
    return app_with(live, phones_of(live, {}), demo=demo, simulation=simulation)


def paths(app: Flask) -> Iterator[str]:
    yield from (f"/evening/{DAY}", f"/evening/{DAY}/picture.svg", f"/otherwise/{DAY}", f"/people/{mark('Bo')}")
    for number in OVER:
        yield from (f"/results/{number}", f"/results/{number}/picture.svg", f"/otherwise/{number}")
        moments = archive_of(app).match(number).moments
        yield from (f"/results/{number}/then/{moment}" for moment in moments[:: len(moments) // MOMENTS + 1])


def looked_back(app: Flask) -> Mapping[str, bytes]:
    """Return every page of the past, as somebody sees it who has no seat."""
    stranger = client_of(app, None)
    return {path: stranger.get(path).data for path in paths(app)}


def differing(earlier: Mapping[str, bytes], later: Mapping[str, bytes]) -> list[str]:
    return [path for path in earlier if earlier[path] != later[path]]


@pytest.mark.parametrize("slug", sorted(games.known()))
def test_a_past_match_shows_nothing_of_a_demonstration(
    app: Flask, live: Live, demo: Demo, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_script, "MATCHES", 1)  # whichever it shows
    pages_before = looked_back(app)
    demo.start(slug)
    assert differing(pages_before, looked_back(app)) == [], "while it says what the game is"
    until(lambda: demo.telling and demo.telling.held)
    assert demo.telling
    assert demo.telling.hands
    assert differing(pages_before, looked_back(app)) == [], "while its hands lie open"
    demo.stop()
    live.pause(Why.ENDED)
    assert differing(pages_before, looked_back(app)) == [], "once it was stopped"


@pytest.mark.parametrize("slug", sorted(games.known()))
def test_a_past_match_shows_nothing_of_one_under_way(app: Flask, live: Live, simulation: Simulation, slug: str) -> None:
    pages_before = looked_back(app)
    chance = random.Random(1)
    begin_with_bots(app, slug)
    for _ in range(MOVES):
        simulation.play(chance.choice([move for sight in simulation.sights.values() for move in sight.moves]))
    assert live.snapshot.people_play
    assert differing(pages_before, looked_back(app)) == []
    for why in (Why.BREAK, Why.ENDED):
        live.pause(why)
        assert differing(pages_before, looked_back(app)) == [], why
