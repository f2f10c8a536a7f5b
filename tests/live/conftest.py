"""Fixtures: a table before its first match, one of stop it!, and a simulated one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.live.simulation import Simulation
from companion.live.table import Live
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
