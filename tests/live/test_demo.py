"""The match that plays itself, on the real virtual table."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion import games
from companion.devices.clock import TableClock
from companion.devices.drivers import virtual
from companion.devices.listening import Listening
from companion.judge.match import judge
from companion.live.demo import Demo
from companion.live.table import Live
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.waiting import until


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log(tmp_path / "log.sqlite", writes=True)
    yield log
    log.close()


@pytest.fixture
def live(log: Log) -> Iterator[Live]:
    live = Live(log, TableClock(), Decks(None), simulated=True)
    live.start()
    yield live
    live.stop()


@pytest.fixture
def demo(live: Live) -> Iterator[Demo]:
    sensors = [virtual.Reader("centre"), *(virtual.Reader(f"seat-{n}") for n in range(1, 7))]
    sources = [sensor.open(live.clock) for sensor in (*sensors, virtual.Buzzers((1, 2, 3, 4, 5, 6)))]
    listening = Listening(sources, live.tell)
    demo = Demo(live, virtual.VirtualHand(sources))
    yield demo
    demo.stop()
    listening.stop()


@pytest.mark.parametrize("game", games.known())
def test_a_demonstration_plays_by_the_rules(log: Log, live: Live, demo: Demo, game: str) -> None:
    demo.start(game, 0.001)
    until(lambda: live.ask(lambda match: match.over or len(match.events) > 25))
    demo.stop()
    latest = log.latest()
    assert latest is not None
    assert [entry.demo for entry in log.matches()] == [True]
    match = judge(log.events(latest))
    assert [misplay.code for misplay in match.misplays] == []


def test_demonstrations_asked_for_at_once_follow_one_another(log: Log, demo: Demo) -> None:
    game = next(iter(games.known()))
    with ThreadPoolExecutor(8) as hands:
        list(hands.map(lambda _: demo.start(game, 0.01), range(8)))
    assert demo.running
    assert log.latest() == 8


def test_a_demonstration_of_no_game_is_refused(demo: Demo) -> None:
    with pytest.raises(ValueError, match="unknown game 'chess'; known: "):
        demo.start("chess", 1.0)
