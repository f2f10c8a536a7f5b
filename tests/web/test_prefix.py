"""A site below a path of a proxy: nothing that its pages lead to leaves that path."""

import re
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest
from flask.testing import FlaskClient

from companion.live.table import Live
from companion.web.http.prefix import is_prefix
from tests.bench.rig import free_port
from tests.needs import needs
from tests.web.evenings import evenings
from tests.web.table import PEOPLE, SCRIPT, TABLET, app_of, living, serving
from tests.web.test_proxies import printed_below, running

BELOW = "/table"
PROXY = {"REMOTE_ADDR": "127.0.0.1"}
LED_TO = re.compile(r"""\s(?:href|src|action|formaction|poster|data-(?:stream|afresh|signs))=["']([^"'#][^"']*)["']""")
IN_SHEETS = re.compile(r"""url\(["']?([^"')]+)["']?\)""")
ELSEWHERE = ("http://", "https://", "data:")


class Walk:
    """Follows whatever pages lead to, as a browser would, through a proxy."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.left: set[tuple[str, str]] = set()
        """The page, and what leads out of the path there."""
        self.failed: dict[str, int] = {}
        self._seen: set[str] = set()

    def of(self, *first: str) -> set[str]:
        waiting = [urljoin(self.site, path) for path in first]
        while waiting:
            address = waiting.pop()
            if address in self._seen:
                continue
            self._seen.add(address)
            waiting += self._from(address)
        return self._seen

    def _from(self, address: str) -> Iterator[str]:
        request = urllib.request.Request(address, headers={"Cookie": f"phone={TABLET}"})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                kind = answer.headers.get_content_type()
                text = "" if kind == "text/event-stream" else answer.read().decode(errors="replace")
                address = answer.geturl()
        except urllib.error.HTTPError as wrong:
            self.failed[address] = wrong.code
            return
        addresses = (
            IN_SHEETS.findall(text) if kind == "text/css" else LED_TO.findall(text) if kind == "text/html" else []
        )
        for written in map(unescape, addresses):
            if written.startswith(ELSEWHERE):
                continue
            to = urldefrag(urljoin(address, written))[0]
            if not to.startswith(f"{self.site}/"):
                self.left.add((address, written))
            elif "/play/" not in to and not re.search("/(?:start|end|again)$", to):
                yield to


@contextmanager
def nginx(folder: Path, table: int, port: int) -> Iterator[str]:
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    lines = printed_below().replace("127.0.0.1:8000", f"127.0.0.1:{table}")
    file = folder / "nginx.conf"
    file.write_text(
        f"pid {folder}/pid; error_log {folder}/error; daemon off; events {{}} http {{ access_log off; {paths} "
        f"server {{ listen 127.0.0.1:{port}; {lines} }} }}"
    )
    with running(["nginx", "-e", str(folder / "error"), "-c", str(file)], port):
        yield f"http://127.0.0.1:{port}{BELOW}"


def test_nothing_leaves_the_path_of_a_real_proxy(tmp_path: Path) -> None:
    needs("nginx", shutil.which("nginx"))
    evenings(tmp_path)
    with living(tmp_path) as live:
        live.begin("stop-it", PEOPLE, {})
        app = app_of(live, proxies=("127.0.0.1",))
        port = free_port()
        with serving(app) as table, nginx(tmp_path, table, port) as site:
            walk = Walk(site)
            visited = walk.of(f"{site}/", f"{site}/big", f"{site}/join", f"{site}/overlay", f"{site}/not-there")
            assert walk.left == set()
            assert set(walk.failed.values()) <= {403, 404, 405, 409}, "409: of another match, which the query names"
            assert len(visited) > 100
            assert not {to for to, code in walk.failed.items() if code == 404} - {f"{site}/not-there"}


@pytest.fixture
def client(live: Live) -> FlaskClient:
    live.begin("stop-it", PEOPLE, {})
    return app_of(live, proxies=("127.0.0.1",)).test_client()


def below(prefix: str = BELOW, header: str = "X-Forwarded-Prefix") -> dict[str, str]:
    return {header: prefix}


@pytest.mark.parametrize("header", ["X-Forwarded-Prefix", "X-Ingress-Path"])
def test_a_trusted_proxy_says_below_which_path(client: FlaskClient, header: str) -> None:
    page = client.get("/", headers=below("/api/hassio_ingress/a1_B-2", header)).text
    assert 'href="/api/hassio_ingress/a1_B-2/static/' in page
    assert 'href="/static/' not in page


def test_nobody_else_does(client: FlaskClient) -> None:
    page = client.get("/", headers=below(), environ_overrides={"REMOTE_ADDR": "192.168.1.7"}).text
    assert f'="{BELOW}/' not in page


@pytest.mark.parametrize("prefix", ['/"><script>', "/a b", "table", "//evil.example", "/é", "/a\\1", "/"])
def test_what_is_no_path_is_none(client: FlaskClient, prefix: str) -> None:
    assert not is_prefix(prefix)
    assert client.get("/", headers=below(prefix)).text == client.get("/").text


def test_a_page_knows_nothing_of_the_path_by_which_another_was_asked_for(client: FlaskClient) -> None:
    for path in ("/", "/how/kartel", "/static/tokens.css", "/results"):
        plain = client.get(path, buffered=True).data
        assert client.get(path, headers=below(), buffered=True).data != plain
        assert client.get(path, buffered=True).data == plain


def test_what_a_form_is_answered_leads_below_the_path_too(client: FlaskClient) -> None:
    form = {"language": "en", "page": "seat-1"}
    assert client.post("/language", data=form, headers=below()).headers["Location"] == f"{BELOW}/seat/1"
    answer = client.post("/join", data={"code": "no such code"}, headers={**below(), **SCRIPT})
    assert (answer.get_json()["go"] or BELOW).startswith(BELOW)


def test_cookies_are_sent_below_the_path_alone(client: FlaskClient) -> None:
    cookie = client.post("/language", data={"language": "en", "page": "score"}, headers=below()).headers["Set-Cookie"]
    assert f"Path={BELOW}/;" in cookie


def test_a_stream_leads_below_the_path_and_the_same_stream_elsewhere_does_not(client: FlaskClient) -> None:
    path = "/stream/host?once&lang=en"
    say = {"": client.get(path).data, BELOW: client.get(path, headers=below()).data}
    assert b'="/' in say[""]
    assert re.findall(rb'(?:href|action)="/(?!table/)', say[BELOW]) == []
    assert re.findall(rb'(?:href|action)="/table/', say[""]) == []
    assert say[BELOW].replace(b'"/table/', b'"/') == say[""]


def test_the_site_of_which_it_is_a_part_may_show_it_in_a_frame(client: FlaskClient) -> None:
    policy = "Content-Security-Policy"
    assert "frame-ancestors 'self'" in client.get("/", headers=below()).headers[policy]
    assert "frame-ancestors 'none'" in client.get("/").headers[policy]
