"""Requests, damaged: to the application by every route, and as bytes to the real server. Never 500, never a trace.

Meanwhile a match is played by other hands; afterwards the log holds only what can be judged again, and the table plays.
"""

import contextlib
import io
import random
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import strategies as st
from werkzeug.test import run_wsgi_app

from companion import games
from companion.access import rights_file
from companion.access.seat_rights import HOST, Rights, phone_of
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.drivers.pico import Buzzers
from companion.devices.drivers.pn532_uart import Reader
from companion.devices.monotonic_clock import TableClock
from companion.errors import NotKept
from companion.judge import record_file
from companion.live.judging import NoMatch
from companion.live.table import Live
from companion.storage import files
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.trust.fuzz import AT_LENGTH, promised
from tests.trust.fuzz.asked import MARK, Asked, Form, malformed, requests
from tests.trust.peeking import forms
from tests.waiting import PATIENCE
from tests.web.table import PEOPLE, TABLET, app_with, client_of, living, phones_of, serving

_PAGES = ("/", "/host", "/host/1", "/host/3", "/seat/1", "/seat/3", "/table", "/tags", "/check", "/join", "/story")
_TOKENS = (TABLET, TABLET, TABLET, "01" * 16, "03" * 16, "00" * 16, None)
_HELD = {HOST: TABLET, 1: "01" * 16, 3: "03" * 16, 5: TABLET}
TIMES = 300 if AT_LENGTH else 2
"""How often it plays a little, and other forms are on the pages."""
HALF_REQUESTS = 400 if AT_LENGTH else 50
"""Held open while others are answered."""
_PLAIN = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
_KNOWN = {200, 204, 206, *range(301, 305), 308, 400, 403, 404, 405, 408, 409, *range(411, 418), 429, 431, 501, 503, 505}


class Table:
    """A table in play, and its page as a virtual and as a real one."""

    def __init__(self, live: Live, folder: Path):
        self.live = live
        self.folder = folder
        self.phones = phones_of(live, _HELD)
        reader = Reader("centre", "/dev/nowhere").open(live.clock)
        sources = [reader, Buzzers(port="/dev/none", seats=(1, 3)).open(live.clock)]
        steps = around((1, 3), ("centre",))
        checkup = Checkup(sources, steps, live.clock, "2.0", live.tell, lambda: live.snapshot.under_way)
        live.withhold_while(lambda: checkup.walking)
        self.apps = [app_with(live, self.phones, virtual=virtual, checkup=checkup) for virtual in (True, False)]
        self.dripping: list[Slow] = []
        """Half requests to its server."""

    def go_on(self, chance: random.Random) -> list[Form]:
        """Play a little; give the forms that are on the pages now."""
        self._give()
        if chance.random() < 0.3 or self.live.snapshot.match is None:
            self.live.begin(chance.choice([*games.known()]), PEOPLE, {})
        self.live.go_on()
        for _ in range(chance.randrange(8)):
            if acts := self.live.ask(lambda match: match.game.moves.likely(match.state)):
                with contextlib.suppress(NotKept, NoMatch):
                    self.live.enter(chance.choice(acts))
        client = client_of(chance.choice(self.apps), TABLET)
        found = [form for page in _PAGES for form in forms(client.get(page).data)[0]]
        if backs := [form for form in found if form[0] == "/take-back"]:
            path, fields = chance.choice(backs)  # of what others did: a question is open then
            client.post(path, data={name: chance.choice(values) for name, values in fields})
        return found

    def plays_and_kept_what_can_be_read(self) -> None:
        self._give()
        self.live.begin("stop-it", PEOPLE, {})
        for app in self.apps:
            client = client_of(app, TABLET)
            before = self.live.ask(lambda match: len(match.events))
            assert client.post("/enter", data={"kind": "pressed", "seat": "5"}).status_code == 303
            assert self.live.ask(lambda match: len(match.events)) == before + 1
            assert client.get("/").status_code == 200
        with closing(Log(self.folder / "log.sqlite", writes=False)) as log:
            for match in log.matches():
                assert record_file.encode(log.events(match.id)) == log.lines(match.id)
        rights_file.load(files.phones_of(self.folder / "log.sqlite"))
        Decks(self.folder / "tags.toml")
        assert all(path.name.startswith(("log.sqlite", "tags.toml")) for path in self.folder.iterdir())

    def _give(self) -> None:
        self.phones.change(lambda now: Rights(now.codes, {part: phone_of(token) for part, token in _HELD.items()}))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with living(tmp_path, TableClock(), tmp_path / "tags.toml") as live:
        table = Table(live, tmp_path)
        yield table
        table.plays_and_kept_what_can_be_read()


