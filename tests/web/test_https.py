"""A page for which its owner brings a certificate."""

import shutil
import socket
import ssl
import subprocess
from http.client import HTTPSConnection
from pathlib import Path
from threading import Event, Thread

import gevent
import pytest

from companion.config import PageSettings, load
from companion.machine.watchdog import answers, line_to
from companion.network.page_address import fixed
from companion.settings import ConfigFault
from companion.web.http.security import FOR_A_MONTH
from companion.web.server import server
from tests.needs import needs
from tests.test_config import GOOD
from tests.waiting import PATIENCE
from tests.web.table import app_of, app_with, client_of, living, phones_of


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    needs("openssl", shutil.which("openssl"))
    folder = tmp_path_factory.mktemp("certificate")
    certificate = str(folder / "table.crt")
    key = str(folder / "table.key")
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    subprocess.run(
        [*words, "-subj", "/CN=localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True
    )
    return certificate, key


@pytest.mark.parametrize(
    ("address", "typed"),
    [("https://table.lan/", "https://table.lan"), ("http://192.168.4.1:8000/", "192.168.4.1:8000")],
)
def test_the_big_screen_shows_the_address_as_it_is_typed(tmp_path: Path, address: str, typed: str) -> None:
    with living(tmp_path) as live:
        assert f"<b>{typed}</b>" in app_of(live, found_at=fixed(address)).test_client().get("/big").text


def test_the_page_and_its_stream_are_encrypted(tmp_path: Path, certified: tuple[str, str]) -> None:
    ready = Event()
    over = Event()
    port = list[int]()

    def serve() -> None:
        started = server(app_of(live), door, certified)
        started.start()
        port.append(started.server_port)
        ready.set()
        while not over.is_set():
            gevent.sleep(0.01)
        started.stop()
        gevent.get_hub().destroy(destroy_loop=True)

    with living(tmp_path) as live, socket.create_server(("127.0.0.1", 0)) as door:
        thread = Thread(target=serve)
        thread.start()
        assert ready.wait(PATIENCE)
        trusted = ssl.create_default_context(cafile=certified[0])
        line = HTTPSConnection("localhost", port[0], timeout=PATIENCE, context=trusted)
        for path, content in (("/", b"<!doctype html>"), ("/stream/score", b"retry: 1000")):
            line.request("GET", path)
            answer = line.getresponse()
            assert content in answer.read()
            assert answer.headers["Strict-Transport-Security"] == FOR_A_MONTH
        line.request("POST", "/language", "language=fr", {"Content-Type": "application/x-www-form-urlencoded"})
        answer = line.getresponse()
        answer.read()
        assert "Secure" in answer.headers["Set-Cookie"]
        line.close()
        asking = line_to(PageSettings("127.0.0.1", port[0], certificate=certified[0], key=certified[1]))
        assert answers(live, asking)
        asking.close()
        over.set()
        thread.join(PATIENCE)


def test_what_a_phone_keeps_is_sent_over_encrypted_connections_alone_once_it_came_over_one(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        app = app_with(live, phones_of(live, {}), virtual=False)
        for scheme, name, animal, seat in (("https", "Bo", "owl", 2), ("http", "Zoé", "fox", 3)):
            form = {"name": name, "animal": animal, "colour": "pink" if seat == 2 else "red", "seat": seat}
            answer = client_of(app, None).post("/sit", data=form, base_url=f"{scheme}://localhost/")
            cookies = answer.headers.getlist("Set-Cookie")
            assert {cookie.partition("=")[0] for cookie in cookies} == {"phone", "session"}
            assert all(("Secure" in cookie) == (scheme == "https") for cookie in cookies)
            assert ("Strict-Transport-Security" in answer.headers) == (scheme == "https")


def test_a_certificate_without_its_key_is_told(tmp_path: Path, certified: tuple[str, str]) -> None:
    table = tmp_path / "table.toml"
    for wrong, why in (
        (f'certificate = "{certified[0]}"', "go together"),
        ('certificate = "a"\nkey = "b"', "no such file"),
    ):
        table.write_text(GOOD.replace("port = 8080", f"port = 8080\n{wrong}"))
        with pytest.raises(ConfigFault, match=why):
            load(table)
