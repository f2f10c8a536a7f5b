"""The box for these tests, and patience with it."""

from collections.abc import Iterator

import pytest

from companion.devices.buzzer_box import connection
from tests.firmware.pico import Pico
from tests.waiting import PATIENCE


@pytest.fixture
def pico() -> Iterator[Pico]:
    with Pico() as pico:
        yield pico


@pytest.fixture(scope="module")
def idle() -> Iterator[Pico]:
    """One for all tests of a file that press nothing and leave it as it was."""
    with Pico() as pico:
        yield pico


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine the tests run on may be busy."""
    monkeypatch.setattr("companion.devices.buzzer_box.inquiry.ANSWER_S", PATIENCE)
    monkeypatch.setattr(connection, "ANSWER_S", PATIENCE)
    monkeypatch.setattr(connection, "SILENCE_S", PATIENCE)
    monkeypatch.setattr("companion.devices.buzzer_box.port._WRITE_S", PATIENCE)
