"""The hub beside a real broker: whatever is killed, cut or said in a muddle, every result is there once."""

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import paho.mqtt.client as mqtt
import pytest

from companion.club.hub import club_toml, follower
from companion.club.hub.hub import Hub, opened
from companion.club.payloads import LARGEST_RESULT
from companion.network.page_address import fixed
from companion.web.hub import create_hub
from tests.club.broker import MOSQUITTO, OPEN, Broker, Follower, Said, running
from tests.club.hub.conftest import Joined
from tests.club.hub.tables import CLUB, ONE, OTHER, SpeakingTable, about, result, status
from tests.needs import needs
from tests.waiting import until

VIEW: dict[str, Any] = {
    "game": "stop-it",
    "players": [{"seat": 1, "name": "Ana"}],
    "over": False,
    "scores": {"1": 4},
    "winners": [],
    "table": {},
    "told": [],
}


def read(hub: Hub, path: str) -> Any:
    return msgspec.json.decode(create_hub(hub).test_client().get(path).data)


def stored_results(hub: Hub, since: int = 0) -> list[tuple[str, int, int]]:
    return [(stored.table, stored.match, stored.revision) for stored in hub.store.results(since)]


def state(hub: Hub, table: str = ONE) -> str:
    known_tables = hub.follower.tables()
    return known_tables[table].state if table in known_tables else ""


def test_the_two_routes_tell_what_the_contract_says(hub: Hub, table: SpeakingTable) -> None:
    table.say("about", about("Window table"), retain=True)
    table.shows(12, 1234.5, VIEW)
    table.ends(12)
    until(lambda: stored_results(hub) and hub.follower.tables()[ONE].view and hub.follower.tables()[ONE].about)
    assert read(hub, "/api/1/tables") == [
        {
            "table": ONE,
            "name": "Window table",
            "state": "ready",
            "match": 12,
            "game": "stop-it",
            "over": False,
            "scores": {"1": 4},
            "players": [{"seat": 1, "name": "Ana"}],
            "behind_s": 0.0,
        }
    ]
    assert read(hub, "/api/1/results?after=0") == [{"number": 1, "table": ONE, **result(12)}]
    assert read(hub, "/api/1/results?after=1") == []


def test_a_correction_comes_again_under_a_new_number_and_an_older_revision_not_at_all(
    hub: Hub, table: SpeakingTable
) -> None:
    for match, revision in ((1, 1), (2, 1), (1, 3), (1, 2), (1, 3), (2, 1), (3, 1)):
        table.say(f"result/{match}", result(match, revision))
    until(lambda: (ONE, 3, 1) in stored_results(hub))
    assert stored_results(hub) == [(ONE, 2, 1), (ONE, 1, 3), (ONE, 3, 1)]
    assert stored_results(hub, since=2) == [(ONE, 1, 3), (ONE, 3, 1)]


def test_what_a_table_says_while_the_hub_is_away_is_not_lost(club: Path, joined: Joined) -> None:
    table = joined(ONE)
    with opened(club_toml.load(club), fixed("http://hub.lan/")) as first:
        until(lambda: table.asked)
        table.ends(1)
        until(lambda: stored_results(first))
    table.say("result/2", result(2))  # it would not send this one again
    table.results[1] = result(1, 2)  # corrected, but the broker lost it
    with opened(club_toml.load(club), fixed("http://hub.lan/")) as second:
        until(lambda: {(ONE, 2, 1), (ONE, 1, 2)} == set(stored_results(second)))
    assert table.asked == [0, 0]


def test_a_killed_broker_loses_nothing_not_even_a_correction(
    broker: Broker, hub: Hub, joined: Joined, caplog: pytest.LogCaptureFixture
) -> None:
    table = joined(ONE)
    until(lambda: table.asked)
    table.ends(1)
    until(lambda: stored_results(hub))
    broker.kill()
    table.leave()  # or it would come back, and be told that another has its name
    until(lambda: "the broker is gone: the connection was cut" in caplog.text)
    until(lambda: not hub.follower.connected)
    broker.start()
    until(lambda: hub.follower.connected)
    joined(ONE, 2, result(1, 2), result(2))  # both were acknowledged by the broker that was killed
    until(lambda: {(ONE, 1, 2), (ONE, 2, 1)} == set(stored_results(hub)))


