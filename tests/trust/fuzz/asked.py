"""Requests that no page makes: from the application's own routes and forms, with all that can be wrong in them."""

import re
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlencode

from flask import Flask
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from werkzeug.datastructures import MultiDict

import companion.web
from companion import games
from companion.games import places
from companion.history.profile import mark
from companion.web.http.access import RIGHTS
from tests.trust.fuzz import damages, texts

MARK = "<i>zz'\"&"
"""Must never come back as it is: a page would take it for its own."""
_FIELDS = sorted(
    {
        name
        for file in Path(companion.web.__file__).parent.rglob("*.py")
        for name in re.findall(r"""form(?:\.get|\.getlist)?[(\[]f?"([a-z.-]+)""", file.read_text(encoding="utf-8"))
    }
)
"""What any route reads from a form."""
_CARDS = [card for game in games.known().values() for card in game.deck]
_KNOWN = {
    "card": _CARDS,
    "wrong": _CARDS,
    "place": places(),
    "kind": ("pressed", "tapped", "said"),
    "game": tuple(games.known()),
    "what": ("count", "fault", "no-stop", "series", "void", "piles-empty", "flip", "token-values", "roll", "ring-done"),
    "value": ("2", '{"1":[3,0]}', "[1,2]", '{"seat":2,"fault":"dropped"}', r'"\ud800"', "NaN"),
    **dict.fromkeys(("seat", "entry", "part", "step", "number", "speed"), ("0", "1", "3", "7", "host", "-1")),
    **dict.fromkeys(("page", "then"), ("score", "seat-1", "host-3", "story-2", "results-1", "//evil", "/table")),
}
"""What some fields are expected to hold, or nearly."""
_HEADERS = {
    "Accept": ("application/json", "text/html", ";q=", "a/b;q=nan", "application/json;q=1e999", ",,,"),
    "Accept-Language": ("fr", "en;q=0", "fr-CH, fr;q=0.9", "*", ";;;", "fr;q=é", "zz-ZZ"),
    "Accept-Encoding": ("gzip", "gzip;q=0", "br", "*;q=0", "gzip;q=x", "identity, gzip;q=9999"),
    "Cookie": ("phone=", "phone=x; phone=y", "language=zz", "=", ";;;", "session=x.y.z", r'phone="\300"'),
    "Host": ("localhost", "evil.example", "[::1]", "[", "192.168.4.1:99999", "a b", "table.local:80"),
    "Origin": ("null", "http://localhost", "http://evil.example", "http://[", "file://"),
    "Sec-Fetch-Site": ("same-origin", "cross-site", "none", "same-site"),
    "Range": ("bytes=0-", "bytes=5-2", "bytes=-1", "bytes=0-0,5-9", "bytes=" + "0-1," * 500, "lines=1", "bytes=a-b"),
    "If-Modified-Since": ("yesterday", "Sat, 01 Jan 99999 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"),
    "Transfer-Encoding": ("chunked", "gzip, chunked", "x"),
    "Content-Length": ("-1", "0", "999999999999", "x", "5", "1e3", "٣"),
    "Authorization": ("Basic é", "Bearer " + "x" * 500),
    "Expect": ("100-continue", "x"),
    **dict.fromkeys(("If-None-Match", "If-Range", "If-Match"), ("*", '"x"', "W/", '"' * 99)),
    **dict.fromkeys(("Content-Encoding", "X-Forwarded-For", "Referer", "Upgrade"), ("gzip", "1.2.3.4", "websocket")),
}
_PATHS = (
    *(
        "/../../../etc/passwd",
        "/static/../../web/words.pot",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/static/",
        "//",
    ),
    *("/static//etc/passwd", "/static/..%2f..%2fpyproject.toml", "/static/companion.css/", "/seat/1/", "/%ff", "/;"),
    *("/evening/0001-01-01", "/evening/9999-12-31", "/evening/0001-01-01.csv", "/evening/.csv", "/evening/2026-W01-1"),
    *("/join/%00", "/stream/seat-9", "/stream/results-1", "http://evil.example/", "/.git/config", "*", "", "/?lang="),
    *("/static/\x00", "/results/" + "9" * 5000, "/join/" + "A" * 3000, "/results.csv", "/season.csv", "/host?drawn=1"),
)
_PIECES = {
    "<int:seat>": ("1", "3", "5", "2"),
    "<int:entry>": ("0", "1", "3", "40"),
    "<int:number>": ("0", "1", "2", "5", "40"),
    "<name>": ("score", "big", "seat-1", "seat-3", "host", "host-3", "codes", "table", "tags", "check"),
    "<code>": ("ABCDEF", "abc-def"),
    "<of>": ("2026-11-21", "2020-01-01", "1"),
    "<kind>": ("css", "json"),
    "<path:filename>": ("companion.css", "companion.js"),
    "<slug>": ("go", "nothing"),
    "<who>": (mark("Ana"), mark("Bo"), "0" * 12),
}
_BODIES = (b"a=b&" * 3000, b"&" * 9000, b"%" * 900, b"\xff=\xfe", b"=" * 500, b"x" * 40_000)
_FORM = "application/x-www-form-urlencoded"
_KINDS = ("application/json", "text/plain", "", "é", "multipart/form-data", f"{_FORM}; charset=utf-7")
_METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "get", "X" * 300)

