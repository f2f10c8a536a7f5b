"""The match that plays itself, on the real virtual table."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games, threads
from companion.acts.starting import INVENTED
from companion.devices.drivers import virtual
from companion.devices.listening import Listening
from companion.errors import WrongInput
from companion.events import Pressed
from companion.games import places
from companion.judge.match import Match, judge
from companion.live import demo_script
from companion.live.demo import ABOUT, HOW, PEOPLE, PICTURE, Demo, Telling
from companion.live.table import Live
from companion.player_names import BOTS
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.waiting import PATIENCE, until
from tests.web.table import Clock, TestHand, living

ANY = next(iter(games.known()))


@pytest.fixture
def unrehearsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it does not matter what is shown."""
    monkeypatch.setattr(demo_script, "MATCHES", 1)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log(tmp_path / "log.sqlite", writes=True)
    yield log
    log.close()


@pytest.fixture
def live(log: Log) -> Iterator[Live]:
    """A second passes with every look at the clock."""
    live = Live(log, itertools.count(0.0, 1.0).__next__, Decks(None), simulated=True)
    live.start()
    yield live
    live.stop()


@contextmanager
def demo_with(live: Live, places: Sequence[str]) -> Iterator[Demo]:
    """A demonstration at a table with buttons at every seat, and readers at these places."""
    sensors = [*map(virtual.Reader, places), virtual.Buzzers((1, 2, 3, 4, 5, 6))]
    sources = [sensor.open(live.clock) for sensor in sensors]
    listening = Listening(sources, live.tell)
    demo = Demo(live, virtual.VirtualHand(sources), random.Random(1))
    yield demo
    demo.stop()
    listening.stop()


@pytest.fixture
def demo(live: Live) -> Iterator[Demo]:
    with demo_with(live, places()) as demo:
        yield demo


@pytest.mark.usefixtures("unrehearsed")
@pytest.mark.parametrize("places", [places(), ("centre",), ()], ids=["every reader", "one reader", "no reader"])
@pytest.mark.parametrize("game", games.known())
def test_a_demonstration_plays_by_the_rules_to_its_end_whatever_reads_cards(
    log: Log, live: Live, game: str, places: Sequence[str]
) -> None:
    with demo_with(live, places) as demo:
        demo.start(game)
        until(lambda: not demo.running)
    latest = log.latest()
    assert latest is not None
    assert [entry.demo for entry in log.matches()] == [True]
    match = judge(log.events(latest))
    assert match.over
    assert [misplay.code for misplay in match.misplays] == []


