"""Fuzz requests: to the application itself, by every route, and as bytes to the real server. Never 500, never a trace.

Meanwhile a match is played by other hands; afterwards the log holds only what can be judged again, and the table plays.
"""

import contextlib
import io
import itertools
import random
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from flask import Flask
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from werkzeug.test import run_wsgi_app

from companion import games
from companion.access import phones
from companion.access.seats import HOST, Rights, phone_of
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.clock import TableClock
from companion.devices.drivers.pico import Buzzers
from companion.devices.drivers.pn532_uart import Reader
from companion.errors import NotKept
from companion.judge import record_file
from companion.live.table import Live, NoMatch
from companion.storage import files
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.trust.asked import MARK, Asked, Form, forms_in, requests
from tests.trust.findings import Finding
from tests.trust.fuzzing import Damage, damages, tried_anew
from tests.waiting import PATIENCE
from tests.web.table import PEOPLE, TABLET, app_with, client_of, living, phones_of, serving

_PAGES = ("/", "/host", "/host/1", "/host/3", "/seat/1", "/seat/3", "/table", "/tags", "/check", "/join", "/story")
_TOKENS = (TABLET, TABLET, TABLET, "01" * 16, "03" * 16, "00" * 16, None)
_HELD = {HOST: TABLET, 1: "01" * 16, 3: "03" * 16, 5: TABLET}
AT_ONCE = 60
"""Requests between two looks at the forms that are on the pages."""
_PLAIN = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
_KNOWN = {200, 204, 206, *range(301, 305), 308, 400, 403, 404, 405, 408, 409, *range(411, 418), 429, 431, 501, 503, 505}


def trial(quick: bool) -> Iterator[Finding]:
    """Ask the application, then the server."""
    with _table() as table:
        yield from _asked(table, 300 if quick else 100_000, quick)
    with _table() as table:
        yield from _sent(table, 120 if quick else 20_000, 50 if quick else 400, quick)


class _Table:
    """A table in play, and its page as a virtual and as a real one."""

    def __init__(self, live: Live, folder: Path):
        self.live, self.folder = live, folder
        self.phones = phones_of(live, _HELD)
        reader = Reader("centre", "/dev/nowhere").open(live.clock)
        sources = [reader, Buzzers(port="/dev/none", seats=(1, 3)).open(live.clock)]
        steps = around((1, 3), ("centre",))
        checkup = Checkup(sources, steps, live.clock, "2.0", live.tell, lambda: live.snapshot.under_way)
        live.let_walk(lambda: checkup.walking)
        self.apps = [app_with(live, self.phones, virtual=virtual, checkup=checkup) for virtual in (True, False)]

    def go_on(self, chance: random.Random) -> list[Form]:
        """Give the phones their seats back, play a little, and read the forms that are on the pages now."""
        self._give()
        if chance.random() < 0.3 or self.live.snapshot.match is None:
            self.live.begin(chance.choice([*games.known()]), PEOPLE, {})
        self.live.go_on()
        for _ in range(chance.randrange(8)):
            if acts := self.live.ask(lambda match: match.game.acts(match.state)):
                with contextlib.suppress(NotKept, NoMatch):
                    self.live.enter(chance.choice(acts))
        client = client_of(chance.choice(self.apps), TABLET)
        forms = [form for page in _PAGES for form in forms_in(client.get(page).data)]
        if backs := [form for form in forms if form[0] == "/take-back"]:
            path, fields = chance.choice(backs)  # of what others did: a question is open then
            client.post(path, data={name: chance.choice(values) for name, values in fields})
        return forms

    def wrong(self) -> str:
        """Say what is wrong with the table, after all; "" if it plays and everything it keeps can be read."""
        self._give()
        self.live.begin("stop-it", PEOPLE, {})
        for app in self.apps:
            client = client_of(app, TABLET)
            before = self.live.ask(lambda match: len(match.events))
            if client.post("/enter", data={"kind": "pressed", "seat": "5"}).status_code != 303:
                return "a press is not taken"
            if self.live.ask(lambda match: len(match.events)) != before + 1:
                return "a press is not recorded"
            if client.get("/").status_code != 200:
                return "the score is not shown"
        with closing(Log(self.folder / "log.sqlite", writes=False)) as log:
            for match in log.matches():
                if record_file.encode(log.events(match.id)) != log.lines(match.id):
                    return f"match {match.id} is not written as it is read"
        phones.load(files.phones_of(self.folder / "log.sqlite"))
        Decks(self.folder / "tags.toml")
        others = {path.name for path in self.folder.iterdir() if not path.name.startswith(("log.sqlite", "tags.toml"))}
        return f"there are files {others}" if others else ""

    def _give(self) -> None:
        self.phones.change(lambda now: Rights(now.codes, {part: phone_of(token) for part, token in _HELD.items()}))


