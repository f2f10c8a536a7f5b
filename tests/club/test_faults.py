"""Whatever becomes of the broker or of what it says: play goes on, its keeper is told, and no result is lost."""

import math
import shutil
import signal
import socket
import subprocess
import threading
import weakref
from contextlib import closing, suppress
from pathlib import Path

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.club import broker_requests, publisher
from companion.club.link import Link
from companion.club.membership import Hindrance
from companion.club.outbox import Outbox
from companion.club.payloads import MatchResult
from companion.club.served_client import let_go
from companion.club.session_taken_over import LastWord, is_anothers, was_ended
from companion.club_settings import ClubSettings
from companion.storage.files import club_of
from tests.club.broker import Broker, Follower, keeping, running
from tests.club.member import CLUB, Member
from tests.waiting import until


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "AGAIN_S", (0.02, 0.1))
    monkeypatch.setattr(publisher, "REFUSED_S", (0.02, 0.1))
    monkeypatch.setattr(broker_requests, "ASKED_EVERY_S", 0.1)
    monkeypatch.setattr(publisher, "GOODBYE_S", 0.1)
    monkeypatch.setattr(publisher, "ALIVE_S", 0.1)


def test_a_connection_that_is_dropped_leaves_no_socket_to_the_collector(broker: Broker) -> None:
    link = Link(
        ClubSettings(broker=f"mqtt://127.0.0.1:{broker.port}", club=CLUB, name="Table"), "abcdefgh234567ab", "run"
    )
    link.open(lambda *_: None, lambda *_: None, again=False)
    link.leave()
    client = weakref.ref(link._client)
    del link
    assert client() is None


def test_a_broker_that_was_away_hears_all_results_once_in_order(broker: Broker, member: Member) -> None:
    member.joined()
    broker.kill()
    until(lambda: member.membership.hindrance is Hindrance.UNREACHABLE)
    matches = [member.begin() for _ in range(5)]
    until(lambda: member.membership.waiting == 4)
    broker.start()
    table = member.joined()
    member.settled()
    follower = Follower(broker.port)
    follower.say(f"table-companion/1/{CLUB}/{table}/ask", '{"since": 0}')
    until(lambda: len(follower.of("result")) == 4)
    assert [result["match"] for result in follower.of("result")] == matches[:4]
    assert {result["revision"] for result in follower.of("result")} == {1}
    assert follower.of("status")[-1] == {"state": "ready", "birth": 2}
    until(lambda: follower.of("public")[-1:] and follower.of("public")[-1]["match"] == matches[4])
    follower.leave()


def test_a_result_that_a_dying_broker_took_along_is_still_to_be_sent(broker: Broker, member: Member) -> None:
    member.joined()
    broker.signal(signal.SIGSTOP)
    member.begin()
    member.begin()
    until(lambda: member.membership.waiting == 1)
    broker.kill()
    until(lambda: member.membership.hindrance is Hindrance.UNREACHABLE)
    assert member.membership.waiting == 1
    broker.start()
    member.settled()


def test_a_broker_that_stands_still_holds_nobody_up(broker: Broker, member: Member, follower: Follower) -> None:
    member.joined()
    broker.signal(signal.SIGSTOP)
    matches = [member.begin() for _ in range(20)]
    assert member.live.snapshot.match == matches[-1]
    until(lambda: member.membership.waiting == 19)
    assert member.publisher is not None
    member.leave()  # nor is it waited for at the end
    member.join()
    broker.signal(signal.SIGCONT)
    member.joined()
    member.settled()
    until(lambda: follower.of("public")[-1]["match"] == matches[-1])
    until(lambda: {result["match"] for result in follower.of("result")} == set(matches[:-1]))
    assert {result["revision"] for result in follower.of("result")} == {1}  # whatever came twice is the same


def test_what_was_sent_and_not_acknowledged_is_sent_again_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "club"

    result = MatchResult(
        7, 1, "", "stop-it", {}, (), over=True, scores={"1": 4}, winners=(1,), simulated=False, demo=False
    )
    outbox = Outbox(file)
    outbox.put(result, 3)
    sent = outbox.next()
    outbox.close()  # killed before the answer came
    outbox = Outbox(file)
    assert outbox.next() == sent is not None
    outbox.put(result, 4)
    assert outbox.next() == sent
    outbox.close()


def test_a_wrong_password_is_told_without_it_and_a_right_one_needs_no_restart(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "users").write_text("me:right\n")
    subprocess.run(["mosquitto_passwd", "-U", tmp_path / "users"], check=True)
    secret = tmp_path / "password"
    secret.write_text("hunter2\n")
    secret.chmod(0o600)
    with (
        running(tmp_path, "allow_anonymous false", f"password_file {tmp_path / 'users'}") as broker,
        closing(Member(tmp_path, f"mqtt://127.0.0.1:{broker.port}", user="me", password_file=str(secret))) as member,
    ):
        member.join()
        until(lambda: member.membership.hindrance is Hindrance.REFUSED)
        until(lambda: "does not let this table in" in caplog.text)
        assert "hunter2" not in f"{member.membership} {caplog.text}"
        secret.chmod(0o644)
        until(lambda: "may be read by others" in member.membership.why)
        secret.chmod(0o600)
        secret.write_text("right\n")
        member.joined()


