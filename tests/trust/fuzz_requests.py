"""Fuzz requests: to the application itself, by every route, and as bytes to the real server. Never 500, never a trace.

Meanwhile a match is played by other hands; afterwards the log holds only what can be judged again, and the table plays.
"""

import contextlib
import io
import random
import socket
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
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
from companion.judge import record
from companion.live.table import Live, NoMatch
from companion.storage import files
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.trust.asked import MARK, Asked, Form, asked, forms_in
from tests.trust.findings import Finding
from tests.trust.fuzzing import Growth, Tried, chance_of, damaged, new_seed, within
from tests.web.table import PEOPLE, TABLET, app_with, client_of, living, phones_of, serving

HANGS = 20.0
_PAGES = (
    "/",
    "/host",
    "/host/1",
    "/host/3",
    "/host/codes",
    "/seat/1",
    "/seat/3",
    "/seat/5",
    "/table",
    "/tags",
    "/check",
    "/join",
    "/story",
)
_TOKENS = (TABLET, TABLET, TABLET, "01" * 16, "03" * 16, "00" * 16, None)
_HELD = {HOST: TABLET, 1: "01" * 16, 3: "03" * 16, 5: TABLET}
_NEW_FORMS = 60
_OF_A_MATCH = 40
"""Python's memory blocks that may stay of every match ever begun: each of two applications remembers how it ended."""
_KNOWN = frozenset(
    (
        200,
        204,
        206,
        301,
        302,
        303,
        304,
        308,
        400,
        403,
        404,
        405,
        408,
        409,
        411,
        412,
        413,
        414,
        415,
        416,
        417,
        429,
        431,
        501,
        503,
        505,
    )
)


def trial(quick: bool) -> Iterator[Finding]:
    """Ask the application, then the server."""
    seed = new_seed(quick)
    yield _asked(500 if quick else 100_000, seed)
    yield _sent(200 if quick else 20_000, 50 if quick else 400, seed)


class _Table:
    """A table in play, and its page as a virtual and as a real one."""

    def __init__(self, live: Live, folder: Path):
        self.live, self.folder = live, folder
        self.phones = phones_of(live, _HELD)
        sources = [
            Reader("centre", "/dev/nowhere").open(live.clock),
            Buzzers(port="/dev/none", seats=(1, 3)).open(live.clock),
        ]
        checkup = Checkup(
            sources, around((1, 3), ("centre",)), live.clock, "2.0", live.tell, lambda: live.snapshot.under_way
        )
        live.let_walk(lambda: checkup.walking)
        self.apps = [app_with(live, self.phones, virtual=virtual, checkup=checkup) for virtual in (True, False)]

    def go_on(self, chance: random.Random) -> list[Form]:
        """Give the phones their seats back, play a little, and read the forms that are on the pages now."""
        self.phones.change(lambda now: Rights(now.codes, {part: phone_of(token) for part, token in _HELD.items()}))
        if chance.random() < 0.1 or self.live.snapshot.match is None:
            self.live.begin(chance.choice([*games.known()]), PEOPLE, {})
        self.live.go_on()
        for _ in range(chance.randrange(8)):
            acts = self.live.ask(lambda match: match.game.acts(match.state))
            if acts:
                with contextlib.suppress(NotKept, NoMatch):
                    self.live.enter(chance.choice(acts))
        client = client_of(chance.choice(self.apps), TABLET)
        forms = [form for page in _PAGES for form in forms_in(client.get(page).text)]
        if backs := [form for form in forms if form[0] == "/take-back"]:
            path, fields = chance.choice(backs)  # of what others did: a question is open then
            client.post(path, data={name: chance.choice(values) for name, values in fields.items()})
        return forms

    def begun(self) -> int:
        """Tell how many matches were begun so far."""
        with contextlib.closing(Log(self.folder / "log.sqlite", writes=False)) as log:
            return log.latest() or 0

    def stands(self) -> str:
        """Say what is wrong with the table, after all; "" if it plays and everything it keeps can be read."""
        self.phones.change(lambda now: Rights(now.codes, {part: phone_of(token) for part, token in _HELD.items()}))
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
        with contextlib.closing(Log(self.folder / "log.sqlite", writes=False)) as log:
            for match in log.matches():
                events = log.events(match.id)
                if record.encode(events) != log.lines(match.id):
                    return f"match {match.id} is not written as it is read"
        phones.load(files.phones_of(self.folder / "log.sqlite"))
        Decks(self.folder / "tags.toml")
        others = {path.name for path in self.folder.iterdir() if not path.name.startswith(("log.sqlite", "tags.toml"))}
        return f"there are files {others}" if others else ""