@contextmanager
def _table() -> Iterator[_Table]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with living(folder, TableClock(), folder / "tags.toml") as live:
            yield _Table(live, folder)


def _after(table: _Table, what: str) -> Finding:
    wrong = table.wrong()
    return Finding(f"{what}: the table plays, and everything it keeps can be read", 1, int(wrong != ""), wrong)


# To the application.


def _asked(table: _Table, many: int, quick: bool) -> Iterator[Finding]:
    statuses: Counter[int] = Counter()

    def made(run: int) -> SearchStrategy[tuple[Flask, Asked]]:
        forms = table.go_on(random.Random(run))
        return st.tuples(st.sampled_from(table.apps), requests(table.apps[0], forms, _TOKENS))

    def answered(asked: tuple[Flask, Asked]) -> None:
        statuses[_answered(*asked) // 100] += 1

    def kinds() -> str:
        return ", ".join(f"{kind}xx {many:,}" for kind, many in sorted(statuses.items()))

    what = "requests of every route, damaged: no 500, no traceback, a guard, nothing sent comes back as markup"
    yield tried_anew(what, made, answered, many, quick=quick, besides=kinds, at_once=AT_ONCE)
    yield _after(table, "after those requests")


def _answered(app: Flask, one: Asked) -> int:
    """Ask; give the status, when nothing is wrong with the answer."""
    environ = one.environ("192.168.4.7") | {"wsgi.input": io.BytesIO(one.body), "wsgi.errors": sys.stderr}
    answer, told, headers = run_wsgi_app(app, environ)
    kind, status = headers.get("Content-Type", ""), int(told.split()[0])
    try:
        said = next(iter(answer), b"") if kind.startswith("text/event-stream") else b"".join(answer)
    finally:
        getattr(answer, "close", lambda: None)()
    assert status in _KNOWN, status
    assert b"Traceback" not in said, "the answer tells of the program"
    assert b"werkzeug" not in said.lower(), "the answer tells of the program"
    assert not kind.startswith("text/html") or MARK.encode() not in said, "what was sent stands in the page as it is"
    assert "Content-Security-Policy" in headers, "no guard on the answer"
    return status


# As bytes, to the server.


class Sent(NamedTuple):
    """Bytes to the server; where it `hangs_up`, nobody waits for the answer."""

    given: bytes
    hangs_up: bool


_BODIES = (b"5\r\nab", b"zz\r\n", b"-1\r\n\r\n", b"f" * 18 + b"\r\nx", b"0\r\n\r\n", b"1\n", b"\r\n")
_LINES = (
    *(b"GET", b"GET /", b"GET / HTTP/9.9", b"GET  /  HTTP/1.1", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1 x"),
    *(b"get / http/1.1", b"GET http://evil.example/ HTTP/1.1", b"CONNECT a:1 HTTP/1.1", b"PRI * HTTP/2.0", b""),
    *(b"GET /\x00 HTTP/1.1", b"GET /%zz HTTP/1.1", b"GET /" + b"a" * 70_000 + b" HTTP/1.1", b"\r\n" * 50),
    *(b"GET ?x HTTP/1.1", b"GET //[ HTTP/1.1", b"OPTIONS * HTTP/1.1"),
)
_HEADERS = (
    *(b"no colon", b": x", b" folded", b"X: " + b"y" * 70_000, b"Content-Length: 5\r\nContent-Length: 6", b"X:\x00"),
    *(b"\xff\xfe: \xff", b"Host: a\r\nHost: b", b"Content-Length: +5", b"X: y\rZ: w", b"Expect: 100-continue"),
)


@st.composite
def sent(draw: st.DrawFn, app: Flask, forms: list[Form]) -> Sent:
    whole: bytes = draw(requests(app, forms, _TOKENS)).raw()
    line, _, rest = whole.partition(b"\r\n")
    match draw(st.integers(0, 7)):
        case 0:
            done: list[Damage] = draw(st.lists(damages, max_size=8))
            for damage in done:
                whole = damage(whole)
        case 1:
            whole = draw(st.binary(max_size=3000))
        case 2:
            whole = whole[: draw(st.integers(0, len(whole)))]
        case 3:
            head = whole.partition(b"\r\n\r\n")[0] + b"\r\nTransfer-Encoding: chunked\r\n"
            whole = head + b"Content-Type: application/x-www-form-urlencoded\r\n\r\n" + draw(st.sampled_from(_BODIES))
        case 4:
            whole = draw(st.sampled_from(_LINES)) + b"\r\n" + rest
        case 5:
            whole = line + b"\r\n" + draw(st.sampled_from(_HEADERS)) + b"\r\n" + rest
        case 6:
            whole *= draw(st.integers(2, 5))
    return Sent(whole, draw(st.integers(0, 9)) == 0)


def _sent(table: _Table, many: int, slow: int, quick: bool) -> Iterator[Finding]:
    told = io.StringIO()
    with contextlib.redirect_stderr(told), serving(table.apps[0]) as port, contextlib.ExitStack() as held:
        dripping = itertools.cycle([_Slow(held, port, number % 2 > 0) for number in range(slow)])

        def made(run: int) -> SearchStrategy[Sent]:
            return sent(table.apps[0], table.go_on(random.Random(run)))

        def answered(one: Sent) -> None:
            next(dripping).go_on()
            before = told.tell()
            said = _exchange(port, one)
            assert b" 500 " not in said.partition(b"\r\n")[0]
            assert b"Traceback" not in said, "a traceback in the answer"
            assert "Traceback" not in told.getvalue()[before:], told.getvalue()[before:]

        what = f"bytes to the real server, malformed, cut off or slow ({slow} half requests held open meanwhile)"
        yield tried_anew(what, made, answered, many, quick=quick, at_once=AT_ONCE)
        status = _exchange(port, Sent(_PLAIN, False)).partition(b"\r\n")[0]
        yield Finding("while half requests are held, the page comes", 1, int(b" 200 " not in status), status.decode())
    yield _after(table, "after those bytes")


class _Slow:
    """A request that never ends: of its head, or after it of its form, a byte comes now and then."""

    def __init__(self, held: contextlib.ExitStack, port: int, form: bool) -> None:
        self._socket = held.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
        self._left = iter(b"GET / HTTP/1.1\r\nX: ")
        if form:
            head = b"Host: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9000\r\n\r\n"
            self._socket.sendall(b"POST /enter HTTP/1.1\r\n" + head)
            self._left = iter(b"kind=pressed&seat=1&x=")

    def go_on(self) -> None:
        """Send one byte more; the server may have hung up."""
        with contextlib.suppress(OSError):
            self._socket.sendall(bytes((next(self._left, ord("x")),)))


def _exchange(port: int, one: Sent) -> bytes:
    """Send it, say that no more will come, and give what the server says until it hangs up."""
    said = b""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client, contextlib.suppress(ConnectionError):
        client.sendall(one.given)
        if one.hangs_up:
            return b""
        with contextlib.suppress(OSError):  # the server may have hung up already
            client.shutdown(socket.SHUT_WR)
        while b"text/event-stream" not in said and (more := client.recv(65536)):  # a stream never ends by itself
            said += more
    return said
