"""Fixtures: a device that answers as a real one does, and a table that was backed up."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.kept import Kept
from tests.emulators.pn532_pty import UartPN532


@pytest.fixture
def reader() -> Iterator[UartPN532]:
    with UartPN532() as reader:
        yield reader


@pytest.fixture
def backed_up(tmp_path: Path) -> Kept:
    return Kept(tmp_path)