@pytest.mark.usefixtures("unrehearsed")
def test_a_fault_ends_a_demonstration_where_pages_and_journal_say_so(
    live: Live, demo: Demo, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("centre")

    monkeypatch.setattr(virtual.VirtualHand, "lay", broken)
    demo.start("kartel")
    until(lambda: not demo.running)
    assert live.snapshot.ended
    assert "the demonstration of match 1 was ended by a fault" in caplog.text
    assert "KeyError: 'centre'" in caplog.text


@pytest.mark.usefixtures("unrehearsed")
@pytest.mark.parametrize("part", ["sees", "judge"])
def test_what_a_games_code_raises_in_a_demonstration_is_the_games_fault(
    live: Live, demo: Demo, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("a fault in the game's code")

    def break_it(match: Match) -> None:
        game = match.game
        if part == "sees":
            match.game = replace(game, physics=replace(game.physics, sees=broken))
        else:
            taps = replace(game.moves.taps, judge=broken)
            match.game = replace(game, moves=replace(game.moves, taps=taps))

    demo.start("kartel")
    live.ask(break_it)
    until(lambda: bool(live.faults.known))
    demo.stop()
    assert {fault.game for fault in live.faults.known} == {"kartel"}
    assert not threads.faults()


def test_presses_of_one_race_lie_as_far_apart_as_they_were_rehearsed(log: Log, live: Live, demo: Demo) -> None:
    """However long the second takes to come: seconds pass here."""
    demo.start("stop-it")
    until(lambda: not demo.running)
    latest = log.latest()
    assert latest is not None
    margins = [
        verdict.facts["margin"] for verdict in judge(log.events(latest)).verdicts if verdict.code.startswith("shouted-")
    ]
    assert margins
    assert max(margins) < 500_000


def test_demonstrations_asked_for_at_once_follow_one_another(log: Log, demo: Demo, unrehearsed: None) -> None:
    with ThreadPoolExecutor(3) as hands:
        list(hands.map(lambda _: demo.start(ANY), range(3)))
    assert log.latest() == 3


def test_a_demonstration_of_no_game_is_refused(demo: Demo) -> None:
    with pytest.raises(WrongInput, match="unknown game 'chess'; known: "):
        demo.start("chess")


class Watched(Clock):
    """A clock that a test sets, and how often each thread has looked at it."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = Counter[str]()

    def __call__(self) -> float:
        self.looks[current_thread().name] += 1
        return super().__call__()


@pytest.fixture
def clock() -> Watched:
    return Watched()


@pytest.fixture
def still(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    """A table whose clock a test sets."""
    with living(tmp_path, clock, simulated=True) as live:
        yield live


@pytest.fixture
def slow(still: Live, unrehearsed: None) -> Iterator[Demo]:
    demo = Demo(still, TestHand(still), random.Random(1))
    yield demo
    demo.stop()


def test_first_people_see_what_the_game_is_and_how_it_is_played(slow: Demo, clock: Clock) -> None:
    slow.start(ANY)
    openings: list[str] = []

    def opened() -> bool:
        assert slow.telling
        if slow.telling.opening not in openings:
            openings.append(slow.telling.opening)
            clock.now += max(ABOUT, PICTURE)
        return not slow.telling.opening

    until(opened)
    assert openings == ["about", *HOW, ""]


def test_how_long_the_table_has_been_on_takes_nothing_from_the_first_picture(slow: Demo, clock: Watched) -> None:
    clock.now = 1000.0
    slow.start(ANY)
    until(lambda: clock.looks["demo"] > 2)
    assert slow.telling == Telling(ANY)


def test_whoever_watches_is_called_when_it_is_told_otherwise_and_only_then(slow: Demo) -> None:
    tellings: list[Telling | None] = []
    slow.watch(lambda: tellings.append(slow.telling))
    slow.start(ANY)
    slow.hold()
    slow.hold()
    slow.hurry(2.0)
    assert tellings == [Telling(ANY), Telling(ANY, held=True), Telling(ANY, held=True, speed=2.0)]


def test_while_it_is_held_a_step_takes_one_act_and_time_takes_none(slow: Demo, clock: Clock, still: Live) -> None:
    slow.start(ANY)
    slow.hold()
    clock.now += 1000
    for opening in (*HOW, ""):
        slow.step()
        until(lambda: slow.telling == Telling(ANY, opening, held=True))  # noqa: B023
    slow.step()
    until(lambda: acts(still) == 1)
    clock.now += 1000
    slow.stop()
    assert acts(still) == 1


def test_a_page_that_holds_it_does_not_wait_for_the_judge(
    slow: Demo, still: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = still.ask
    asking = Event()
    answered = Event()

    def slowly(question: Callable[[Match], Any]) -> Any:
        if question is demo_script.acts_of:
            asking.set()
            answered.wait(PATIENCE)
        return ask(question)

    monkeypatch.setattr(still, "ask", slowly)
    slow.start("go")
    slow.hold()
    for _ in (*HOW, "", "first act"):
        slow.step()
    assert asking.wait(PATIENCE)
    with ThreadPoolExecutor(1) as page:
        held = page.submit(slow.hold)
        try:
            held.result(PATIENCE / 2)
        finally:
            answered.set()


def test_where_nobody_plays_all_hands_lie_open_until_somebody_does(slow: Demo, still: Live) -> None:
    def told() -> int:
        return len(slow.telling.hands) if slow.telling else -1

    slow.start("go")
    slow.hold()
    assert told() == 0
    for _ in (*HOW, "", "first act"):
        slow.step()
    until(lambda: acts(still) == 1)  # the hands are told before it is done
    assert told() == 3
    assert slow.telling
    assert {len(hand["hand"]) for hand in slow.telling.hands.values()} == {12}
    assert slow.telling.coming.keys() == slow.telling.hands.keys()
    assert slow.telling.followed in slow.telling.hands
    dealt = slow.telling.hands
    while slow.telling.hands == dealt:
        done = acts(still)
        slow.step()
        until(lambda done=done: acts(still) > done)
    assert slow.telling.before == dealt
    still.enter(Pressed(0, 0.0, 1))
    slow.step()
    until(lambda: told() == 0)


def test_each_of_four_speeds_scales_every_pause(slow: Demo) -> None:
    slow.start(ANY)
    for speed, seconds in {0.5: 6.0, 1.0: 3.0, 2.0: 1.5, 4.0: 0.75}.items():
        slow.hurry(speed)
        assert slow.telling
        assert slow.telling.due(3.0) == seconds


def acts(live: Live) -> int:
    return live.ask(lambda match: len(match.events)) - 1


def test_who_plays_a_demonstration_is_nobody_at_any_table() -> None:
    called = set(PEOPLE.values())
    assert len(called) == len(PEOPLE)
    assert not called & {*INVENTED.values(), *BOTS, "Ana", "Bo", "Cléo", "Dédé"}
    assert all(len(name) <= 5 for name in called), "headlines and gangs have room for short ones"
