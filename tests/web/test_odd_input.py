"""Whatever comes from outside is answered or refused, on every route: it is no fault, and floods no journal.

The values are the ones that have felled others: dates that no calendar has, numbers too long for Python or SQLite,
letters that pass for digits or line ends, halves of characters.
"""

import itertools
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from flask import Flask, request
from flask.testing import FlaskClient

import companion.web
from companion.access.seat_rights import HOST
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.live.table import Live
from companion.network.wifi import Wifi
from companion.web.http.faults import A_MINUTE, FaultJournal
from tests.network.test_wifi import OURS, Manager
from tests.web.table import ANAS, BOS, SCRIPT, Clock, app_with, client_of, phones_of

FAR = "Fri, 31 Dec 999999999999999 00:00:00 GMT"
VALUES = (
    *("", "0", "-1", "1e3", "nan", "inf", "+1", "1_0", "9" * 20, "9" * 5000, "2147483648", "9223372036854775808"),
    *("²", "٣", "１", "Ⅳ", "½", "a\nb", "a\rb", "a\u2028b", "a\u0085b", "a\x0bb", "\x00", "\ud800", "\ufffe", "\u202e"),
    *(
        "2026-02-30",
        "0000-00-00",
        "9999-12-31",
        "99999-01-01",
        "2026-W01-1",
        "2026-11-20T25:61",
        "host",
        "score",
        "seat-9",
    ),
    *(
        '"',
        "[" * 3000,
        "{}",
        '{"a":1}',
        "1-1",
        "1-99999999999999999999",
        "../..",
        "%",
        "%s",
        "{0}",
        "💥" * 30,
        "x" * 15_000,
    ),
)
HEADERS = {
    **dict.fromkeys(
        ("If-Modified-Since", "If-Unmodified-Since", "If-Range", "Date"),
        (
            FAR,
            "Sat, 01 Jan 0000 00:00:00 GMT",
            "x",
            "Thu, 32 Foo 2026 99:99:99 +99999",
            "9" * 5000,
            "Mon, 1 Jan 1 0:0:0 -9999",
        ),
    ),
    "Range": ("bytes=0-1", "bytes=" + "9" * 5000 + "-", "bytes=-" + "9" * 30, "bytes=²-", "x=" * 200, "bytes=1-0,,"),
    **dict.fromkeys(
        ("Accept", "Accept-Language", "Accept-Encoding", "Accept-Charset"),
        ("a;q=nan", "a;q=1e999", ";" * 500, "a;q=²", "*/*;q=" + "9" * 5000),
    ),
    **dict.fromkeys(("If-None-Match", "If-Match"), ('W/"', '"' * 99, "*" * 99)),
    "Content-Length": ("²", "9" * 5000, "-1", "1e3"),
    "Content-Type": (
        "multipart/form-data; boundary=",
        "a/b; charset=zz",
        "application/x-www-form-urlencoded; charset=\x01",
        "multipart/form-data; boundary=" + "x" * 300,
        ";" * 50,
    ),
    "Cookie": (
        "phone=" + "²" * 32,
        "session=x.y.z",
        "session=" + "." * 99,
        'phone="\\777"',
        "language=²",
        "aloud=²",
        "=" * 99,
    ),
    "Authorization": ("Basic é", "Basic =", "Digest " + "=," * 99, "Bearer"),
    "Host": ("[", "a:²", "127.0.0.1:" + "9" * 30, "[::1%²]", "]", "a" * 300),
    "Origin": ("http://[", "http://a:²", "x" * 3000),
    "X-Forwarded-For": ("²", "," * 99),
    "Cache-Control": ("max-age=²", "max-age=" + "9" * 5000, "=,=,="),
    "Last-Event-ID": ("²", "9" * 5000),
    "Max-Forwards": ("²", "9" * 5000),
}


@pytest.fixture
def app(live: Live) -> Flask:
    """A table with every part that a table can have."""
    checkup = Checkup([], around((1, 3), ("centre",)), live.clock, "2.0", live.tell, lambda: None)
    phones = phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS})
    wifi = Wifi(OURS, Manager(), Clock())
    app = app_with(live, phones, checkup=checkup, wifi=wifi)
    app.testing = False  # as in earnest: a fault is answered, and written down
    return app


def status_of(client: FlaskClient, method: str, path: str, **more: object) -> int:
    """Ask as a program would; a stream is heard no further than its first message."""
    with client.open(path, method=method, **more) as answer:  # type: ignore[arg-type]
        next(iter(answer.response), None)
        return answer.status_code


def addresses(app: Flask, method: str) -> Iterator[str]:
    """Yield the address of each route, with `{}` for each thing that it leaves open."""
    for rule in app.url_map.iter_rules():
        if method in (rule.methods or ()):
            yield re.sub("<[^>]*>", "{}", rule.rule)


