"""What is taken back at a simulated table goes back with its world."""

from pathlib import Path

import pytest

from companion.errors import NotKept
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.storage import files
from tests.live.simulated import PEOPLE, act, simulated, take_back
from tests.live.table import refusing
from tests.live.test_simulation import FULL


def latest(live: Live) -> int:
    return live.ask(lambda match: match.public[-1].seq)


def back(live: Live, simulation: Simulation) -> None:
    seq = latest(live)
    take_back(simulation, lambda _: seq)


def test_what_is_taken_back_goes_back_with_the_world_and_all_since(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin("go", PEOPLE, {})
        sights_before = simulation.sights
        act(simulation)
        sights_after = simulation.sights
        seq = latest(live)
        act(simulation)
        take_back(simulation, lambda _: seq)
        assert simulation.sights == sights_before
        act(simulation)
        assert simulation.sights == sights_after  # the same card: whoever draws again has the same luck
    with simulated(tmp_path) as (live, simulation):
        assert simulation.sights == sights_after
        assert live.ask(lambda match: match.misplays) == []


def test_what_was_dealt_stays_dealt(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin("go", PEOPLE, {})
        rulings_told = live.ask(lambda match: len(match.public))
        for _ in range(2):
            assert simulation.stays == rulings_told
            act(simulation)
            assert simulation.stays == rulings_told
            back(live, simulation)
    with simulated(tmp_path) as (_, simulation):
        assert simulation.stays == rulings_told


def test_what_cannot_be_taken_back_stays_in_the_world_too(live: Live, simulation: Simulation) -> None:
    simulation.begin("go", PEOPLE, {})
    act(simulation)
    state_before = simulation.playing, simulation.sights
    with refusing(live, "act", error=NotKept("the disk is full")), pytest.raises(NotKept):
        back(live, simulation)
    assert (simulation.playing, simulation.sights) == state_before


def test_what_is_taken_back_is_not_made_again_though_that_could_not_be_written(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin("go", PEOPLE, {})
        act(simulation)
        act(simulation)
        with refusing(files, "append", error=FULL):
            back(live, simulation)
        state_after = simulation.playing, simulation.sights
    with simulated(tmp_path) as (_, simulation):
        assert (simulation.playing, simulation.sights) == state_after
