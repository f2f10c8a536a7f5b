from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.club.hub import club_toml
from companion.club.hub.hub import Hub, opened
from companion.club.hub.store import Store
from companion.network.page_address import fixed
from companion.web.hub import board, create_hub
from tests.club.broker import MOSQUITTO, Broker, keeping, running
from tests.club.hub.tables import CLUB, ONE, SpeakingTable
from tests.needs import needs
from tests.waiting import until

Joined = Callable[..., SpeakingTable]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    needs("mosquitto", MOSQUITTO)
    with running(tmp_path, *keeping(tmp_path), "max_queued_messages 1000") as broker:  # as many as where nothing is set
        yield broker


@pytest.fixture
def joined(broker: Broker) -> Iterator[Joined]:
    """Let tables join the club, by their ids."""
    with ExitStack() as leaving:

        def join(table: str, birth: int = 1, *results: dict[str, Any]) -> SpeakingTable:
            table_joined = SpeakingTable(broker, table, birth, *results)
            leaving.callback(table_joined.leave)
            return table_joined

        yield join


@pytest.fixture
def club(tmp_path: Path, broker: Broker) -> Path:
    file = tmp_path / "CLUB.toml"
    file.write_text(f'[club]\nbroker = "mqtt://127.0.0.1:{broker.port}"\nclub = "{CLUB}"\n')
    return file


@pytest.fixture
def hub(club: Path) -> Iterator[Hub]:
    with opened(club_toml.load(club), fixed("http://127.0.0.1:8000/")) as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "hub.sqlite")) as store:
        yield store


@pytest.fixture
def table(hub: Hub, joined: Joined) -> SpeakingTable:
    """One that has joined, and was asked for its results."""
    table = joined(ONE)
    until(lambda: table.asked)
    return table


@pytest.fixture
def page(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    monkeypatch.setattr(board, "COALESCED", 0.01)
    app = create_hub(hub)
    with app.test_client() as client:
        yield client
    # Its screens are drawn on after the test: other scenes would ask the store, which is closed by then.
    hub.keeper.show("wall")
