"""A page a player, which they or the host can hide; and seasons with a name."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.access.people import People, Person
from companion.access.seat_rights import HOST, phone_of
from companion.events import Player
from companion.history.profile import mark
from tests.web.table import ANAS, BOS, CLEOS, app_with, client_of, living, phones_of

BO = f"/people/{mark('Bo')}"
HIDDEN = "This page is hidden."


@pytest.fixture
def app(played: Path, tmp_path: Path) -> Iterator[Flask]:
    """A table with a past, at which Bo plays, with the phone he has always had; the host is Ana."""
    with living(Path(copytree(played, tmp_path, dirs_exist_ok=True)), simulated=True) as live:
        live.begin("kartel", (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo")), {})
        phones = phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS, 5: CLEOS})
        everybody = People(known=(Person("Bo", phone=phone_of(BOS)), Person("Cléo")))
        phones.change(lambda rights: replace(rights, people=everybody))
        yield app_with(live, phones)


def test_the_standings_lead_to_a_players_page(app: Flask) -> None:
    phone = client_of(app, None)
    assert f'href="{BO}"' in phone.get("/season").text
    page = phone.get(BO).text
    assert "Achievements:" in page
    assert "Hide this page" not in page


@pytest.mark.parametrize("name", ["nobody", "0" * 12, mark("Bot Kim")])
def test_who_has_not_played_has_no_page(app: Flask, name: str) -> None:
    assert client_of(app, None).get(f"/people/{name}").status_code == 404


@pytest.mark.parametrize("token", [ANAS, BOS])
def test_a_player_and_the_host_hide_a_page_and_show_it_again(app: Flask, token: str) -> None:
    client = client_of(app, token)
    other = client_of(app, None)
    assert client.post(BO, data={"hidden": "yes", "page": BO[1:].replace("/", "-")}).location == BO
    assert HIDDEN in other.get(BO).text
    assert "Achievements" not in other.get(BO).text
    assert BO not in other.get("/season").text + other.get(f"/people/{mark('Ana')}").text
    assert "Show this page again" in client.get(BO).text
    client.post(BO, data={"hidden": "no"})
    assert HIDDEN not in other.get(BO).text


def test_nobody_else_hides_it(app: Flask) -> None:
    assert client_of(app, CLEOS).post(BO, data={"hidden": "yes"}).status_code == 403
    assert client_of(app, None).post(BO, data={"hidden": "yes"}).status_code == 403


def test_who_only_bears_the_same_name_hides_it_as_little(app: Flask) -> None:
    cleos = f"/people/{mark('Cléo')}"
    assert client_of(app, CLEOS).post(cleos, data={"hidden": "yes"}).status_code == 403
    assert "Hide this page" not in client_of(app, CLEOS).get(cleos).text


def set_season(phone: FlaskClient, name: str, begins: str, ends: str = "") -> int:
    return phone.post("/season/set", data={"name": name, "begins": begins, "ends": ends}).status_code


def test_a_season_counts_its_own_evenings(app: Flask) -> None:
    host = client_of(app, ANAS)
    other = client_of(app, None)
    assert set_season(host, "Autumn", "2026-11-10", "2026-11-15") == 303
    page = other.get("/season").text
    assert "Autumn" in page
    assert "Matches that count: 1." in page
    assert "Matches that count: 5." in other.get("/season/0").text
    assert other.get("/season/2").status_code == 404


def test_a_season_is_changed_by_its_name_and_forgotten(app: Flask) -> None:
    host = client_of(app, ANAS)
    set_season(host, "Autumn", "2026-11-10", "2026-11-15")
    set_season(host, "autumn", "2026-11-10")
    assert "Matches that count: 5." in host.get("/season/1").text
    assert host.post("/season/drop", data={"name": "Autumn"}).status_code == 303
    assert host.get("/season/1").status_code == 404


def test_a_season_has_another_name_and_its_own_table(app: Flask) -> None:
    host = client_of(app, ANAS)
    set_season(host, "Autumn", "2026-11-10")
    host.post("/season/set", data={"before": "autumn", "name": "Fall", "begins": "2026-11-10"})
    page = host.get("/season").text
    assert "Fall" in page
    assert 'href="/season/1.csv?lang=en"' in page
    assert host.get("/season/1.csv").mimetype == "text/csv"
    assert host.get("/season/2.csv").status_code == 404


@pytest.mark.parametrize(
    ("name", "begins", "ends"),
    [("", "2026-11-10", ""), ("A", "", ""), ("A", "x", ""), ("A", "2026-11-10", "2026-11-09")],
)
def test_a_season_needs_a_name_and_its_days_in_order(app: Flask, name: str, begins: str, ends: str) -> None:
    assert set_season(client_of(app, ANAS), name, begins, ends) == 400


def test_only_the_host_sets_a_season(app: Flask) -> None:
    assert set_season(client_of(app, BOS), "Autumn", "2026-11-10") == 403
    assert "Name a season" not in client_of(app, BOS).get("/season").text
