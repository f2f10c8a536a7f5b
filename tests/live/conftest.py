"""Fixtures: a table before its first match, of stop it!, where all count their cards; and a simulated one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.live.cards import ANA, BO, Cards
from tests.live.evening import Evening
from tests.live.simulated import simulated
from tests.live.table import Table


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


@pytest.fixture
def table(bare: Table) -> Table:
    bare.begin()
    return bare


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Live, Simulation]]:
    with simulated(tmp_path) as both:
        yield both


@pytest.fixture
def live(both: tuple[Live, Simulation]) -> Live:
    return both[0]


@pytest.fixture
def simulation(both: tuple[Live, Simulation]) -> Simulation:
    return both[1]


@pytest.fixture
def stop_it(tmp_path: Path) -> Iterator[Cards]:
    """Bo has shown the red stop: everybody counts."""
    table = Cards(tmp_path, "stop-it")
    table.press(ANA)
    table.press(BO, table.live.clock() + 1)
    table.lay_cards(BO, "red-stop-1")
    yield table
    table.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.close()


@pytest.fixture
def ended(evening: Evening) -> Evening:
    """A match of stop it! is over, for a while."""
    evening.end()
    evening.wait(60)
    return evening
