"""What a game's code raises about its simulated things costs what it was asked for, and nothing else."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import game_to_copy, games
from companion.game import AnyGame
from companion.live.bots import Bots
from companion.live.simulation import NotPossible, Simulation
from companion.live.table import Live
from tests.live.simulated import PEOPLE, act, simulated
from tests.web.table import app_of

COPIED: AnyGame = game_to_copy.GAME
PAGES = ("/", "/big", "/seat/1", "/host", "/story", "/results/1")

Playing = tuple[Live, Simulation]


def broken(*_: Any) -> Any:
    raise ZeroDivisionError("a fault in the game's code")


def have(monkeypatch: pytest.MonkeyPatch, game: AnyGame) -> None:
    known_games = {**games.known(), game.slug: game}
    monkeypatch.setattr(games, "known", lambda: known_games)


def failing(part: str) -> AnyGame:
    """The small game to copy, a part of whose simulated things fails."""
    assert COPIED.physics is not None
    return replace(COPIED, physics=replace(COPIED.physics, **{part: broken}))


@pytest.fixture
def playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Playing]:
    have(monkeypatch, COPIED)
    with simulated(tmp_path) as (live, simulation):
        simulation.begin(COPIED.slug, PEOPLE, {3: "easy"})
        yield live, simulation


def test_where_the_table_cannot_be_shown_nobody_moves_and_every_page_is_there(playing: Playing) -> None:
    live, simulation = playing
    live.ask(lambda match: setattr(match, "game", replace(match.game, view=broken)))
    live.listen(lambda hearing: None)
    client = app_of(live, virtual=False, simulation=simulation).test_client()
    assert [client.get(page).status_code for page in PAGES] == [200] * len(PAGES)
    assert not any(sight.moves for sight in simulation.sights.values())
    assert [fault.what for fault in live.faults.known] == ["view"]


@pytest.mark.parametrize("part", ["can", "sees", "shows"])
def test_what_cannot_be_told_of_a_world_costs_no_page(
    playing: Playing, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    live, simulation = playing
    have(monkeypatch, failing(part))
    live.listen(lambda hearing: None)
    client = app_of(live, virtual=False, simulation=simulation).test_client()
    assert [client.get(page).status_code for page in PAGES] == [200] * len(PAGES)
    assert "in broken" in live.faults.known[0].trace


def test_a_move_whose_code_fails_is_not_made_and_tells_why(playing: Playing, monkeypatch: pytest.MonkeyPatch) -> None:
    live, simulation = playing
    have(monkeypatch, failing("do"))
    with pytest.raises(NotPossible, match="a fault in the code"):
        act(simulation)
    assert [fault.what for fault in live.faults.known] == ["simulated world"]
    assert live.ask(lambda match: len(match.events)) == 1


def test_a_bot_whose_choice_fails_makes_any_move(playing: Playing, monkeypatch: pytest.MonkeyPatch) -> None:
    live, simulation = playing
    have(monkeypatch, failing("choose"))
    bots = Bots(simulation, pace=0.0, chance=random.Random(1))
    bots.step(0.0)
    bots.step(1.0)
    assert live.ask(lambda match: len(match.events)) == 2
    assert [fault.what for fault in live.faults.known] == ["simulated world"]


def test_a_world_that_cannot_be_dealt_begins_no_match(playing: Playing, monkeypatch: pytest.MonkeyPatch) -> None:
    live, simulation = playing
    have(monkeypatch, failing("begin"))
    with pytest.raises(NotPossible, match="a fault in the code"):
        simulation.begin(COPIED.slug, PEOPLE, {})
    assert live.snapshot.match == 1


def test_a_world_that_cannot_be_made_again_leaves_its_table_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    have(monkeypatch, COPIED)
    with simulated(tmp_path) as (_, simulation):
        simulation.begin(COPIED.slug, PEOPLE, {})
    have(monkeypatch, failing("begin"))
    with simulated(tmp_path) as (live, simulation):
        assert live.snapshot.ended