def test_a_gap_in_the_numbers_is_asked_for(hub: Hub, joined: Joined) -> None:
    table = joined(ONE)
    until(lambda: table.asked == [0])
    table.ends(1)
    table.results[2] = result(2)
    table.ends(3)
    until(lambda: (ONE, 2, 1) in stored_results(hub))
    assert table.asked == [0, 1]


def test_a_will_of_an_older_birth_is_of_no_account(club: Path, joined: Joined) -> None:
    table = joined(ONE, birth=7)
    with opened(club_toml.load(club), fixed("http://hub.lan/")) as hub:
        until(lambda: state(hub) == "ready")
        table.say("status", status("lost", 6), retain=True)
        table.say("about", about("Window table"), retain=True)
        until(lambda: hub.follower.tables()[ONE].about)
        assert state(hub) == "ready"
    with opened(club_toml.load(club), fixed("http://hub.lan/")) as hub:  # all the broker knows is that will
        until(lambda: hub.follower.tables().get(ONE) and hub.follower.tables()[ONE].about)
        assert state(hub) == "ready"
        table.crash()
        until(lambda: state(hub) == "lost")


def test_a_hub_that_was_away_knows_which_match_was_ended_early(club: Path, joined: Joined) -> None:
    table = joined(ONE)
    table.shows(1, 1.0, VIEW)
    for _ in range(2):
        with opened(club_toml.load(club), fixed("http://hub.lan/")) as hub:
            until(lambda: table.asked and state(hub) == "ready")
            if not stored_results(hub):
                table.say("result/1", result(1, over=False, winners=[]))
            until(lambda: hub.follower.tables()[ONE].ended)


def test_garbage_is_counted_and_nothing_else(hub: Hub, table: SpeakingTable) -> None:
    for payload in (b"{", b"[]", b"\xff", b"[" * 50_000, b'{"match": NaN}', b'"' + b"x" * 10_000_000 + b'"'):
        for kind in ("status", "about", "public", "result/1"):
            table.say(kind, payload)
    for wrong in ({"match": 2**70}, {"match": 2}, {"revision": 0}, {"scores": {"1": "x"}}, {"winners": None}):
        table.say("result/1", {**result(1), **wrong})
    table.say("result/1", result(1, winners=[4]))
    table.say("status", status("lost", 2**63))
    table.say("whatever", b"{}")
    table.say("result/01", result(1))
    table.client.publish("table-companion/2/wednesday/x/status", b"{}")
    table.client.publish("table-companion/1/wednesday/not-an-id/status", status("ready", 1))
    table.say("result/9", {**result(9), "mood": "fine"})
    until(lambda: stored_results(hub))
    until(lambda: hub.follower.ignored["", "unknown version"])
    assert read(hub, "/api/1/results") == [{"number": 1, "table": ONE, **result(9)}]
    assert state(hub) == "ready"
    counted = hub.follower.ignored
    assert counted[ONE, "unreadable payload"] == 4 * 6 + 5 + 2
    assert counted[ONE, "unknown key"] == 1
    assert counted["", "unknown topic"] >= 3


def test_a_table_that_clears_its_status_is_forgotten_and_its_results_stay(hub: Hub, table: SpeakingTable) -> None:
    table.ends(1)
    until(lambda: stored_results(hub) and state(hub))
    table.say("status", b"", retain=True)
    until(lambda: not state(hub))
    assert stored_results(hub) == [(ONE, 1, 1)]


def test_of_more_tables_than_the_broker_queues_words_none_is_overlooked(club: Path, joined: Joined) -> None:
    voice = joined(ONE)
    many = 1100
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    ids = [f"{letters[at // 32 % 32]}{letters[at % 32]}{letters[at // 1024]}".ljust(16, "q") for at in range(many)]
    for table in ids:
        publication = voice.client.publish(
            f"table-companion/1/{CLUB}/{table}/status", status("ready", 1), 1, retain=True
        )
    publication.wait_for_publish()
    with opened(club_toml.load(club), fixed("http://hub.lan/")) as hub:
        until(lambda: {*ids} <= hub.follower.tables().keys())


def test_a_table_that_floods_holds_back_nobody_elses_news(hub: Hub, joined: Joined) -> None:
    flooding = joined(ONE)
    other = joined(OTHER)
    until(lambda: flooding.asked and other.asked)
    for at in range(2000):
        flooding.client.publish(f"{flooding.root}/public", b'{"match": %d, "at": 1.0, "view": null}' % (at + 1), 1)
        flooding.client.publish(f"{flooding.root}/whatever", b"x" * 1000, 0)
    other.ends(1)
    until(lambda: stored_results(hub))
    until(lambda: hub.follower.tables()[ONE].match == 2000)


