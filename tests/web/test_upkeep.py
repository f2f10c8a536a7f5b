"""The host may update the table and switch it off: where the machine can, and not while people play."""

import io
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from companion.cli.clock_setting import to_set
from companion.cli.run import virtual_table
from companion.devices.check.checkup import Checkup
from companion.devices.supply import SupplyWatch
from companion.report.messages import messages_of
from companion.report.running import RunningReport
from companion.versions import host_wishes
from companion.versions.host_wishes import Machine
from companion.versions.wear import CardYears
from companion.web.routes import upkeep
from tests.web.table import ANAS, BOS, PEOPLE, app_of, app_with, client_of, living, phones_of, post


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, tmp_path, "1.0")


def test_the_table_is_switched_off_after_it_was_asked_whether_that_is_meant(machine: Machine) -> None:
    with living(machine.root) as live:
        phone = app_of(live, machine=machine).test_client()
        assert "Switch the table off" in phone.get("/host/upkeep").text
        assert post(phone, "/host/off")[0] == 200
        assert (machine.wishes / "off").exists()


def test_the_clock_is_set_by_the_hosts_phone_only_where_no_network_tells_the_time(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_wishes, "is_synchronised", lambda: False)
    with living(machine.root) as live:
        phone = app_of(live, machine=machine).test_client()
        assert post(phone, "/host/clock", at="1970-01-01T00:00")[0] == 409
        assert post(phone, "/host/clock", at="2026-12-24T20:15")[0] == 200
        assert to_set(machine.wishes / "clock", is_known=False) == datetime(2026, 12, 24, 20, 15)
        assert not (machine.wishes / "clock").exists()
        monkeypatch.setattr(host_wishes, "is_synchronised", lambda: True)
        assert "clock" not in phone.get("/host/upkeep").text.partition("<main")[2]
        assert post(phone, "/host/clock", at="2026-12-24T20:15")[0] == 409


def test_only_an_update_that_is_newer_and_at_hand_is_offered(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with living(machine.root) as live:
        phone = app_of(live, machine=machine).test_client()
        assert post(phone, "/host/update") == (409, "No newer version is at hand.")
        monkeypatch.setattr(Machine, "offered", lambda _: "2.0")
        assert "Update to 2.0" in phone.get("/host/upkeep").text
        assert post(phone, "/host/update")[0] == 200
        assert (machine.wishes / "update").exists()


def test_where_the_machine_is_somebodys_own_there_is_no_such_page(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        phone = app_of(live).test_client()
        assert "/host/upkeep" not in phone.get("/host/table").text
        assert phone.get("/host/upkeep").status_code == 404


def test_a_report_is_for_the_host_alone_and_tells_nothing_sealed(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        table = virtual_table(live.kept_in, "127.0.0.1", 8000)
        checkup = Checkup((), (), live.clock, "", live.tell, lambda: live.snapshot.under_way)
        report = RunningReport(None, table, live, checkup, SupplyWatch(), None)
        app = app_with(live, phones_of(live, {0: ANAS, 3: BOS}), report=report)
        messages_of(live.kept_in).write_text("a fault: Bo holds what is sealed")
        assert "/host/report.zip" in client_of(app, ANAS).get("/host/upkeep").text
        assert client_of(app, BOS).get("/host/report.zip").status_code == 403
        assert "a fault: " in files_of_report(client_of(app, ANAS).get("/host/report.zip").data)["journal.txt"]
        live.begin("stop-it", PEOPLE, {})
        reported = files_of_report(client_of(app, ANAS).get("/host/report.zip").data)
        assert "a fault: " not in reported["journal.txt"]
        assert reported["check.txt"].startswith("told by the running table")


def files_of_report(report: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(report)) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


@pytest.mark.parametrize(
    ("card", "years"),
    [
        (CardYears(5, None), "It was made 5 years ago. It tells nothing of its wear"),
        (CardYears(2, 8), "It was made 2 years ago. By its own account it lasts 8 more years"),
        (CardYears(1, 0), "It was made a year ago. By its own account it lasts less than another year"),
        (None, ""),
    ],
)
def test_the_memory_card_is_told_in_years(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, card: CardYears | None, years: str
) -> None:
    monkeypatch.setattr(upkeep, "years", lambda today: card)
    with living(machine.root) as live:
        page = app_of(live, machine=machine).test_client().get("/host/upkeep").text
    assert years in page
    assert ("The memory card" in page) is (card is not None)
