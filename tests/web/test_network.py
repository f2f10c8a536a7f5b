"""The page of the table's network: for the host alone; and what phones ask to see whether there is an internet."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.access.seat_rights import HOST
from companion.live.table import Live
from companion.network.page_address import LOOK_EVERY_S, PageAddress
from companion.network.wifi import Wifi
from tests.network.test_wifi import OURS, Manager
from tests.waiting import until
from tests.web.table import ANAS, SCRIPT, Clock, app_of, app_with, client_of, living, phones_of, post


@pytest.fixture
def manager() -> Manager:
    return Manager()


@pytest.fixture
def wifi(manager: Manager) -> Wifi:
    wifi = Wifi(OURS, manager, Clock())
    wifi.open()
    return wifi


@pytest.fixture
def host(tmp_path: Path, wifi: Wifi) -> Iterator[FlaskClient]:
    with living(tmp_path) as live:
        yield client_of(app_with(live, phones_of(live, {HOST: ANAS}), virtual=False, wifi=wifi), ANAS)


def test_only_the_host_changes_the_network(host: FlaskClient) -> None:
    other = client_of(host.application, None)
    for act in ("join", "own"):
        assert other.post(f"/network/{act}", data={"ssid": "Home"}, headers=SCRIPT).status_code == 403
    assert other.get("/network").status_code == 403


def test_a_join_is_answered_first_and_then_done(host: FlaskClient, wifi: Wifi) -> None:
    assert post(host, "/network/join", ssid="Home", password="right-password")[0] == 200
    until(lambda: wifi.standing.joined == "Home")


@pytest.mark.parametrize("ssid", ["", "x" * 33, "--ask"])
def test_what_is_no_network_is_refused(host: FlaskClient, ssid: str) -> None:
    assert post(host, "/network/join", ssid=ssid)[0] == 400


def test_what_could_not_be_joined_is_told(host: FlaskClient, wifi: Wifi) -> None:
    wifi.join("Home", "wrong")
    assert "did not take the password" in host.get("/network?lang=en").text


def test_a_radio_that_is_off_is_told(host: FlaskClient, wifi: Wifi, manager: Manager) -> None:
    manager.on = ""
    manager.off = True
    wifi.look()
    assert "do_wifi_country" in host.get("/network").text


def test_the_big_screen_says_how_to_join_the_tables_own(host: FlaskClient) -> None:
    assert OURS.password in host.get("/big").text
    assert host.get("/wifi.svg").mimetype == "image/svg+xml"


@pytest.mark.parametrize(
    ("name", "path", "status"),
    [
        ("connectivitycheck.gstatic.com", "/generate_204", 204),
        ("captive.apple.com", "/hotspot-detect.html", 200),
        ("www.msftconnecttest.com", "/connecttest.txt", 200),
        ("captive.apple.com", "/", 403),
        ("other.example", "/generate_204", 403),
    ],
)
def test_a_phone_that_looks_for_the_internet_is_told_to_stay_and_nothing_else(
    host: FlaskClient, name: str, path: str, status: int
) -> None:
    assert host.get(path, base_url=f"http://{name}/").status_code == status


def test_pages_follow_the_tables_address_and_name_the_others_in_small(live: Live, clock: Clock) -> None:
    urls = ["http://192.168.1.50:8000/", "http://100.101.1.2:8000/"]
    client = app_of(live, found_at=PageAddress(lambda: tuple(urls), clock)).test_client()
    for page in ("/big", "/host/table"):
        assert "<b>192.168.1.50:8000</b>" in client.get(page).text
        assert "or 100.101.1.2:8000</small>" in client.get(page).text
    code = client.get("/qr.svg").data
    urls[:] = ["http://192.168.1.77:8000/"]
    clock.now += LOOK_EVERY_S
    text = client.get("/big").text
    assert "<b>192.168.1.77:8000</b>" in text
    assert 'src="/qr.svg?192.168.1.77:8000"' in text
    assert "192.168.1.50" not in text
    assert client.get("/qr.svg").data != code