Form = tuple[str, list[tuple[str, list[str]]]]
"""Where it goes, and its fields with the values they offer."""


class Asked(NamedTuple):
    """One request, as a server hands it to the application."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def environ(self, client: str) -> dict[str, object]:
        """Return what WSGI wants: PEP 3333's strings, which hold bytes as letters."""
        raw, _, query = self.path.partition("?")
        names = {name: name.upper().replace("-", "_") for name in self.headers}
        plain = ("CONTENT_TYPE", "CONTENT_LENGTH")
        return {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": _latin(raw),
            "QUERY_STRING": _latin(query),
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": client,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            **({"CONTENT_LENGTH": str(len(self.body))} if self.body else {}),
            **{(n if n in plain else f"HTTP_{n}"): _latin(self.headers[name]) for name, n in names.items()},
        }

    def raw(self) -> bytes:
        """Return the bytes that a client would send."""
        path = quote(self.path.encode("utf-8", "replace"), safe="/?&=%:*.;-_~,+@")
        lines = [f"{self.method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in self.headers.items())]
        if "Content-Length" not in self.headers and self.body:
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + self.body


@st.composite
def requests(draw: st.DrawFn, app: Flask, offered: Sequence[Form], tokens: Sequence[str | None]) -> Asked:
    """Make up a request; `offered` are the forms that pages have now."""
    rule = draw(st.sampled_from([rule for rule in app.url_map.iter_rules() if rule.endpoint in RIGHTS]))
    methods = sorted(rule.methods or ())
    method = "POST" if "POST" in methods else draw(st.sampled_from(methods))
    path = "".join(draw(_piece(piece)) for piece in re.split(r"(<[^>]+>)", rule.rule))
    fields: MultiDict[str, str] = MultiDict()
    fitting = [form for form in offered if form[0].partition("?")[0] == path]
    if draw(st.booleans()) or (method == "POST" and not fitting):
        method = "POST"
        fitting = [*offered]
    if method == "POST" and fitting and draw(st.integers(0, 3)):
        path, known = draw(st.sampled_from(fitting))
        for name, values in known:
            fields.add(name, draw(st.sampled_from([value for value in values if value] or [""])))
    changes = st.lists(st.sampled_from(("leave out", "put", "put", "add", "add")), max_size=5)
    for how in draw(st.one_of(st.just([]), st.just([]), changes)):
        name = draw(st.sampled_from([*fields, *fields, *_FIELDS, MARK]))
        if how == "leave out":
            fields.poplist(name)
        else:
            fields.setlist(name, [*(fields.getlist(name) if how == "add" else ()), draw(_value(name))])
    match draw(st.integers(0, 19)):
        case 0:
            path = draw(st.sampled_from(_PATHS))
        case 1 | 2 | 3 | 4:
            name = draw(st.sampled_from(("lang", "drawn", "mark", "wrong", "x", "page")))
            path += "?" + urlencode({name: draw(_value(name))}, errors="replace")
        case 5:
            path = draw(damages)(path.encode("utf-8", "replace")).decode("utf-8", "replace")
        case 6:
            method = draw(st.sampled_from(_METHODS))
    token = draw(st.sampled_from(tokens))
    headers = {"Host": "127.0.0.1:8000", **({"Cookie": f"phone={token}"} if token else {})}
    headers |= draw(st.sampled_from(({}, {"Accept": "application/json"})))
    for name in draw(st.one_of(*[st.just([])] * 2, st.lists(st.sampled_from([*_HEADERS]), max_size=3))):
        headers[name] = draw(st.one_of(st.sampled_from(_HEADERS[name]), texts))
    if method in ("GET", "HEAD", "OPTIONS") and draw(st.integers(0, 19)):
        return Asked(method, path, headers, b"")
    kind, body = draw(_written(fields))
    return Asked(method, path, {"Content-Type": kind, **headers}, body)


@st.composite
def _written(draw: st.DrawFn, fields: MultiDict[str, str]) -> tuple[str, bytes]:
    """Return the kind of a body, and the body."""
    body = urlencode([*fields.items(multi=True)], errors="surrogatepass").encode()
    match draw(st.integers(0, 15)):
        case 0:
            return _FORM, draw(damages)(body)
        case 1:
            edge = draw(st.sampled_from(("zz", "", "é", "z" * 200)))
            head = f"--{edge}\r\nContent-Disposition: form-data; name="
            parts = "".join(f'{head}"{name}"\r\n\r\n{text}\r\n' for name, text in fields.items())
            whole = f"{parts}--{edge}--\r\n".encode("utf-8", "replace")
            return f"multipart/form-data; boundary={edge}", draw(damages)(whole)
        case 2:
            return draw(st.sampled_from(_KINDS)), body
        case 3:
            return _FORM, draw(st.sampled_from(_BODIES))
    return _FORM, body


_ODD_BODIES = (b"5\r\nab", b"zz\r\n", b"-1\r\n\r\n", b"f" * 18 + b"\r\nx", b"0\r\n\r\n", b"1\n", b"\r\n")
_ODD_LINES = (
    *(b"GET", b"GET /", b"GET / HTTP/9.9", b"GET  /  HTTP/1.1", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1 x"),
    *(b"get / http/1.1", b"GET http://evil.example/ HTTP/1.1", b"CONNECT a:1 HTTP/1.1", b"PRI * HTTP/2.0", b""),
    *(b"GET /\x00 HTTP/1.1", b"GET /%zz HTTP/1.1", b"GET /" + b"a" * 70_000 + b" HTTP/1.1", b"\r\n" * 50),
    *(b"GET ?x HTTP/1.1", b"GET //[ HTTP/1.1", b"OPTIONS * HTTP/1.1"),
)
_ODD_HEADERS = (
    *(b"no colon", b": x", b" folded", b"X: " + b"y" * 70_000, b"Content-Length: 5\r\nContent-Length: 6", b"X:\x00"),
    *(b"\xff\xfe: \xff", b"Host: a\r\nHost: b", b"Content-Length: +5", b"X: y\rZ: w", b"Expect: 100-continue"),
)


@st.composite
def malformed(draw: st.DrawFn, good: SearchStrategy[Asked]) -> bytes:
    """Make bytes of a request, and of most what is none any more."""
    whole = draw(good).raw()
    line, _, rest = whole.partition(b"\r\n")
    match draw(st.integers(0, 7)):
        case 0:
            return reduce(lambda left, damage: damage(left), draw(st.lists(damages, max_size=8)), whole)
        case 1:
            return draw(st.binary(max_size=3000))
        case 2:
            return whole[: draw(st.integers(0, len(whole)))]
        case 3:
            head = whole.partition(b"\r\n\r\n")[0] + b"\r\nTransfer-Encoding: chunked\r\n"
            return head + f"Content-Type: {_FORM}\r\n\r\n".encode() + draw(st.sampled_from(_ODD_BODIES))
        case 4:
            return draw(st.sampled_from(_ODD_LINES)) + b"\r\n" + rest
        case 5:
            return line + b"\r\n" + draw(st.sampled_from(_ODD_HEADERS)) + b"\r\n" + rest
        case 6:
            return whole * draw(st.integers(2, 5))
    return whole


def _piece(piece: str) -> SearchStrategy[str]:
    if not piece.startswith("<"):
        return st.just(piece)
    good = st.sampled_from(_PIECES[piece])
    return st.one_of(good, good, good, good, texts)


def _value(name: str) -> SearchStrategy[str]:
    odd = st.one_of(texts, st.just(MARK))
    return st.one_of(st.sampled_from(_KNOWN[name]), odd) if name in _KNOWN else odd


def _latin(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")
