"""Fixtures: an open broker; a table in its club; somebody who follows it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.club.broker import MOSQUITTO, Broker, Follower, running
from tests.club.member import Member
from tests.needs import needs


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    needs("mosquitto", MOSQUITTO)
    with running(tmp_path) as broker:
        yield broker


@pytest.fixture
def follower(broker: Broker) -> Iterator[Follower]:
    follower = Follower(broker.port)
    yield follower
    follower.leave()


@pytest.fixture
def member(broker: Broker, tmp_path: Path) -> Iterator[Member]:
    with closing(Member(tmp_path, f"mqtt://127.0.0.1:{broker.port}")) as member:
        member.join()
        yield member
