"""Fixtures: a table that was played at, as it is or spoilt."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.first_aid.bed import Bed, spoil


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    return Bed(tmp_path)


@pytest.fixture
def spoilt(bed: Bed) -> Iterator[Bed]:
    """One whose log is damaged."""
    spoil(bed.log)
    return bed
