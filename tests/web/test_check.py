"""The page /check: whether every device works, and the walk around the table on a phone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion import threads
from companion.devices.check.checkup import LEFT_S, Checkup
from companion.devices.check.walk import around
from companion.devices.drivers.pico import Buzzers
from companion.devices.drivers.pn532_uart import Reader
from companion.devices.listening import Listening
from companion.devices.monotonic_clock import TableClock
from companion.live.pause import Why
from companion.live.table import Live
from companion.threads import start_errand
from tests.chromium import Opened
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532_pty import UartPN532
from tests.waiting import until
from tests.web.table import PEOPLE, Clock, acts, app_of, living

CARD = "04A1B2C3D4E5F6"


class Table:
    """A real table on emulated devices."""

    def __init__(self, live: Live, reader: UartPN532, box: EmulatedBox):
        self.live = live
        self.reader = reader
        self.box = box
        self._sources = [
            Reader("centre", reader.path).open(live.clock),
            Buzzers(port=box.path, seats=(1, 3)).open(live.clock),
        ]
        steps = around((1, 3), ("centre",))
        self.checkup = Checkup(self._sources, steps, live.clock, "2.0", live.tell, lambda: live.snapshot.under_way)
        live.withhold_while(lambda: self.checkup.walking)
        self.app = app_of(live, virtual=False, checkup=self.checkup)

    @contextmanager
    def listening(self) -> Iterator[None]:
        listening = Listening(self._sources, self.checkup.tell)
        try:
            until(lambda: all(device.works for device in self.checkup.devices()))
            yield
        finally:
            listening.stop()

    def look(self, language: str = "en") -> str:
        answer = self.app.test_client().get("/check", query_string={"lang": language})
        assert answer.status_code == 200
        return answer.text


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with UartPN532() as reader, EmulatedBox() as box, living(tmp_path, TableClock(), tmp_path / "tags.toml") as live:
        table = Table(live, reader, box)
        with table.listening():
            yield table


@pytest.fixture
def look(served: Callable[[Flask], Opened], table: Table) -> Opened:
    return served(table.app)


def test_the_figures_are_live(table: Table, look: Opened) -> None:
    table.reader.put(CARD)
    page = look("/check")
    devices = page.locator(".doing")
    expect(devices).to_contain_text("reader centre PN532 firmware 1.6")
    expect(devices).to_contain_text("polls a second")
    expect(devices).to_contain_text("of 100 polls saw the card that lay there")
    expect(devices).to_contain_text("The box runs firmware 1.4-emulated, this companion brings 2.0.")
    table.reader.unplug()
    expect(devices).to_contain_text("has just gone")
    table.reader.replug()
    expect(devices).to_contain_text("Stopped working and began again (times so far: ")
    assert CARD not in page.content()


def test_a_walk_leads_a_phone_around_the_table(table: Table, look: Opened) -> None:
    table.box.contacts = {1: "closed 6 1480"}
    phone = look("/check", locale="fr-FR", viewport={"width": 360, "height": 740}, color_scheme="dark")
    phone.get_by_role("button", name="Commencer le tour").click()
    expect(phone.locator(".now")).to_contain_text("Appuyez sur le buzzer : place 1")
    until(lambda: table.box.recording == 1)
    table.box.press(1)
    expect(phone.locator(".now")).to_contain_text("place 3")
    expect(phone.locator(".doing")).to_contain_text("6, en 1,48 ms")
    table.box.press(1)  # right before: said to nobody's harm
    phone.get_by_role("button", name="Passer").click()
    expect(phone.locator(".now")).to_contain_text("Posez une carte ici : centre")
    table.reader.put(CARD)
    expect(phone.locator(".now")).to_contain_text("2 sur 3 sont bons. Pas prouvé : Buzzer place 3.")
    expect(phone.locator(".walk .skipped")).to_contain_text("Aucun appui entendu")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_walk_in_a_match_keeps_its_presses_from_it(table: Table, look: Opened) -> None:
    table.live.begin("stop-it", PEOPLE, {})
    page = look("/check")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Begin the walk").click()
    expect(page.locator(".now")).to_contain_text("seat 1")
    table.box.press(1)
    expect(page.locator(".now")).to_contain_text("seat 3")
    assert acts(table.live) == 1
    page.get_by_role("button", name="End the walk").click()
    expect(page.get_by_role("button", name="Begin the walk")).to_be_visible()
    table.box.press(1)
    until(lambda: acts(table.live) == 2)


def test_every_page_says_that_presses_do_not_count_while_somebody_walks(table: Table) -> None:
    table.live.begin("stop-it", PEOPLE, {})
    client = table.app.test_client()
    client.post("/check/walk")
    walking = client.get("/stream/seat-3").text.partition('id="walking"')[2]
    assert "no press and no card counts" in walking
    client.post("/check/end")
    assert 'id="walking"' not in client.get("/stream/seat-3").text


def test_a_card_that_lay_there_before_the_walk_must_be_laid_again(table: Table) -> None:
    table.reader.put(CARD)
    until(lambda: table.live.snapshot.read)
    table.reader.wait_polls(2)  # by then the checkup, too, has been told
    table.checkup.begin()
    assert 'id="lies"' not in table.look()
    table.checkup.pass_over(0)
    table.checkup.pass_over(1)
    until(lambda: "lift it and lay it again" in table.look())
    table.reader.clear()
    until(lambda: 'id="lies"' not in table.look())
    table.reader.put(CARD)
    until(lambda: (walk := table.checkup.look()) and walk.next_step is None)


def test_while_people_play_no_card_changes_a_byte(table: Table) -> None:
    table.live.begin("stop-it", PEOPLE, {})
    until(lambda: "polls a second" not in table.look())
    without = table.look()
    table.reader.put(CARD)
    until(lambda: table.live.snapshot.read)
    table.reader.wait_polls(30)
    until(lambda: table.look() == without)  # a box that a busy machine let fall silent is told, for a while
    assert "how each reader reads is not shown" in without


def test_forms_work_without_a_script(table: Table) -> None:
    client = table.app.test_client()
    assert client.post("/check/walk", data={"page": "check"}).location == "/check"
    assert client.post("/check/next", data={"page": "check", "step": "0"}).location == "/check"
    walk = table.checkup.look()
    assert walk is not None
    assert len(walk.found) == 1
    for nonsense in ("nonsense", 9999 * "9"):
        assert client.post("/check/next", data={"page": "check", "step": nonsense}).status_code == 303
    client.post("/check/end", data={"page": "check"})
    assert table.checkup.look() is None


@pytest.mark.parametrize(("first", "second"), [("/tags/begin", "/check/walk"), ("/check/walk", "/tags/begin")])
def test_a_walk_and_stickers_take_no_cards_from_each_other(table: Table, first: str, second: str) -> None:
    client = table.app.test_client()
    assert client.post(first, data={"game": "kartel"}).status_code == 303
    assert client.post(second, data={"game": "kartel"}).status_code == 409
    client.post("/tags/end")
    client.post("/check/end")
    assert client.post(second, data={"game": "kartel"}).status_code == 303


def test_stickers_wait_for_no_walk_that_everybody_has_left(tmp_path: Path, clock: Clock) -> None:
    with living(tmp_path, clock, tmp_path / "tags.toml") as live:
        checkup = Checkup([], around((1, 3), ("centre",)), clock, "2.0", live.tell, lambda: None)
        client = app_of(live, virtual=False, checkup=checkup).test_client()
        checkup.begin()
        for seconds, status in ((LEFT_S, 409), (1.0, 303)):
            clock.now += seconds
            assert client.post("/tags/begin", data={"game": "kartel"}).status_code == status


def test_the_host_page_leads_there(table: Table) -> None:
    assert 'href="/check"' in table.app.test_client().get("/host/table").text


def test_a_page_without_a_checkup_has_none(client: FlaskClient) -> None:
    assert client.get("/check").status_code == 404
    assert client.get("/stream/check").status_code == 404
    assert client.post("/check/walk").status_code == 404
    assert 'href="/check"' not in client.get("/host/table").text


def test_the_hosts_page_lists_only_what_does_not_work(table: Table) -> None:
    page = table.app.test_client().get("/host/table").text
    assert ("One reader and the buzzers answer." in page, '<ul class="devices"' in page) == (True, False)
    table.reader.unplug()
    until(lambda: "Not working: reader " in table.app.test_client().get("/host/table").text)
    page = table.app.test_client().get("/host/table").text
    assert ("The buzzers answer." in page, page.count('<li class="fails">')) == (True, 1)
    assert 'class="broken"' not in page  # as every other page says it


@pytest.mark.parametrize("simulated", [True, False])
def test_a_walk_is_offered_only_where_there_is_something_to_walk_around(tmp_path: Path, simulated: bool) -> None:
    with living(tmp_path, simulated=simulated) as live:
        checkup = Checkup([], around((1,), ()), live.clock, "2.0", live.tell, lambda: live.snapshot.under_way)
        page = app_of(live, checkup=checkup).test_client().get("/check").text
    assert ("/check/walk" in page) is not simulated


def test_of_a_match_that_was_ended_early_what_is_hidden_stays_so_and_no_act_is_lost(table: Table) -> None:
    table.live.begin("stop-it", PEOPLE, {})
    sealed = "As long as the match can go on"
    sure = "A match is under way."
    assert [sentence in table.look() for sentence in (sealed, sure)] == [True, True]
    table.live.pause(Why.ENDED)
    assert [sentence in table.look() for sentence in (sealed, sure)] == [True, False]


def test_what_a_thread_raised_is_told_without_its_words(table: Table) -> None:
    try:
        start_errand("errand", lambda: {}["red-5"])
        until(threads.faults)
        page = table.look()
    finally:
        threads.forget_faults()
    assert "KeyError (test_check.py:" in page
    assert "A fault of the program (times so far: 1)" in page
    assert "red-5" not in page
