"""A broker at home, the real one, hears what happens at a table, and Home Assistant finds it there."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
from msgspec.structs import replace

from companion.club.home_assistant import BIRTH, topic_of
from companion.house.broker import HomeBroker, state_of
from companion.house.happenings import Happening
from companion.house.home_assistant import HomeDevice
from companion.house.topics import Topics
from companion.house_settings import HouseSettings, event_names
from companion.live.snapshot import Snapshot
from tests.club.broker import Broker, Follower
from tests.house.told import RECORDS, played
from tests.waiting import PATIENCE, until

DEVICE = HomeDevice("abcdefgh234567ab", "Kitchen table", "http://10.0.0.9:8000/")
TOPICS = Topics(DEVICE.table)
SHOUT = Happening("shouted", 7, "stop-it", "Ana shouted first.", seat=1, name="Ana", colour="red", rgb=(255, 0, 0))


@contextmanager
def at_home(broker: Broker, *, home_assistant: bool = True) -> Iterator[HomeBroker]:
    settings = HouseSettings(broker=f"mqtt://127.0.0.1:{broker.port}", home_assistant=home_assistant)
    home = HomeBroker(settings, DEVICE)
    home.show(Snapshot())
    home.start()
    try:
        yield home
    finally:
        home.stop()
        home._thread.stop(within=PATIENCE)


def said_at(follower: Follower, topic: str) -> list[bytes]:
    return [message.raw for message in list(follower.said) if message.topic == topic and message.raw]


def test_what_happens_is_said_at_once_and_how_the_table_is_stays(broker: Broker, follower: Follower) -> None:
    *_, last = played(RECORDS[0])
    with at_home(broker) as home:
        until(lambda: said_at(follower, TOPICS.status) == [b"online"] and said_at(follower, TOPICS.state))
        home.tell(SHOUT)
        home.show(last)
        until(lambda: said_at(follower, TOPICS.event))
        until(lambda: len(said_at(follower, TOPICS.state)) == 2)
    assert msgspec.json.decode(said_at(follower, TOPICS.event)[0], type=Happening) == SHOUT
    until(lambda: said_at(follower, TOPICS.status)[-1] == b"offline")
    late = Follower(broker.port, "#", name="late")
    until(lambda: said_at(late, TOPICS.state))
    state = msgspec.json.decode(said_at(late, TOPICS.state)[0])
    assert state == msgspec.to_builtins(state_of(last))
    assert said_at(late, TOPICS.event) == []  # nobody's lamp is lit by what happened yesterday
    late.leave()


def test_home_assistant_finds_the_table_and_hears_of_it_again_when_it_comes_back(
    broker: Broker, follower: Follower
) -> None:
    with at_home(broker):
        until(lambda: len(said_at(follower, topic_of(DEVICE.table))) == 1)
        follower.say(BIRTH, "online")
        until(lambda: len(said_at(follower, topic_of(DEVICE.table))) == 2)
    described = msgspec.json.decode(said_at(follower, topic_of(DEVICE.table))[0])
    assert {*described["cmps"]["event"]["event_types"]} == event_names()
    assert all(DEVICE.table in entity["unique_id"] for entity in described["cmps"].values())


def test_home_assistant_hears_where_the_page_is_found_now(broker: Broker, follower: Follower) -> None:
    with at_home(broker) as home:
        until(lambda: said_at(follower, topic_of(DEVICE.table)))
        home.tell_address("http://10.0.0.42:8000/")
        until(lambda: len(said_at(follower, topic_of(DEVICE.table))) == 2)
    described = msgspec.json.decode(said_at(follower, topic_of(DEVICE.table))[-1])
    assert described["dev"]["configuration_url"] == "http://10.0.0.42:8000/"


def test_nothing_is_said_to_home_assistant_unless_the_table_is_told_to(broker: Broker, follower: Follower) -> None:
    with at_home(broker, home_assistant=False) as home:
        until(lambda: not home.trouble and said_at(follower, TOPICS.state))
    assert said_at(follower, topic_of(DEVICE.table)) == []


def test_a_broker_that_is_killed_is_told_again_how_the_table_is(broker: Broker, follower: Follower) -> None:
    with at_home(broker) as home:
        until(lambda: said_at(follower, TOPICS.state))
        broker.signal(signal.SIGKILL)
        broker.process.wait()
        until(lambda: home.trouble)
        broker.start()
        home.show(replace(Snapshot(), match=None))
        until(lambda: not home.trouble)
        late = Follower(broker.port, "#", name="late")
        until(lambda: said_at(late, TOPICS.state))
        late.leave()


def test_a_broker_that_is_not_there_is_told_on_check_and_stops_nothing() -> None:
    home = HomeBroker(HouseSettings(broker="mqtt://127.0.0.1:1"), DEVICE)
    home.start()
    home.tell(SHOUT)
    until(lambda: home.trouble)
    assert home.trouble == "Connection refused"
    home.stop()


def test_a_password_that_others_may_read_is_not_used(broker: Broker, tmp_path: pytest.TempPathFactory) -> None:
    file = tmp_path / "password"  # type: ignore[operator]
    file.write_text("secret")
    file.chmod(0o644)
    address = f"mqtt://127.0.0.1:{broker.port}"
    home = HomeBroker(HouseSettings(broker=address, user="table", password_file=str(file)), DEVICE)
    home.start()
    until(lambda: "chmod 600" in home.trouble)
    home.stop()
