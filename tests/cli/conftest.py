"""Fixtures: devices that answer as real ones do."""

from collections.abc import Iterator

import pytest

from tests.emulators.pn532 import UartPN532


@pytest.fixture
def reader() -> Iterator[UartPN532]:
    with UartPN532() as reader:
        yield reader