def retained(broker: Broker) -> list[Said]:
    """The results of a table that the broker retains."""
    follower = Follower(broker.port, f"table-companion/1/{CLUB}/{ONE}/result/+")
    follower.leave()
    return follower.said


def test_no_result_stays_retained_at_the_broker(hub: Hub, broker: Broker, table: SpeakingTable) -> None:
    for match in range(1, 4):
        table.say(f"result/{match}", result(match), retain=True)
    table.say("result/4", b"x" * (LARGEST_RESULT + 1), retain=True)
    until(lambda: len(stored_results(hub)) == 3)
    until(lambda: not retained(broker))
    assert hub.follower.ignored[ONE, "unreadable payload"] == 1


def test_what_was_retained_unheard_is_kept_and_cleared_later(club: Path, broker: Broker, joined: Joined) -> None:
    """A broker whose queue for the hub is full drops a result there, and retains it all the same."""
    joined(ONE).say("result/1", result(1), retain=True)
    with opened(club_toml.load(club), fixed("http://hub.lan/")) as hub:
        until(lambda: stored_results(hub) == [(ONE, 1, 1)])
        until(lambda: not retained(broker))


def test_a_broker_that_knows_its_clients_by_their_users_lets_the_hub_in_once_and_for_all(tmp_path: Path) -> None:
    needs("mosquitto", MOSQUITTO)
    file = tmp_path / "CLUB.toml"
    with running(tmp_path, OPEN, "use_username_as_clientid true") as broker:
        file.write_text(f'[club]\nbroker = "mqtt://127.0.0.1:{broker.port}"\nclub = "{CLUB}"\nuser = "hub"\n')
        with opened(club_toml.load(file), fixed("http://hub.lan/")) as hub:
            table = SpeakingTable(broker, ONE)
            until(lambda: table.asked)
            table.ends(1)
            until(lambda: stored_results(hub) and state(hub) == "ready")
            table.leave()


def test_what_the_broker_threw_away_in_a_burst_is_heard_after_it(
    hub: Hub, joined: Joined, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = joined(ONE)
    take = follower.Follower._take
    until(lambda: table.asked)
    table.say("status", status("ready", 2), retain=True)
    until(lambda: hub.follower.tables()[ONE].birth == 2)
    monkeypatch.setattr(follower, "BURST", 1)
    monkeypatch.setattr(follower, "AFTER_BURST", 0.01)
    monkeypatch.setattr(
        follower.Follower, "_take", lambda of, spot, message: message.retain and take(of, spot, message)
    )
    since = hub.follower.tables()[ONE].since
    table.say("about", about("Window table"), retain=True)
    until(lambda: hub.follower.tables()[ONE].about)
    assert hub.follower.tables()[ONE].since == since is not None


def test_one_result_that_can_t_be_kept_is_counted_and_holds_up_nobody_elses(hub: Hub, joined: Joined) -> None:
    poisoning = joined(ONE)
    other = joined(OTHER)
    until(lambda: poisoning.asked and other.asked)
    for match, depth in enumerate((100, 900, 1900, 9000), 1):
        options = b'{"a":' + b"[" * depth + b"]" * depth + b"}"
        poisoning.say(f"result/{match}", msgspec.json.encode({**result(match), "options": msgspec.Raw(options)}))
    other.ends(1)
    until(lambda: stored_results(hub))
    assert stored_results(hub) == [(OTHER, 1, 1)]
    assert hub.follower.ignored[ONE, "unreadable payload"] == 4
    assert not hub.follower.disk_trouble


def test_what_the_file_refuses_for_itself_is_counted_and_not_tried_for_ever(hub: Hub, joined: Joined) -> None:
    table = joined(ONE)
    until(lambda: table.asked)
    hub.store._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2000)
    table.say("result/1", result(1, options={"a": "x" * 3000}))
    table.ends(2)
    until(lambda: stored_results(hub))
    assert stored_results(hub) == [(ONE, 2, 1)]
    assert hub.follower.ignored[ONE, "unkeepable result"] == 1


def test_a_topic_that_is_no_text_ends_no_thread(hub: Hub, table: SpeakingTable) -> None:
    message = mqtt.MQTTMessage(topic=b"table-companion/1/\xff")
    hub.follower._on_message(hub.follower._client, None, message)
    table.ends(1)
    until(lambda: stored_results(hub))
