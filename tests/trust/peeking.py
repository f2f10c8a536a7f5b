"""What a phone can send to a table and get back: whole answers and streams, byte for byte, and the forms of pages."""

import re
import selectors
import socket
import time
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urlencode

from companion.web.feed import SIGN_OF_LIFE
from companion.web.render.page_names import LIVE
from tests.waiting import PATIENCE

_DATE = re.compile(rb"\r\n(?:Date|Expires): [^\r]+ GMT(?=\r\n)| Expires=[^;\r]+ GMT;")
_TICK = b"%x\r\n%b\r\n" % (len(SIGN_OF_LIFE), SIGN_OF_LIFE)


class Request(NamedTuple):
    """What is sent; `token` is the phone's, None: it has none."""

    method: str
    path: str
    token: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def __str__(self) -> str:
        return f"{self.method} {self.path} {dict(self.headers)} {self.body[:200]!r}"


def form(path: str, token: str | None, fields: object, *headers: tuple[str, str]) -> Request:
    """Send a form."""
    kind = ("Content-Type", "application/x-www-form-urlencoded")
    return Request("POST", path, token, (kind, *headers), urlencode(fields, doseq=True).encode())  # type: ignore[arg-type]


def sent(port: int, asked: Request) -> bytes:
    """Send it; give all that comes back, but for the time of day. Of a stream that is its first message."""
    names = {name.lower() for name, _ in asked.headers}
    lines = [f"{asked.method} {asked.path} HTTP/1.1", "Connection: close"]
    lines += [] if "host" in names else ["Host: 192.168.4.1:8000"]
    lines += [f"{name}: {value}" for name, value in asked.headers]
    lines += [f"Cookie: phone={asked.token}"] if asked.token and "cookie" not in names else []
    lines += [f"Content-Length: {len(asked.body)}"] if asked.body or asked.method == "POST" else []
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as phone:
        phone.sendall("\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + asked.body)
        return _DATE.sub(b"", _whole(phone))


def _whole(phone: socket.socket) -> bytes:
    got = b""
    while more := phone.recv(65536):
        got += more
        head, _, body = got.partition(b"\r\n\r\n")
        size, _, rest = body.partition(b"\r\n")
        if b"\r\nContent-Type: text/event-stream" in head and rest and len(rest) >= int(size, 16) + 2:
            return got[: len(got) - len(rest) + int(size, 16) + 2]
    return got


class Answer(NamedTuple):
    """An answer, taken apart."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return a header's value; None where it is not there."""
        return next((value for known, value in self.headers if known.lower() == name.lower()), None)


def answer(port: int, asked: Request) -> Answer:
    """Send it; give the answer, unpacked from its chunks."""
    return read(sent(port, asked))


def read(raw: bytes) -> Answer:
    """Take an answer apart."""
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    if ("Transfer-Encoding", "chunked") in headers:
        body = b"".join(_chunks(body))
    return Answer(int(first.split()[1]) if len(first.split()) > 1 else 0, headers, body)


def _chunks(body: bytes) -> Iterator[bytes]:
    while body:
        size, _, rest = body.partition(b"\r\n")
        yield rest[: int(size, 16)]
        body = rest[int(size, 16) + 2 :]


class Streams:
    """Open streams, and what has come by them."""

    def __init__(self, port: int, wanted: Mapping[str, Request]):
        """`wanted`: by any name, what opens it."""
        self._got: dict[str, bytearray] = {name: bytearray() for name in wanted}
        self._sockets = selectors.DefaultSelector()
        for name, asked in wanted.items():
            phone = socket.create_connection(("127.0.0.1", port), PATIENCE)
            cookie = f"Cookie: phone={asked.token}\r\n" if asked.token else ""
            phone.sendall(f"GET {asked.path} HTTP/1.1\r\nHost: 192.168.4.1:8000\r\n{cookie}\r\n".encode())
            self._sockets.register(phone, selectors.EVENT_READ, name)
            self._await_first_message(name)

    def _await_first_message(self, name: str) -> None:
        """What one page shows may depend on who looks at another, so each is opened when the one before is there."""
        until = time.monotonic() + PATIENCE
        while b"\r\n\r\n" not in self._got[name] or self._got[name].endswith(b"\r\n\r\n"):
            assert time.monotonic() < until, f"{name} sends nothing"
            self._sockets.select(until - time.monotonic())
            self.read()

    @property
    def names(self) -> tuple[str, ...]:
        """Which streams these are."""
        return tuple(self._got)

    def got(self, name: str) -> bytes:
        """Return all that came by a stream but for signs of life and the time of day."""
        return _DATE.sub(b"", bytes(self._got[name])).replace(_TICK, b"")

    def close(self) -> None:
        for key in list(self._sockets.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._sockets.close()

    def read(self) -> None:
        """Take in all that has come."""
        while ready := self._sockets.select(0):
            for key, _ in ready:
                more = key.fileobj.recv(65536)  # type: ignore[union-attr]
                if more:
                    self._got[key.data] += more
                else:
                    self._sockets.unregister(key.fileobj)


def stream_names(seats: tuple[int, ...]) -> tuple[str, ...]:
    """Return the names of all live pages of a match of these seats."""
    return tuple(kind for kind in LIVE if kind not in ("seat",)) + tuple(
        f"{kind}-{seat}" for kind in ("seat", "host") for seat in seats
    )


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, list[tuple[str, list[str]]]]] = []
        self.links: list[str] = []
        self._choices: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        self.links += [at[name] for name in ("href", "src", "data-stream") if name in at]
        if tag == "form":
            self.forms.append((at.get("action", ""), []))
        elif tag in ("input", "button", "select", "textarea") and self.forms and "name" in at:
            kind = at.get("type", "")
            values = ["", at.get("value", "on")] if kind in ("checkbox", "radio") or tag == "button" else []
            values = values or [at.get("value", "")]
            self.forms[-1][1].append((at["name"], values))
            self._choices = values if tag == "select" else None
        elif tag == "option" and self._choices is not None:
            self._choices.append(at.get("value", ""))


def forms(page: bytes) -> tuple[list[tuple[str, list[tuple[str, list[str]]]]], list[str]]:
    """Return a page's forms, each with where it goes and the values each field may have; and where the page leads."""
    found = _Forms()
    found.feed(page.decode(errors="replace"))
    return found.forms, found.links
