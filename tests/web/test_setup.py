"""Setting a table up in the browser: who may, and what each form does."""

import errno
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from gevent.event import Event
from msgspec.structs import replace
from playwright.sync_api import expect

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.live.pause import Why
from companion.network.page_address import fixed
from companion.setup.session import Setup
from companion.setup.table_plan import Stage
from companion.setup.whose_setup import AWAY_S
from companion.storage import files
from companion.web.bell import Bell
from companion.web.setup import Work, create_setup
from tests.chromium import Opened
from tests.setup.test_session import Desk, desk  # noqa: F401
from tests.waiting import until
from tests.web.setting_up import DONE, HERE, WALKING, unconfigured
from tests.web.table import ANAS, PEOPLE, SCRIPT, app_with, client_of, living, phones_of, post, serving

BEGIN = {"name": "Ours", "language": "fr"}


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    work = unconfigured(tmp_path)
    with closing(work.setup):
        yield work


@pytest.fixture
def phone(work: Work) -> FlaskClient:
    return FlaskClient(create_setup(work))


def test_every_way_leads_to_the_setup_whoever_may_begin_it(phone: FlaskClient) -> None:
    for path in ("/", "/host", "/big", "/seat/1"):
        assert phone.get(path).location == "/setup"


def test_others_stay_on_the_page_that_they_asked_for_and_are_back_on_it_afterwards(phone: FlaskClient) -> None:
    phone.post("/setup/begin", data=BEGIN)
    television = FlaskClient(phone.application)
    answer = television.get("/big")
    assert answer.status_code == 200
    assert "is setting this table up" in answer.text


def test_the_first_phone_sets_the_table_up_and_is_its_host(work: Work, phone: FlaskClient) -> None:
    assert phone.post("/setup/begin", data=BEGIN).location == "/setup"
    until(lambda: not work.setup.plan.looking)
    plan = work.setup.plan
    assert (plan.name, plan.language, plan.stage) == ("Ours", "fr", Stage.FOUND)
    assert HOST in work.phones.rights.holders
    assert phone.post("/setup/back", headers=SCRIPT).status_code == 200


@pytest.mark.parametrize("act", ["begin", "look", "walk", "skip", "back", "again", "take", "write"])
def test_everybody_else_looks_on(work: Work, phone: FlaskClient, act: str) -> None:
    phone.post("/setup/begin", data=BEGIN)
    other = FlaskClient(phone.application)
    assert other.post(f"/setup/{act}", data=BEGIN, headers=SCRIPT).status_code == 403
    assert "/setup/back" not in other.get("/setup").text


def test_the_hosts_code_opens_the_setup_on_another_phone(work: Work, phone: FlaskClient) -> None:
    phone.post("/setup/begin", data=BEGIN)
    other = FlaskClient(phone.application)
    assert other.post("/setup/claim", data={"code": "AAAAAAAAAA"}, headers=SCRIPT).status_code == 403
    other.post("/setup/claim", data={"code": work.phones.rights.codes[HOST]})
    assert other.post("/setup/walk", data={"seats": "3"}, headers=SCRIPT).status_code == 200
    assert work.setup.plan.seats == 3


@pytest.mark.parametrize(("act", "wrong"), [("walk", {"seats": "7"}), ("walk", {}), ("begin", {"language": "tlh"})])
def test_what_no_form_offers_is_refused(phone: FlaskClient, act: str, wrong: dict[str, str]) -> None:
    phone.post("/setup/begin", data=BEGIN)
    assert phone.post(f"/setup/{act}", data=wrong, headers=SCRIPT).status_code == 400


def test_a_table_without_a_name_gets_one_in_its_language(work: Work, phone: FlaskClient) -> None:
    phone.post("/setup/begin", data=BEGIN | {"name": " "})
    assert work.setup.plan.name == "Notre table"
    assert "« Notre table »" in phone.get("/setup").text.replace("\u00a0", " ")


def test_another_phone_goes_on_with_a_new_table_once_the_first_has_gone(work: Work) -> None:
    seconds = [0.0]
    phones = Phones(work.setup.path.with_name("phones"), lambda: seconds[0])
    first = FlaskClient(create_setup(replace(work, phones=phones)))
    first.post("/setup/begin", data=BEGIN)
    other = FlaskClient(first.application)
    assert other.post("/setup/take-over", headers=SCRIPT).status_code == 409
    seconds[0] = AWAY_S + 1
    assert other.post("/setup/take-over", headers=SCRIPT).status_code == 200
    assert first.post("/setup/back", headers=SCRIPT).status_code == 403
    work.setup.table = replace(work.setup.table, readers=(DONE.devices[0].settings,))
    seconds[0] *= 3
    assert first.post("/setup/take-over", headers=SCRIPT).status_code == 409  # it is somebody's table


def test_a_port_that_was_typed_is_looked_at_too(desk: Desk, phone: FlaskClient, work: Work) -> None:  # noqa: F811
    phone.post("/setup/begin", data=BEGIN)
    until(lambda: not work.setup.plan.looking)
    assert phone.post("/setup/look", data={"port": "COM1"}, headers=SCRIPT).status_code == 400
    phone.post("/setup/look", data={"port": desk.readers[0].path})
    until(lambda: work.setup.plan.devices)
    assert "ttyPN532" in phone.get("/setup").text


