"""The example configuration, with Debian's own Mosquitto: who may say what, and TLS by the recipe as it is written."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.club import in_flight
from companion.club.membership import Hindrance
from companion.club.outbox import table_id
from companion.storage.files import club_of
from tests.club.broker import MOSQUITTO, Broker, Follower, running
from tests.club.member import CLUB, Member
from tests.needs import needs
from tests.waiting import until

FOLDER = Path(__file__).parents[2] / "companion/club/mosquitto"
OTHER = "b" * 16


def example(folder: Path, *, tls: bool = False) -> tuple[str, ...]:
    """The lines of the example but for the listener, with its files in this folder."""
    text = (FOLDER / "mosquitto.conf").read_text(encoding="utf-8")
    text = re.sub(r"^# ((?:cert|key)file )", r"\1", text, flags=re.MULTILINE) if tls else text
    text = text.replace("/etc/mosquitto/certs", str(folder)).replace("/etc/mosquitto", str(folder))
    return tuple(line for line in text.splitlines() if line and not line.startswith(("#", "listener")))


def register(folder: Path, *users: str) -> None:
    needs("mosquitto", MOSQUITTO)
    (folder / "club.acl").write_text((FOLDER / "club.acl").read_text())
    (folder / "club.passwords").write_text("".join(f"{user}:of-{user}\n" for user in users))
    subprocess.run(["mosquitto_passwd", "-U", folder / "club.passwords"], check=True)


def with_password(folder: Path, port: int, **more: str) -> Member:
    """A table that is a user by the name of its id."""
    table = table_id(club_of(folder / "log.sqlite"))
    (folder / "password").write_text(f"of-{table}\n")
    (folder / "password").chmod(0o600)
    broker = more.pop("broker", f"mqtt://127.0.0.1:{port}")
    return Member(folder, broker, user=table, password_file=str(folder / "password"), **more)


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Broker]:
    table = table_id(club_of(tmp_path / "log.sqlite"))
    register(tmp_path, table, OTHER, "hub")
    with running(tmp_path, *example(tmp_path)) as broker:
        yield broker


def test_a_table_writes_below_its_own_id_alone_and_the_hub_only_asks(strict: Broker, tmp_path: Path) -> None:
    member = with_password(tmp_path, strict.port)
    member.join()
    table = member.joined()
    hub = Follower(strict.port, f"table-companion/1/{CLUB}/#", name="hub", user=("hub", "of-hub"))
    other = Follower(strict.port, "#", name="other", user=(OTHER, f"of-{OTHER}"))
    until(lambda: hub.of("public"))
    for forger in (hub, other):
        forger.say(f"table-companion/1/{CLUB}/{table}/about", '{"forged": 1}')
    other.say(f"table-companion/1/{CLUB}/{table}/ask", '{"since": 0}')
    other.say(f"table-companion/1/{CLUB}/{OTHER}/about", '{"own": 1}')
    until(lambda: hub.of("about")[-1] == {"own": 1})
    assert {"forged": 1} not in hub.of("about")
    assert other.said == []  # it may not even listen
    member.begin()
    member.begin()
    until(lambda: hub.of("result"))
    member.settled()
    hub.say(f"table-companion/1/{CLUB}/{table}/ask", '{"since": 0}')
    until(lambda: len(hub.of("result")) == 2)
    for client in (hub, other):
        client.leave()
    member.close()


def test_a_broker_that_is_told_its_clubs_name_lets_tables_write_in_no_other(tmp_path: Path) -> None:
    register(tmp_path, OTHER, "hub")
    recipe = (FOLDER / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^sudo (sed .*/club\.acl)", recipe, re.MULTILINE)
    subprocess.run(shlex.split(command.replace("/etc/mosquitto/", f"{tmp_path}/")), check=True)
    with running(tmp_path, *example(tmp_path)) as broker:
        hub = Follower(broker.port, "table-companion/1/#", name="hub", user=("hub", "of-hub"))
        table = Follower(broker.port, "none", name=OTHER, user=(OTHER, f"of-{OTHER}"))
        for club in ("another", CLUB):
            table.say(f"table-companion/1/{club}/{OTHER}/about", b"{}", retain=True)
        until(lambda: hub.said)
        assert [message.topic for message in hub.said] == [f"table-companion/1/{CLUB}/{OTHER}/about"]
        for follower in (hub, table):
            follower.leave()


def test_a_broker_that_lets_a_table_say_nothing_is_told(
    strict: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_flight, "DENIED_S", 0.02)
    (tmp_path / "club.acl").write_text("user hub\ntopic read #\n")
    strict.kill()
    strict.start()
    member = with_password(tmp_path, strict.port)
    member.join()
    member.begin()
    member.begin()
    until(lambda: member.membership.hindrance is Hindrance.DENIED)
    until(lambda: member.membership.waiting == 1)
    member.close()


def test_tls_by_the_recipe(tmp_path: Path) -> None:
    needs("openssl", shutil.which("openssl"))
    recipe = (FOLDER / "README.md").read_text(encoding="utf-8").partition("## TLS")[2]
    commands = re.findall(r"```sh\n(.*?)```", recipe, re.DOTALL)[0].replace("hub.local", "localhost")
    subprocess.run(["sh", "-euc", commands], cwd=tmp_path, check=True, capture_output=True)
    strictly = ["openssl", "verify", "-x509_strict", "-CAfile", "club-ca.crt", "broker.crt"]  # as from Python 3.13 on
    subprocess.run(strictly, cwd=tmp_path, check=True, capture_output=True)
    register(tmp_path, table_id(club_of(tmp_path / "log.sqlite")))
    with running(tmp_path, *example(tmp_path, tls=True)) as broker:
        member = with_password(tmp_path, 0, broker=f"mqtts://localhost:{broker.port}", ca=str(tmp_path / "club-ca.crt"))
        member.join()
        member.joined()
        member.close()
        member = Member(tmp_path, f"mqtts://localhost:{broker.port}")  # whom this machine trusts, and not the club
        member.join()
        until(lambda: "certificate verify failed" in member.membership.why)
        member.close()
