"""Requests that no page makes: from the application's own routes and forms, with all that can be wrong in them."""

import random
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode

from flask import Flask
from werkzeug.datastructures import MultiDict

import web
from companion import games
from companion.events import PLACES
from tests.trust.fuzzing import damaged
from web.http.access import RIGHTS

MARK = "<i>zz'\"&"
"""Must never come back as it is: a page would take it for its own."""
METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "get", "PROPFIND", "X" * 300)
_CARDS = [card for game in games.known().values() for card in game.deck]
_WORDS = (
    "count",
    "fault",
    "no-stop",
    "series",
    "void",
    "piles-empty",
    "flip",
    "token-values",
    "roll",
    "ring-done",
    "token",
)
_FIELDS = sorted(
    {
        name
        for file in Path(web.__file__).parent.rglob("*.py")
        for name in re.findall(r"""form(?:\.get|\.getlist)?[(\[]f?"([a-z.-]+)""", file.read_text(encoding="utf-8"))
    }
)
"""What any route reads from a form."""
_TEXTS = (
    *(
        "",
        "0",
        "1",
        "3",
        "7",
        "-1",
        "999999999",
        "1" * 40,
        "²",
        "٣",
        "1.5",
        "1e999",
        "nan",
        "-inf",
        "0x1",
        "true",
        "on",
    ),
    *(MARK, "\x00", "\ud800", "\u202e", "é" * 50, "a" * 5000, "../../etc/passwd", "%00", "%", "\r\nX: y", "{}", "[]"),
    *("null", '"x"', "[" * 900, '{"1":[3,0]}', "1" * 1900, '"\\ud800"', "NaN", "[1,2]", '{"seat":2,"fault":"dropped"}'),
    *(
        "host",
        "score",
        "seat-1",
        "host-3",
        "story-2",
        "results-1",
        "evening-2026-01-01",
        "table",
        "/table",
        "//evil",
        "yes",
    ),
)
_NUMBERS = (
    "",
    "0",
    "1",
    "3",
    "6",
    "7",
    "-1",
    "+1",
    " 1",
    "²",
    "٣",
    "1.5",
    "1e9",
    "1" * 40,
    "nan",
    "inf",
    "host",
    "\x00",
)
_HEADERS = {
    "Accept": ("application/json", "text/html", "*/*", "", ";q=", "a/b;q=nan", "application/json;q=1e999", "é", ",,,"),
    "Accept-Language": ("fr", "en;q=0", "fr-CH, fr;q=0.9", "*", "x" * 3000, ";;;", "fr;q=é", "zz-ZZ", "en-\x7f", "-"),
    "Accept-Encoding": ("gzip", "gzip;q=0", "br", "*;q=0", "gzip;q=x", "", "identity, gzip;q=9999"),
    "Cookie": (
        "phone=",
        "phone=x; phone=y",
        "language=zz",
        "language=fr",
        "=",
        ";;;",
        "session=x.y.z",
        'phone="\\300"',
        "a" * 4000,
    ),
    "Host": (
        "localhost",
        "evil.example",
        "",
        "[::1]",
        "[",
        "192.168.4.1:99999",
        "a b",
        "é",
        "x" * 300,
        "table.local:8000",
    ),
    "Origin": ("null", "http://localhost", "http://evil.example", "", "é", "http://[", "file://"),
    "Sec-Fetch-Site": ("same-origin", "cross-site", "none", "", "same-site"),
    "Range": (
        "bytes=0-",
        "bytes=5-2",
        "bytes=-1",
        "bytes=0-0,5-9",
        "bytes=" + "0-1," * 500,
        "lines=1",
        "bytes=a-b",
        "bytes=99999999-",
    ),
    "If-None-Match": ("*", '"x"', "W/", '"' * 99),
    "If-Modified-Since": ("yesterday", "Sat, 01 Jan 99999 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "0"),
    "If-Range": ("x", '"x"'),
    "Content-Encoding": ("gzip", "x"),
    "Transfer-Encoding": ("chunked", "gzip, chunked", "x"),
    "X-Forwarded-For": ("1.2.3.4", "é"),
    "Referer": ("http://evil.example/<i>", "é"),
    "Expect": ("100-continue", "x"),
    "Upgrade": ("websocket", "h2c"),
    "Authorization": ("Basic é", "Bearer " + "x" * 500),
    "If-Match": ("*",),
}
_PATHS = (
    *(
        "/../../../etc/passwd",
        "/static/../../web/words.toml",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/static/",
        "/static//etc/passwd",
    ),
    *(
        "/static/..%2f..%2fpyproject.toml",
        "/static/companion.css/",
        "/static/\x00",
        "//",
        "/;",
        "/seat/٣",
        "/seat/1/",
        "/seat/-1",
        "/%ff",
        "/ÿ",
    ),
    *(
        "/results/" + "9" * 30,
        "/results/" + "9" * 5000,
        "/evening/0001-01-01",
        "/evening/9999-12-31",
        "/evening/0001-01-01.csv",
        "/evening/.csv",
    ),
    *(
        "/evening/2026-W01-1",
        "/evening/20260101",
        "/join/" + "A" * 3000,
        "/join/%00",
        "/stream/seat-9",
        "/stream/results-1",
        "/stream/\n",
        "",
    ),
    *(
        "*",
        "http://evil.example/",
        "/favicon.ico",
        "/.git/config",
        "/?lang=",
        "/?lang=fr",
        "/host?drawn=1",
        "/results.csv",
        "/season.csv",
    ),
)

Form = tuple[str, dict[str, list[str]]]
"""Where it goes, and its fields with the values they offer."""


class Asked:
    """One request, as a server hands it to the application."""

    def __init__(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        self.method, self.path, self.headers, self.body = method, path, headers, body

    def __repr__(self) -> str:
        return f"{self.method} {self.path} {self.headers} {self.body!r}"

    def environ(self, client: str) -> dict[str, object]:
        """Give what WSGI wants: PEP 3333's strings, which hold bytes as letters."""
        raw, _, query = self.path.partition("?")
        said = {
            ("" if name in ("Content-Type", "Content-Length") else "HTTP_") + name.upper().replace("-", "_"): _latin(
                text
            )
            for name, text in self.headers.items()
        }
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
            **said,
        }

    def raw(self) -> bytes:
        """Give the bytes that a client would send."""
        path = quote(self.path.encode("utf-8", "replace"), safe="/?&=%:*.;-_~,+@")
        lines = [f"{self.method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in self.headers.items())]
        if "Content-Length" not in self.headers and self.body:
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + self.body


def asked(app: Flask, forms: Iterable[Form], tokens: Iterable[str | None], chance: random.Random) -> Asked:
    """Make one up."""
    rule = chance.choice([rule for rule in app.url_map.iter_rules() if rule.endpoint in RIGHTS])
    methods = sorted(rule.methods or ())
    method = (
        chance.choice(METHODS) if chance.random() < 0.08 else "POST" if "POST" in methods else chance.choice(methods)
    )
    path = "".join(_piece(piece, chance) for piece in re.split(r"(<[^>]+>)", rule.rule))
    fields: MultiDict[str, str] = MultiDict()
    if chance.random() < 0.3:
        method, offered = "POST", [*forms]
    else:
        offered = [form for form in forms if form[0].partition("?")[0] == path] or [*forms]
    if method == "POST" and offered and chance.random() < 0.7:
        path, found = chance.choice(offered)
        for name, values in found.items():
            fields.add(name, chance.choice(values))
    for _ in range(chance.choice((0, 0, 1, 1, 2, 5))):
        own = [*fields]
        name = chance.choice(own if own and chance.random() < 0.6 else _FIELDS if chance.random() < 0.8 else _TEXTS)
        if chance.random() < 0.2:
            fields.poplist(name)
        else:
            fields.setlist(name, [*fields.getlist(name)[chance.randrange(2) :], _value(name, chance)])
    if chance.random() < 0.05:
        path = chance.choice(_PATHS)
    elif chance.random() < 0.2:
        path += "?" + urlencode(
            {chance.choice(("lang", "drawn", "mark", "wrong", "x", "page")): _value("", chance)}, errors="replace"
        )
    elif chance.random() < 0.03:
        path = damaged(path.encode("utf-8", "replace"), chance).decode("utf-8", "replace")
    token = chance.choice([*tokens])
    headers = {"Host": "127.0.0.1:8000", **({"Cookie": f"phone={token}"} if token else {})}
    if chance.random() < 0.4:
        headers["Accept"] = "application/json"
    for _ in range(chance.choice((0, 0, 1, 3))):
        name = chance.choice([*_HEADERS])
        headers[name] = chance.choice(_HEADERS[name])
    return _with_body(method, path, headers, fields, chance)


def _with_body(
    method: str, path: str, headers: dict[str, str], fields: MultiDict[str, str], chance: random.Random
) -> Asked:
    if method in ("GET", "HEAD", "OPTIONS") and chance.random() < 0.95:
        return Asked(method, path, headers, b"")
    body = urlencode([*fields.items(multi=True)], errors="surrogatepass").encode()
    kind = "application/x-www-form-urlencoded"
    match chance.randrange(20):
        case 0:
            body = damaged(body, chance)
        case 1:
            edge = chance.choice(("zz", "", "é", "z" * 200))
            kind = f"multipart/form-data; boundary={edge}"
            parts = [
                f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'
                for name, text in fields.items()
            ]
            body = damaged((("".join(parts)) + f"--{edge}--\r\n").encode("utf-8", "replace"), chance, most=2)
        case 2:
            kind = chance.choice(
                (
                    "application/json",
                    "text/plain",
                    "",
                    "é",
                    "multipart/form-data",
                    "application/x-www-form-urlencoded; charset=utf-7",
                )
            )
        case 3:
            body = chance.choice((b"a=b&" * 3000, b"&" * 9000, b"%" * 900, b"\xff=\xfe", b"=" * 500, b"x" * 40_000))
        case 4:
            headers["Content-Length"] = chance.choice(("-1", "0", "999999999999", "x", "5", "", "1e3", "٣"))
    headers = {"Content-Type": kind, **headers}
    return Asked(method, path, headers, body)


def _piece(piece: str, chance: random.Random) -> str:
    if not piece.startswith("<"):
        return piece
    good: dict[str, tuple[str, ...]] = {
        "<int:seat>": ("1", "3", "5", "2"),
        "<int:number>": ("0", "1", "2", "5", "40"),
        "<name>": ("score", "big", "seat-1", "seat-3", "host", "host-3", "codes", "table", "tags", "check"),
        "<code>": ("ABCDEF", "abc-def"),
        "<of>": ("2026-11-21", "2020-01-01", "1"),
        "<path:filename>": ("companion.css", "companion.js"),
    }
    return chance.choice(good[piece]) if chance.random() < 0.8 else chance.choice(_TEXTS)


def _value(name: str, chance: random.Random) -> str:
    if name in ("seat", "entry", "part", "step", "number", "pace"):
        return chance.choice(_NUMBERS)
    if chance.random() < 0.5:
        return chance.choice(_TEXTS)
    match name:
        case "card" | "wrong":
            return chance.choice(_CARDS)
        case "place":
            return chance.choice(PLACES)
        case "kind":
            return chance.choice(("pressed", "tapped", "said"))
        case "game":
            return chance.choice([*games.known()])
        case "what":
            return chance.choice(_WORDS)
    return chance.choice((*_TEXTS, *_CARDS[:20]))


def _latin(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


class _Forms(HTMLParser):
    """Finds the forms of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append((said.get("action", "/"), {}))
        elif tag == "select":
            self._select = said.get("name", "")
        elif self.found:
            name = said.get("name") or (self._select if tag == "option" else "")
            if name:
                self.found[-1][1].setdefault(name, []).append(said.get("value", ""))


def forms_in(page: str) -> Iterator[Form]:
    """Give a page's forms."""
    parser = _Forms()
    parser.feed(page)
    yield from parser.found