def test_a_port_that_was_typed_and_is_not_there_is_said_not_to_be(phone: FlaskClient) -> None:
    phone.post("/setup/begin", data=BEGIN)
    answer = phone.post("/setup/look", data={"port": "/dev/nothing-here"}, headers=SCRIPT)
    assert answer.status_code == 400
    assert answer.json
    assert "Ce port n’existe pas." in answer.json["message"]


def test_the_pages_have_their_style_wherever_the_program_was_started(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if not Path(folder, "web").exists()])
    with create_setup(work).test_client().get("/static/companion.css") as answer:
        assert answer.mimetype == "text/css"


def test_steps_are_skipped_once_and_taken_back(work: Work, phone: FlaskClient) -> None:
    phone.post("/setup/begin", data=BEGIN)
    until(lambda: not work.setup.plan.looking)
    work.setup.plan = WALKING
    for _ in range(2):
        phone.post("/setup/skip", data={"step": "lay seat-1"})
    assert work.setup.plan.done == (*WALKING.done, WALKING.next_step)
    phone.post("/setup/back")
    assert work.setup.plan.done == WALKING.done
    phone.post("/setup/skip", data={"step": "all"})
    assert work.setup.plan.next_step is None


def test_what_can_not_be_written_is_told_on_the_page(work: Work, phone: FlaskClient) -> None:
    phone.post("/setup/begin", data=BEGIN)
    until(lambda: not work.setup.plan.looking)
    work.setup.plan = HERE
    answer = phone.post("/setup/write")
    assert (answer.status_code, 'role="alert"' in answer.text) == (409, True)
    work.setup.plan = DONE
    assert phone.post("/setup/write", headers=SCRIPT).status_code == 200
    assert work.done.is_set()
    assert work.setup.path.exists()


def test_a_full_disk_is_told_and_the_setup_waits(
    work: Work, phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(files, "replace_private", full)
        assert "Make room on it" in phone.post("/setup/begin?lang=en", data=BEGIN).text
    phone.post("/setup/begin", data=BEGIN)
    until(lambda: not work.setup.plan.looking)
    work.setup.plan = DONE
    with monkeypatch.context() as patched:
        patched.setattr(files, "write_private", full)
        assert phone.post("/setup/write", headers=SCRIPT).status_code == 503
    assert phone.post("/setup/write", headers=SCRIPT).status_code == 200


def test_the_host_opens_the_setup_again_but_not_in_a_match(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        anew = Event()
        app = app_with(live, phones_of(live, {HOST: ANAS}), virtual=False, set_up=anew)
        host = client_of(app, ANAS)
        assert "/setup" in host.get("/host/table").text
        other = client_of(app, None)
        assert other.post("/setup/anew", headers=SCRIPT).status_code == 403
        assert other.get("/setup").location == "/"  # whoever looked on meanwhile sits down
        live.begin("stop-it", PEOPLE, {})
        assert post(host, "/setup/anew")[0] == 409
        live.pause(Why.ENDED)
        assert post(host, "/setup/anew")[0] == 200
        assert anew.is_set()


def test_what_comes_after_the_setup_are_stickers_and_act_cards(tmp_path: Path) -> None:
    """Nobody who plays without phones would know of these otherwise."""
    with living(tmp_path, tags=tmp_path / "tags.toml") as live:
        app = app_with(live, phones_of(live, {HOST: ANAS}), virtual=False, set_up=Event())
        page = client_of(app, ANAS).get("/setup").text
        assert 'href="/tags"' in page
        assert 'href="/act-cards"' in page


def test_a_table_is_set_up_by_tapping_it(desk: Desk, opened: Opened, tmp_path: Path) -> None:  # noqa: F811
    """From a blank table to the first match, on one phone, without a keyboard's help but for a name."""
    work = Work(desk.setup, Phones(tmp_path / "phones"), fixed("http://127.0.0.1/"), Bell(), Event())
    with serving(create_setup(work)) as port:
        page = opened(f"http://127.0.0.1:{port}/", None)
        page.fill("[name=name]", "Ours")
        page.click("[action='/setup/begin'] button")
        page.locator(".numbers label").first.click()
        page.click("[action='/setup/walk'] button")
        for place in ("centre", "seat-1"):
            expect(page.locator(f"#now-lay-{place}")).to_be_visible()
            desk.tap(0 if place == "centre" else 1)
        for seat in (1, 2):
            expect(page.locator(f"#now-press-seat-{seat}")).to_be_visible()
            mark = desk.box.now()
            until(lambda mark=mark: desk.box.now() - mark > 200_000)  # type: ignore[misc] # two at once are nobody's
            desk.box.press(3 - seat)
        page.click("[action='/setup/write'] button")
        until(work.done.is_set)
    assert [sensor.place for sensor in Setup(desk.file, lambda: 0.0).table.sensors[:2]] == ["centre", "seat-1"]