@pytest.mark.trial
def test_no_request_makes_the_application_fail_or_say_what_was_sent_as_markup(table: Table) -> None:
    for number in range(TIMES):
        offered = table.go_on(random.Random(number))

        @promised(st.tuples(st.sampled_from(table.apps), requests(table.apps[0], offered, _TOKENS)), 50, longer=1)
        def answered(asked: tuple[Flask, Asked]) -> None:
            app, one = asked
            environ = one.environ("192.168.4.7") | {"wsgi.input": io.BytesIO(one.body), "wsgi.errors": sys.stderr}
            answer, told, headers = run_wsgi_app(app, environ)
            kind = headers.get("Content-Type", "")
            try:
                said = next(iter(answer), b"") if kind.startswith("text/event-stream") else b"".join(answer)
            finally:
                getattr(answer, "close", lambda: None)()
            assert int(told.split()[0]) in _KNOWN, told
            assert b"Traceback" not in said, "the answer tells of the program"
            assert b"werkzeug" not in said.lower(), "the answer tells of the program"
            assert not kind.startswith("text/html") or MARK.encode() not in said, "what was sent stands as it is"
            assert "X-Content-Type-Options" in headers, "no guard on the answer"
            assert not kind.startswith("text/html") or "Content-Security-Policy" in headers, "no guard on the page"

        answered()


class Slow:
    """A request that never ends: of its head, or after it of its form, a byte comes now and then."""

    def __init__(self, port: int, form: bool) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._left = iter(b"GET / HTTP/1.1\r\nX: ")
        if form:
            head = b"Host: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9000\r\n\r\n"
            self.socket.sendall(b"POST /enter HTTP/1.1\r\n" + head)
            self._left = iter(b"kind=pressed&seat=1&x=")

    def go_on(self) -> None:
        """Send one byte more; the server may have hung up."""
        with contextlib.suppress(OSError):
            self.socket.sendall(bytes((next(self._left, ord("x")),)))


@pytest.fixture
def port(table: Table, capsys: pytest.CaptureFixture[str]) -> Iterator[int]:
    """The real server's, beside half requests that go on and on."""
    with serving(table.apps[0]) as port, contextlib.ExitStack() as held:
        table.dripping = [Slow(port, number % 2 > 0) for number in range(HALF_REQUESTS)]
        for one in table.dripping:
            held.enter_context(one.socket)
        yield port
        assert b" 200 " in exchange(port, _PLAIN).partition(b"\r\n")[0], "beside half requests the page does not come"
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.trial
def test_no_bytes_make_the_server_fail(table: Table, port: int) -> None:
    for number in range(TIMES):
        given = malformed(requests(table.apps[0], table.go_on(random.Random(number)), _TOKENS))

        @promised(st.tuples(given, st.integers(0, 9), st.sampled_from(table.dripping)), 20, longer=1)
        def answered(sent: tuple[bytes, int, Slow]) -> None:
            given, chance, dripping = sent
            dripping.go_on()
            said = exchange(port, given, hangs_up=chance == 0)
            assert b" 500 " not in said.partition(b"\r\n")[0]
            assert b"Traceback" not in said, "a traceback in the answer"

        answered()


def exchange(port: int, given: bytes, *, hangs_up: bool = False) -> bytes:
    """Send it, say that no more will come, and give what the server says until it hangs up."""
    said = b""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client, contextlib.suppress(ConnectionError):
        client.sendall(given)
        if hangs_up:
            return b""
        with contextlib.suppress(OSError):  # the server may have hung up already
            client.shutdown(socket.SHUT_WR)
        while b"text/event-stream" not in said and (more := client.recv(65536)):  # a stream never ends by itself
            said += more
    return said
