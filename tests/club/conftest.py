"""Fixtures: an open broker, one for each module; a table in its club; somebody who follows it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club.broker import MOSQUITTO, Broker, Follower, running
from tests.club.member import Member
from tests.needs import needs


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    needs("mosquitto", MOSQUITTO)
    with running(tmp_path_factory.mktemp("broker")) as broker:
        yield broker


@pytest.fixture
def follower(broker: Broker) -> Iterator[Follower]:
    follower = Follower(broker.port)
    yield follower
    follower.leave()


@pytest.fixture
def member(broker: Broker, tmp_path: Path) -> Iterator[Member]:
    member = Member(tmp_path, f"mqtt://127.0.0.1:{broker.port}")
    member.join()
    yield member
    member.leave()
    member.close()
