"""Acts that come by way of a reverse proxy: real nginx and Caddy, with the lines that hardware/keeping.md prints."""

import re
import shutil
import socket
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask, request
from flask.testing import FlaskClient

from companion.live.table import Live
from companion.network.page_address import fixed
from tests.bench.rig import free_port
from tests.needs import needs
from tests.waiting import until
from tests.web.table import SCRIPT, app_of, serving

KEEPING = Path(__file__).parent.parent.parent / "hardware/keeping.md"
PROXY = "192.168.1.9"
PHONE = "192.168.1.77"
FORWARDED = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "table.lan:8443", "X-Forwarded-For": f"6.6.6.6, {PHONE}"}


def choose_language(client: FlaskClient, by: str = PROXY, **headers: str) -> int:
    """Choose a language, as anybody may, with a form; return the status."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = client.post(
        "/language",
        data={"language": "en", "page": "score"},
        headers={**SCRIPT, **headers},
        environ_overrides={"REMOTE_ADDR": by},
    )
    return answer.status_code


@pytest.fixture
def behind(live: Live) -> Flask:
    return app_of(live, proxies=(f"{PROXY}/32",))


def test_a_trusted_proxy_says_by_which_address_it_was_asked(behind: Flask) -> None:
    client = behind.test_client()
    assert choose_language(client, Host="table:8000", Origin="https://table.lan:8443", **FORWARDED) == 303
    assert choose_language(client, Host="table:8000", Origin="https://evil.example", **FORWARDED) == 403


def test_nobody_else_says_so(behind: Flask) -> None:
    client = behind.test_client()
    assert choose_language(client, PHONE, Host="table:8000", Origin="https://table.lan:8443", **FORWARDED) == 403
    assert (
        choose_language(
            client, PHONE, Host="evil.example", Origin="http://table.lan", **{"X-Forwarded-Host": "table.lan"}
        )
        == 403
    )


@pytest.mark.parametrize("host", ["evil.example", "table.lan, evil.example"])
def test_a_proxy_opens_no_other_name(behind: Flask, host: str) -> None:
    client = behind.test_client()
    assert (
        choose_language(client, Host="table:8000", Origin=f"https://{host}", **{**FORWARDED, "X-Forwarded-Host": host})
        == 403
    )
    assert choose_language(client, Host=host, Origin="https://table.lan:8443", **FORWARDED) == 403


@pytest.mark.parametrize(
    ("written", "asker"),
    [
        (f"6.6.6.6, {PHONE}", PHONE),
        (f"{PHONE}:51234", PHONE),
        ("[fd00:1::7]:443", "fd00:1::7"),
        ("fd00:1::7", "fd00:1::7"),
        ("unknown", PROXY),
        ("<script>", PROXY),
    ],
)
def test_whom_a_proxy_asks_for_is_an_address(behind: Flask, written: str, asker: str) -> None:
    with behind.test_client() as client:
        client.get("/", headers={"X-Forwarded-For": written}, environ_overrides={"REMOTE_ADDR": PROXY})
        assert request.remote_addr == asker


def test_the_setting_address_names_an_origin_whatever_the_proxy_says(live: Live) -> None:
    client = app_of(live, found_at=fixed("https://table.example.org:8443/")).test_client()
    for host in ("table.example.org:8443", "table.example.org", "127.0.0.1:8000"):
        assert choose_language(client, Host=host, Origin="https://table.example.org:8443") == 303
    assert choose_language(client, Host="table.example.org", Origin="https://table.example.org") == 403


def test_a_browser_that_says_where_its_page_is_from_is_believed(live: Live) -> None:
    """Over https browsers do, and no page can say it for them."""
    client = app_of(live).test_client()
    assert choose_language(client, Host="table", Origin="https://table.home:8443", Sec_Fetch_Site="same-origin") == 303
    assert choose_language(client, Host="table", Origin="https://evil.example", Sec_Fetch_Site="same-origin") == 403
    assert choose_language(client, Host="table", Origin="null", Sec_Fetch_Site="same-origin") == 403
    for site in ("same-site", "cross-site", "none"):
        assert choose_language(client, Host="table", Origin="https://table.home:8443", Sec_Fetch_Site=site) == 403


def test_a_refusal_names_the_setting(live: Live) -> None:
    answer = app_of(live).test_client().post("/language", headers={**SCRIPT, "Origin": "https://table.home"})
    assert "`address`" in answer.get_json()["message"]


def printed(language: str) -> str:
    """Return the lines that the guide prints in this language."""
    block = re.search(rf"```{language}\n(.*?)```", KEEPING.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    return block[1]


def printed_below() -> str:
    """Return the lines for nginx that the guide prints for a table below a path."""
    _, below = re.findall(r"```nginx\n(.*?)```", KEEPING.read_text(encoding="utf-8"), re.DOTALL)
    assert isinstance(below, str)
    return below


def certificate(folder: Path) -> None:
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=table.lan"]
    names = ["-addext", "subjectAltName=DNS:table.lan,IP:127.0.0.1"]
    subprocess.run([*words, *names, "-keyout", folder / "key", "-out", folder / "crt"], check=True, capture_output=True)


@contextmanager
def running(words: list[str], port: int) -> Iterator[None]:
    proxy = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: answers(port))
        yield
    finally:
        proxy.terminate()
        proxy.wait(10)


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


@contextmanager
def nginx(folder: Path, table: int, port: int) -> Iterator[None]:
    certificate(folder)
    lines = printed("nginx").replace("127.0.0.1:8000", f"127.0.0.1:{table}")
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"pid {folder}/pid; error_log {folder}/error; daemon off; events {{}} http {{ access_log off; {paths} "
        f"server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {folder}/crt; ssl_certificate_key {folder}/key; "
        f"location / {{ {lines} }} }} }}"
    )
    with running(["nginx", "-e", str(folder / "error"), "-c", str(file)], port):
        yield


@contextmanager
def caddy(folder: Path, table: int, port: int) -> Iterator[None]:
    certificate(folder)
    lines = printed("caddy").replace("127.0.0.1:8000", f"127.0.0.1:{table}")
    file = folder / "Caddyfile"
    file.write_text(
        f"{{\nadmin off\nauto_https off\n}}\nhttps://127.0.0.1:{port} {{\ntls {folder}/crt {folder}/key\n{lines}\n}}\n"
    )
    with running(["caddy", "run", "--config", str(file), "--adapter", "caddyfile"], port):
        yield


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_by_the_lines_of_the_guide_everything_works(live: Live, tmp_path: Path, proxy: object) -> None:
    needs("openssl, nginx or caddy", shutil.which("openssl") and shutil.which(proxy.__name__))
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    app = app_of(live, proxies=("127.0.0.1",))
    askers = []
    app.before_request(lambda: askers.append((request.scheme, request.host, request.remote_addr)))
    port = free_port()
    with serving(app) as table, proxy(tmp_path, table, port):  # type: ignore[operator]
        where = f"https://127.0.0.1:{port}"
        language_form = urllib.request.Request(
            f"{where}/language", b"language=en&page=score", {**SCRIPT, "Origin": where}
        )
        with urllib.request.urlopen(language_form, timeout=20, context=trusting) as answer:
            assert answer.status == 200
        other = urllib.request.Request(f"{where}/language", b"", {**SCRIPT, "Origin": "https://127.0.0.1"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(other, timeout=20, context=trusting)
        with urllib.request.urlopen(f"{where}/stream/score?lang=en", timeout=20, context=trusting) as stream:
            assert stream.readline().startswith(b"retry")
    assert askers[0] == ("https", f"127.0.0.1:{port}", "127.0.0.1")
