"""Cards are heard before they are played: by a plain form, on one's own page, and everybody sees who listens."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.access.seat_rights import HOST
from companion.devices.sensing import Appeared, Gone, Working
from companion.live.table import Live
from tests.chromium import Opened
from tests.web.table import ANAS, BOS, PEOPLE, Clock, acts, app_with, client_of, living, phones_of, post
from tests.web.test_speaking import reading, spoken


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """A real table of three with readers, in the middle of a round of STOP me GO."""
    with living(tmp_path, Clock()) as live:
        live.begin("stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
        live.tell(*(Working(f"reader seat-{seat}", "", 0.0) for seat in (1, 3)))
        lay(live, "centre", "gangster-7")
        yield live


@pytest.fixture
def app(live: Live) -> Flask:
    return app_with(live, phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS}), virtual=False)


@pytest.fixture
def ana(app: Flask) -> FlaskClient:
    return client_of(app, ANAS)


def lay(live: Live, place: str, card: str) -> None:
    uid = f"virtual:stop-me-go/{card}"
    live.tell(Appeared(place, uid, live.clock()), Gone(place, uid, live.clock()))


def text(client: FlaskClient, path: str) -> str:
    return re.sub(r"<[^>]+>|\s+", " ", client.get(path).text)


def test_a_card_is_named_and_said_what_it_does_and_is_not_played(live: Live, bo: FlaskClient) -> None:
    acts_before = acts(live)
    assert 'action="/hear"' in bo.get("/seat/3").text
    bo.post("/hear", data={"seat": 3, "page": "seat-3"})
    lay(live, "seat-3", "yellow-stop")
    assert "yellow STOP: captures the gangster, if it is the only STOP there." in text(bo, "/seat/3")
    bo.post("/hear/end", data={"seat": 3, "page": "seat-3"})
    assert "yellow STOP:" not in text(bo, "/seat/3")
    assert acts(live) == acts_before
    assert post(bo, "/hear/end", seat=3)[0] == 409


def test_nobody_else_is_told_which_card_but_that_somebody_listens(
    live: Live, bo: FlaskClient, ana: FlaskClient
) -> None:
    paths = ("/", "/big", "/seat/1", "/host", "/host/3", "/api/1/public", "/story")
    bo.post("/hear", data={"seat": 3, "page": "seat-3"})
    pages_before = [ana.get(path).data for path in paths]
    assert "Bo is hearing their cards" in text(ana, "/big")
    lay(live, "seat-3", "yellow-stop")
    assert [ana.get(path).data for path in paths] == pages_before


def test_only_ones_own_seat_hears_and_only_where_it_has_a_reader(live: Live, bo: FlaskClient, ana: FlaskClient) -> None:
    assert post(bo, "/hear", seat=1)[0] == 403
    assert post(client_of(bo.application, None), "/hear", seat=3)[0] == 403
    live.tell(Working("reader seat-3", "", 0.0))
    assert post(ana, "/hear/end", seat=3)[0] == 403
    assert 'action="/hear"' not in ana.get("/host/3").text


def test_the_host_ends_it_where_no_phone_holds_the_seat(live: Live, bo: FlaskClient, ana: FlaskClient) -> None:
    post(bo, "/hear", seat=3)
    post(bo, "/free", part=3)
    assert 'action="/hear/end"' in ana.get("/host").text
    assert post(ana, "/hear/end", seat=3)[0] == 200
    assert live.snapshot.hearing == {}


def test_at_a_simulated_table_there_is_nothing_to_lay(tmp_path: Path) -> None:
    with living(tmp_path, Clock(), simulated=True) as live:
        live.begin("kartel", PEOPLE, {})
        live.tell(Working("reader seat-3", "", 0.0))
        bo = client_of(app_with(live, phones_of(live, {3: BOS})), BOS)
        assert 'action="/hear"' not in bo.get("/seat/3").text
        assert post(bo, "/hear", seat=3)[0] == 409


def test_a_seat_that_is_read_aloud_says_the_card_in_its_language(live: Live, look: Opened) -> None:
    page = reading(look, "/seat/3", locale="fr-FR")
    sentence = "[fr] GO jaune\u00a0: laisse filer le gangster."
    page.get_by_role("button", name="Écouter mes cartes").click()
    expect(page.locator("#hearing")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("spoken", re.compile("."))  # what to do now
    page.evaluate("document.documentElement.removeAttribute('spoken')")
    lay(live, "seat-3", "yellow-go-1")
    spoken(page, sentence)
    lay(live, "seat-3", "yellow-go-2")
    spoken(page, sentence, sentence)
    expect(page.locator(".heard")).to_contain_text("2")
    page.get_by_role("button", name="C’est tout").click()
    expect(page.locator("#hearing")).to_have_count(0)