def named_in_source(of: str) -> list[str]:
    """Return what any route reads from a request's `args` or `form`."""
    text = "".join(file.read_text(encoding="utf-8") for file in Path(companion.web.__file__).parent.rglob("*.py"))
    return sorted(set(re.findall(rf"""{of}(?:\.get|\.getlist)?[(\[]f?["']([\w.-]+)""", text)))


def as_sent(value: str) -> str:
    return quote(value, safe="", errors="surrogatepass")


def faults_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("token", [ANAS, None])
def test_no_address_is_a_fault(app: Flask, caplog: pytest.LogCaptureFixture, token: str | None) -> None:
    client = client_of(app, token)
    for address, value in itertools.product(addresses(app, "GET"), VALUES):
        if "{}" in address:
            status = status_of(client, "GET", address.replace("{}", as_sent(value)))
            assert status < 500, (address, value[:40])
    assert faults_of(caplog) == []


def test_no_question_mark_is_a_fault(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    client = client_of(app, ANAS)
    names = [*named_in_source("args"), "bot", "seat"]
    assert {"before", "since", "moment"} <= {*names}
    for address, value in itertools.product(addresses(app, "GET"), VALUES):
        query = "&".join(f"{name}={as_sent(value)}" for name in names)
        subject = "2026-11-20" if address.startswith(("/evening", "/season")) else "1"
        status = status_of(client, "GET", f"{address.replace('{}', subject)}?{query}")
        assert status < 500, (address, value[:40])
    assert faults_of(caplog) == []


@pytest.mark.parametrize("token", [ANAS, None])
def test_no_form_is_a_fault(app: Flask, live: Live, caplog: pytest.LogCaptureFixture, token: str | None) -> None:
    client = client_of(app, token)
    names = [name for name in named_in_source("form") if name != "once"]
    assert {"entry", "value", "at", "speed"} <= {*names}
    for address, value in itertools.product(addresses(app, "POST"), VALUES):
        text = "&".join(f"{name}={as_sent(value[:60])}" for name in names)
        for body in (text, f"{text}&kind=said&seat=1&game=go&place=centre&card=red-1&entry=0&what=count"):
            kind = "application/x-www-form-urlencoded"
            status = status_of(client, "POST", address.replace("{}", "3"), data=body, headers=SCRIPT, content_type=kind)
            assert status < 500, (address, value[:40])
    assert faults_of(caplog) == []


def test_no_header_is_a_fault(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    client = client_of(app, ANAS)
    paths = (
        "/static/companion.css",
        "/games/go/style.css",
        "/",
        "/stream/score",
        "/api/1",
        "/api/1/stream",
        "/results.csv",
        "/qr.svg",
        "/not-there",
    )
    for path, (name, values) in itertools.product(paths, HEADERS.items()):
        for value in values:
            for more in ({}, {"Range": "bytes=0-1"}):
                status = status_of(client, "GET", path, headers={**more, name: value.encode().decode("latin-1")})
                assert status < 500, (path, name, value[:40])
                status = status_of(
                    client,
                    "POST",
                    "/enter",
                    data="a=b",
                    headers={**SCRIPT, **more, name: value.encode().decode("latin-1")},
                )
                assert status < 500, (name, value[:40])
    assert faults_of(caplog) == []


def test_what_werkzeug_cannot_read_is_the_askers_mistake(app: Flask) -> None:
    client = client_of(app, None)
    for header in ("If-Modified-Since", "If-Unmodified-Since"):
        assert client.get("/static/companion.css", headers={header: FAR}).status_code == 400
    assert client.get("/static/companion.css", headers={"If-Range": FAR, "Range": "bytes=0-1"}).status_code == 400


def raised(kind: type[Exception]) -> Exception:
    try:
        raise kind("odd")
    except Exception as wrong:  # with where it happened
        return wrong


def test_the_same_fault_is_written_down_once_a_minute_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    faults = FaultJournal(clock)
    for _ in range(500):
        faults.note("GET /", raised(OverflowError))
    assert faults_of(caplog) == ["GET /"]
    assert caplog.records[0].exc_info
    faults.note("GET /", raised(LookupError))
    assert len(caplog.records) == 2, "another fault is news"
    clock.now += A_MINUTE
    faults.note("GET /", raised(OverflowError))
    assert faults_of(caplog)[-1] == "GET / (and 499 times before)"


def test_a_route_that_fails_again_and_again_fills_no_journal(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    @app.before_request
    def fail() -> None:
        raise OverflowError(request.path)

    for number in range(20):
        assert client_of(app, None).get(f"/results/{number}").status_code == 500
    assert len(faults_of(caplog)) == 1