@contextmanager
def _table() -> Iterator[_Table]:
    with (
        tempfile.TemporaryDirectory() as folder,
        living(Path(folder), TableClock(), Path(folder) / "tags.toml") as live,
    ):
        yield _Table(live, Path(folder))


def _asked(many: int, seed: int) -> Finding:
    tried, growth = Tried("requests of every route, damaged: no 500, no traceback, nothing odd kept", seed), Growth()
    statuses: dict[int, int] = {}
    begun = 0
    forms: list[Form] = []
    with _table() as table:
        for number in range(many):
            chance = chance_of(seed, number)
            if number == many // 2:
                growth.halfway()
                begun = table.begun()
            if number % _NEW_FORMS == 0:
                forms = table.go_on(chance)
            app = chance.choice(table.apps)
            one = asked(app, forms, _TOKENS, chance)
            tried.tried += 1
            try:
                with within(HANGS):
                    status, why = _answered(app, one)
                statuses[status // 100] = statuses.get(status // 100, 0) + 1
            except Exception as wrong:
                at = traceback.extract_tb(wrong.__traceback__)[-1]
                why = f"{type(wrong).__name__}: {wrong} at {Path(at.filename).name}:{at.lineno}"[:140]
            if why:
                tried.broke(number, why, one)
        more = table.begun() - begun
        grown = f"{growth.seen(tried, more * _OF_A_MATCH)}, in which {more:,} matches were begun"
        if why := table.stands():
            tried.broke(many, why, "after all of them")
    kinds = ", ".join(f"{kind}xx {count:,}" for kind, count in sorted(statuses.items()))
    return tried.finding(kinds, grown)


def _answered(app: Flask, one: Asked) -> tuple[int, str]:
    """Ask; give the status, and what is wrong with the answer."""
    environ = one.environ("192.168.4.7")
    body = io.BytesIO(one.body)
    environ |= {"wsgi.input": body, "wsgi.errors": sys.stderr}
    if one.body and "CONTENT_LENGTH" not in environ:
        environ["CONTENT_LENGTH"] = str(len(one.body))
    answer, status, headers = run_wsgi_app(app, environ)
    try:
        stream = headers.get("Content-Type", "").startswith("text/event-stream")
        said = next(iter(answer), b"") if stream else b"".join(answer)
    finally:
        getattr(answer, "close", lambda: None)()
    number = int(status.split()[0])
    return number, _wrong(number, headers.get("Content-Type", ""), headers, said)


def _wrong(status: int, kind: str, headers: object, said: bytes) -> str:
    if status not in _KNOWN:
        return f"status {status}"
    if b"Traceback" in said or b"werkzeug" in said.lower():
        return "the answer tells of the program"
    if kind.startswith("text/html") and MARK.encode() in said:
        return "what was sent stands in the page as it is"
    if "Content-Security-Policy" not in headers:  # type: ignore[operator]
        return "no guard on the answer"
    return ""


# As bytes, to the server.


def _sent(many: int, slow: int, seed: int) -> Finding:
    tried = Tried(
        f"bytes to the real server, malformed, cut off or slow ({slow} half requests held open meanwhile)", seed
    )
    growth, told = Growth(), io.StringIO()
    with _table() as table, contextlib.redirect_stderr(told), serving(table.apps[0]) as port:
        forms = table.go_on(chance_of(seed, 0))
        with contextlib.ExitStack() as held:
            dripping = [_Slow(held, port, number % 2 > 0) for number in range(slow)]
            for number in range(many):
                if number == many // 2:
                    growth.halfway()
                chance = chance_of(seed, number)
                chance.choice(dripping).go_on()
                given = _bytes(table.apps[0], forms, chance)
                tried.tried += 1
                before = told.tell()
                try:
                    with within(HANGS):
                        why = _wrong_bytes(_exchange(port, given, chance))
                except OSError as wrong:
                    why = f"the server: {wrong}"
                if "Traceback" in told.getvalue()[before:]:
                    why = "a traceback: " + told.getvalue().strip().rpartition("\n")[2]
                if why:
                    tried.broke(number, why, given[:3000])
                told.seek(0)
                told.truncate()
            if (
                b" 200 "
                not in _exchange(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", None)[:20]
            ):
                tried.broke(many, "no page while half requests are held", "")
        if why := table.stands():
            tried.broke(many, why, "after all of them")
        grown = growth.seen(tried)
    return tried.finding(grown)


class _Slow:
    """A request that never ends: of its head, or after it of its form, a byte comes now and then."""

    def __init__(self, held: contextlib.ExitStack, port: int, form: bool) -> None:
        self._socket = held.enter_context(socket.create_connection(("127.0.0.1", port), HANGS))
        self._left = b"GET / HTTP/1.1\r\nX: "
        if form:
            head = b"Host: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9000\r\n\r\n"
            self._socket.sendall(b"POST /enter HTTP/1.1\r\n" + head)
            self._left = b"kind=pressed&seat=1&x="

    def go_on(self) -> None:
        """Send one byte more; the server may have hung up."""
        with contextlib.suppress(OSError):
            self._socket.sendall(self._left[:1] or b"x")
        self._left = self._left[1:]


def _bytes(app: Flask, forms: list[Form], chance: random.Random) -> bytes:
    one = asked(app, forms, _TOKENS, chance)
    whole = one.raw()
    match chance.randrange(8):
        case 0:
            return damaged(whole, chance, most=8)
        case 1:
            return chance.randbytes(chance.randint(0, 3000))
        case 2:
            return whole[: chance.randrange(len(whole) + 1)]
        case 3:
            body = chance.choice(
                (
                    b"5\r\nab",
                    b"zz\r\n",
                    b"-1\r\n\r\n",
                    b"ffffffffffffffffff\r\nx",
                    b"0\r\n\r\n",
                    b"3;x=y\r\na=b\r\n0\r\nX: y\r\n\r\n",
                    b"1\n",
                    b"\r\n",
                )
            )
            return (
                whole.partition(b"\r\n\r\n")[0]
                + b"\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
                + body
            )
        case 4:
            line = chance.choice(
                (
                    b"GET",
                    b"GET /",
                    b"GET / HTTP/9.9",
                    b"GET  /  HTTP/1.1",
                    b"\x16\x03\x01\x02\x00\x01",
                    b"GET / HTTP/1.1 x",
                    b"get / http/1.1",
                    b"GET http://evil.example/ HTTP/1.1",
                    b"CONNECT a:1 HTTP/1.1",
                    b"PRI * HTTP/2.0",
                    b"GET /\x00 HTTP/1.1",
                    b"GET /%zz HTTP/1.1",
                    b"GET /" + b"a" * 70_000 + b" HTTP/1.1",
                    b"",
                    b"\r\n" * 50,
                    b"GET ?x HTTP/1.1",
                    b"GET //[ HTTP/1.1",
                    b"OPTIONS * HTTP/1.1",
                )
            )
            return line + b"\r\n" + whole.partition(b"\r\n")[2]
        case 5:
            extra = chance.choice(
                (
                    b"no colon",
                    b": x",
                    b" folded",
                    b"X: " + b"y" * 70_000,
                    b"Content-Length: 5\r\nContent-Length: 6",
                    b"\xff\xfe: \xff",
                    b"X:\x00",
                    b"Host: a\r\nHost: b",
                    b"Content-Length: +5",
                    b"X: y\rZ: w",
                    b"Expect: 100-continue",
                )
            )
            line, _, rest = whole.partition(b"\r\n")
            return line + b"\r\n" + extra + b"\r\n" + rest
        case 6:
            return whole * chance.randint(2, 5)
    return whole


def _exchange(port: int, given: bytes, chance: random.Random | None) -> bytes:
    """Send it, say that no more will come (or go away at once), and give what the server says until it hangs up."""
    with socket.create_connection(("127.0.0.1", port), HANGS) as client:
        said = b""
        with contextlib.suppress(ConnectionError):
            client.sendall(given)
            if chance is not None and chance.random() < 0.1:
                return b""
            with contextlib.suppress(OSError):  # the server may have hung up already
                client.shutdown(socket.SHUT_WR)
            while more := client.recv(65536):
                said += more
                if b"text/event-stream" in said:
                    break  # it never ends by itself
        return said


def _wrong_bytes(said: bytes) -> str:
    if b"HTTP/1.1 500" in said or b"HTTP/1.0 500" in said:
        return "status 500"
    return "a traceback in the answer" if b"Traceback" in said else ""
