"""Fixtures: a table before its first match, and one of stop it!"""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
