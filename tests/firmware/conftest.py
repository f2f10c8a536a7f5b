"""The box for these tests."""

from collections.abc import Iterator

import pytest

from tests.firmware.pico import Pico


@pytest.fixture
def pico() -> Iterator[Pico]:
    with Pico() as pico:
        yield pico