def test_a_copy_of_a_table_takes_its_place_and_is_not_fought(
    broker: Broker, member: Member, follower: Follower, tmp_path: Path
) -> None:
    table = member.joined()
    (tmp_path / "copy").mkdir()
    with closing(Member(tmp_path / "copy", member.settings.broker)) as copy:
        shutil.copy(club_of(member.live.kept_in), club_of(copy.live.kept_in))
        both = {member.publisher: member, copy.join(): copy}
        until(
            lambda: [membership._again_at for membership in both if membership].count(math.inf) == 1
        )  # after how many turns, nobody says
        (gone,) = (membership for at, membership in both.items() if at and at._again_at == math.inf)
        assert gone.membership.hindrance is Hindrance.TAKEN_OVER
        stays = copy if gone is member else member
        assert stays.joined() == table == copy.membership.table
        number = stays.begin()
        until(lambda: follower.of("public")[-1]["match"] == number)


def test_a_broker_that_is_stopped_in_good_order_and_started_is_no_other_table(broker: Broker, member: Member) -> None:
    broker.set(*keeping(broker.log.parent))
    broker.kill()
    broker.start()
    member.joined()
    broker.signal(signal.SIGTERM)
    broker.process.wait()
    until(lambda: member.membership.hindrance is Hindrance.UNREACHABLE)
    broker.start()
    member.joined()


def test_a_program_that_takes_a_tables_id_is_not_fought(broker: Broker, member: Member) -> None:
    taker = Follower(broker.port, "nothing", name=member.joined())
    until(lambda: member.membership.hindrance is Hindrance.TAKEN_OVER)
    taker.leave()


def test_a_program_that_says_it_is_the_table_is_not_fought(broker: Broker, member: Member) -> None:
    table = member.joined()
    status = f"table-companion/1/{CLUB}/{table}/status"
    taker = Client(CallbackAPIVersion.VERSION2, table, protocol=MQTTProtocolVersion.MQTTv5)
    taker.will_set(status, '{"state": "lost", "birth": 1}', 1, retain=True)
    taker.on_connect = lambda *_: taker.publish(status, '{"state": "ready", "birth": 1}', 1, retain=True)
    taker.reconnect_delay_set(1, 1)
    taker.connect("127.0.0.1", broker.port)
    taker.loop_start()
    publishes = member.publisher
    assert publishes
    until(lambda: publishes._again_at == math.inf)
    assert member.membership.hindrance is Hindrance.TAKEN_OVER
    taker.disconnect()
    taker.loop_stop()
    let_go(taker)


WELCOME = bytes.fromhex("2003000000")
"""What a broker says to a client that it lets in."""


@pytest.mark.parametrize(
    ("says", "hindrance"),
    [
        (WELCOME + bytes.fromhex("e0028e00"), Hindrance.TAKEN_OVER),  # as Mosquitto 2.1 does
        (bytes.fromhex("2003009700"), Hindrance.REFUSED),  # full
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", Hindrance.UNREACHABLE),
        (WELCOME + bytes(range(256)), Hindrance.UNREACHABLE),
    ],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # of paho's thread
def test_whatever_a_broker_says_the_table_plays_and_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: bytes, hindrance: Hindrance
) -> None:
    monkeypatch.setattr(publisher, "ANSWER_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def lie() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client, suppress(OSError):
                    client.recv(1000)
                    client.sendall(says)
                    client.recv(1000)

        threading.Thread(target=lie, daemon=True).start()
        with closing(Member(tmp_path, f"mqtt://127.0.0.1:{server.getsockname()[1]}")) as member:
            member.join()
            until(lambda: member.membership.hindrance is hindrance, lambda: str(member.membership))
            member.begin()
            assert member.live.snapshot.match == 1
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    "saved", [None, LastWord("ready", 3, "me"), LastWord("lost", 2, "before"), LastWord("lost", 4, "me")]
)
def test_neither_a_cut_nor_a_broker_that_forgot_looks_like_another(saved: LastWord | None) -> None:
    ours = LastWord("lost", 4, "me")
    assert not is_anothers(ours, saved)
    assert not was_ended(ours, saved, session=True)
    assert saved == ours or not was_ended(ours, saved, session=False)


def test_what_nobody_can_use_is_counted_and_a_flood_of_asking_answered_once(member: Member, follower: Follower) -> None:
    table = member.joined()
    for _ in range(3):
        member.begin()
    member.settled()
    asks = f"table-companion/1/{CLUB}/{table}/ask"
    for wrong in ("", "{}", '{"since": -1}', '{"since": "0"}', b"\xff", "[" * 5000):
        follower.say(asks, wrong)
    until(lambda: member.membership.ignored == 6)
    follower.say(asks, b"0" * 10_000_000)
    for _ in range(1000):
        follower.say(asks, '{"since": 1, "more": true}')
    until(lambda: len(follower.of("result")) > 2)
    member.begin()
    until(lambda: follower.of("public")[-1]["match"] == 4)
    member.settled()
    again = [result["match"] for result in follower.of("result")]
    assert again.count(1) == 1
    assert again.count(2) < 20
    assert member.membership.hindrance is None


def test_a_fault_of_the_program_is_in_the_journal_once_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[Path] = []

    def broken(path: Path) -> Outbox:
        tried.append(path)
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr(publisher, "Outbox", broken)
    caplog.set_level("INFO")
    member = Member(tmp_path, "mqtt://127.0.0.1:1")
    try:
        member.join()
        until(lambda: len(tried) > 2)
    finally:
        member.close()
    assert caplog.text.count("Traceback") == 1
    assert "RuntimeError: a fault of the program" in caplog.text
