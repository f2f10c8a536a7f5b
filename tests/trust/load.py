"""Load that is no matter of milliseconds: phones that hardly read, acts without end, a log of a thousand matches.

How fast all this is, `make bench` measures.
"""

import contextlib
import re
import socket
import sqlite3
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from unittest.mock import patch

from companion.config import PageSettings
from companion.events import Pressed, Tapped
from companion.live.table import Live
from companion.machine.watchdog import answers, line_to
from companion.storage import opening
from companion.web import server
from companion.web.routes.streams import message
from tests.bench.evenings import A_WEEK, fill
from tests.bench.phones import END, TICK, Phones, asking
from tests.bench.rig import some_cards
from tests.trust.findings import Finding
from tests.waiting import PATIENCE
from tests.web.table import PEOPLE, TABLET, app_of, client_of, living, serving

FLAT = 1.1
GLANCE = 5
"""Steps of SQLite's machine, some ten millionths of a second, to see of a match's line whether it is wanted."""
WAITING = 3 * server.UNSENT
"""Bytes: what may wait for one phone, with what is on its way and the page that is being sent."""
SLOW = 2000
"""Bytes that a slow phone reads at a time, twenty times a second."""
STREAM = "/stream/score?lang=fr"


def trial(quick: bool) -> Iterator[Finding]:
    phones, acts = (3, 40) if quick else (50, 1_000)
    yield from _hardly_read(phones, acts)
    yield _never_read(phones, 1.0 if quick else server.PATIENCE)
    yield _silent(*(120, 40) if quick else (600, 300))
    yield _evening(*(2, 40) if quick else (82, 120))
    yield from _a_full_log(30 if quick else 1_000)


def _hardly_read(phones: int, acts: int) -> Iterator[Finding]:
    """Phones that read at once; as many that never do; as many that are slow, and are slower on a busy machine."""
    with patch("companion.web.server.PATIENCE", PATIENCE), _table() as (live, port):
        live.begin("stop-it", PEOPLE, {})
        live.enter(Pressed(0, 0.0, 1))
        with contextlib.ExitStack() as stack:
            for _ in range(phones):
                stack.enter_context(_opened(port))
            slow = [stack.enter_context(_Slow(port)) for _ in range(phones)]
            reading = stack.enter_context(Phones(port, phones, (STREAM,), "identity"))
            app = app_of(live)
            pages = [_says(app.test_client().get)]
            waiting = 0
            torn = 0
            for card in some_cards(acts):
                live.enter(Tapped(0, 0.0, "centre", card))  # type: ignore[arg-type]
                pages.append(_says(app.test_client().get))
                torn += sum([update.says for update in updates] != pages[-1:] for updates in reading.take_all())
                waiting = max(waiting, *_unread(port).values())
            yield Finding(
                "an act beside phones that hardly read: each other phone has the page, byte for byte",
                acts * phones,
                torn,
            )
            yield Finding(
                f"a phone that does not read: never more than {WAITING:,} bytes wait for it",
                acts * 2 * phones,
                waiting > WAITING,
                f"{waiting:,} bytes at most",
            )
            ends = [one.end(pages[-1]) for one in slow]
            late = [bytes_late for _, bytes_late in ends]
            broken = sum(said[-1] != pages[-1] or not {*said} <= {*pages} for said, _ in ends)
            yield Finding(
                f"a phone that reads slowly: has only whole pages, and is at most {WAITING:,} bytes from the newest",
                phones,
                broken + sum(one > WAITING for one in late),
                f"{max(late):,} bytes at most",
            )


def _never_read(phones: int, patience: float) -> Finding:
    """Phones that ask for pages and read none of them."""
    with patch("companion.web.server.PATIENCE", patience), _table() as (live, port), contextlib.ExitStack() as stack:
        live.begin("stop-it", PEOPLE, {})
        live.enter(Pressed(0, 0.0, 1))
        never = [stack.enter_context(_opened(port)) for _ in range(phones)]
        for card in some_cards(100):
            live.enter(Tapped(0, 0.0, "centre", card))  # type: ignore[arg-type]
        left = _until(lambda: sum(_is_open(port, phone) for phone in never), 3 * patience + PATIENCE)
    return Finding("a phone that never reads: is cut off, and the table forgets it", phones, left)


def _silent(connections: int, places: int) -> Finding:
    """Connections over which nothing is said, more than there are places for; who plays comes over new ones."""
    asked = broken = 0
    room = patch("companion.web.server._places", lambda: places)
    with room, _table() as (live, port), contextlib.ExitStack() as held:
        live.begin("stop-it", PEOPLE, {})
        with contextlib.closing(line_to(PageSettings("127.0.0.1", port))) as line:
            for number in range(connections):
                held.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
                if number % 40 == 0:
                    asked += 2
                    broken += not answers(live, line)
                    broken += _status(port) != 200
    what = f"{connections:,} silent connections on {places:,} places: whoever comes is answered, and so is the watchdog"
    return Finding(what, asked, broken)


def _status(port: int) -> int:
    phone = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.closing(phone):
        phone.request("GET", "/")
        return phone.getresponse().status


def _evening(matches: int, cards: int) -> Finding:
    """What Python keeps, in blocks of its memory, after each match of an evening; each of its cards is shown to all."""
    kept = []
    events = 0
    with _table() as (live, port), Phones(port, 6):
        for number in range(1 + matches):
            live.begin("stop-it", PEOPLE, {})
            live.enter(Pressed(0, 0.0, 1))
            for card in some_cards(cards):
                live.enter(Tapped(0, 0.0, "centre", card))  # type: ignore[arg-type]
            if number:  # the first compiles templates
                kept.append(sys.getallocatedblocks())
                events += 2 + cards
    tenth = -(-matches // 10)
    first, last = (sum(part) / tenth for part in (kept[:tenth], kept[-tenth:]))
    what = f"an event of an evening: memory in its last tenth within {FLAT} of the first"
    return Finding(what, events, events * (last > FLAT * first), f"{last / first:.3f}")


def _a_full_log(matches: int) -> Iterator[Finding]:
    """What the database does, in its own steps, with many matches in the log and with those of one evening."""
    with tempfile.TemporaryDirectory() as old, tempfile.TemporaryDirectory() as new:
        steps = [_steps(Path(folder), kept) for folder, kept in ((old, matches), (new, A_WEEK))]
    for what, few in steps[1].items():
        many = steps[0][what]
        yield Finding(
            f"{what}, {matches:,} matches in the log: costs what it costs with {A_WEEK}, and a glance at each",
            1,
            many > FLAT * few + GLANCE * matches,
            f"{many:,} steps of SQLite's machine, {few:,}",
        )


def _steps(folder: Path, matches: int) -> dict[str, int]:
    fill(folder / "log.sqlite", matches)
    counted: dict[str, int] = {}
    with _counting() as count, living(folder, simulated=True) as live:
        counted["a start"] = count()
        phone = client_of(app_of(live), TABLET)
        phone.get("/season.csv")  # which waits until all are judged
        for path in ("/", "/story", "/results", f"/results/{matches}", "/season"):
            count()
            assert phone.get(path).status_code == 200
            counted[f"the page {path.removesuffix(str(matches))}"] = count()
    return counted


@contextlib.contextmanager
def _counting() -> Iterator[Callable[[], int]]:
    """Count the steps of SQLite's machine on the log; give a function that tells them and begins anew."""
    steps = 0
    connected = opening.connected

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    def counting(path: Path, how: str = "rwc") -> sqlite3.Connection:
        db = connected(path, how)
        db.set_progress_handler(step, 1)
        return db

    def count() -> int:
        nonlocal steps
        told = steps
        steps = 0
        return told

    opens, lays_out = (f"companion.storage.{name}.connected" for name in ("opening", "log_layout"))
    with patch(opens, counting), patch(lays_out, counting):
        yield count


@contextlib.contextmanager
def _table() -> Iterator[tuple[Live, int]]:
    with tempfile.TemporaryDirectory() as folder, living(Path(folder)) as live, serving(app_of(live)) as port:
        yield live, port


def _opened(port: int) -> socket.socket:
    """Ask for the stream, with as little room for what is not read as there can be."""
    phone = socket.socket()
    phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    phone.connect(("127.0.0.1", port))
    phone.sendall(asking(STREAM))
    return phone


class _Slow:
    """A phone that reads a little at a time."""

    def __init__(self, port: int):
        self._socket = _opened(port)
        self._got = b""
        self._go_on = True
        self._thread = threading.Thread(target=self._read)

    def __enter__(self) -> "_Slow":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _read(self) -> None:
        with contextlib.suppress(ConnectionError):
            while self._go_on and (got := self._socket.recv(SLOW)):
                self._got += got
                time.sleep(0.05)

    def end(self, newest: int) -> tuple[list[int], int]:
        """Read on until the newest page is there; give what each page said, and how many bytes came late."""
        self._go_on = False
        self._thread.join()
        before = len(self._got)
        self._socket.settimeout(1.0)
        end = time.monotonic() + PATIENCE
        while self._pages()[-1:] != [newest] and time.monotonic() < end:
            with contextlib.suppress(TimeoutError, ConnectionError):
                self._got += self._socket.recv(1 << 16)
        return self._pages(), len(self._got) - before

    def _pages(self) -> list[int]:
        *messages, _ = self._got.partition(b"\r\n\r\n")[2].split(END)
        news = [one.rpartition(b"\r\n")[2].removeprefix(b"retry: 1000\n") for one in messages if TICK not in one]
        return [zlib.crc32(one) for one in news]


def _says(get: Callable[..., object]) -> int:
    """Return what the stream says when it says what the page itself shows."""
    found = re.search(rb'<main id="live"[^>]*>(.*?)</main>', get("/?lang=fr").data, re.S)  # type: ignore[attr-defined]
    assert found
    return zlib.crc32(message(found[1]).removesuffix(END))


def _unread(port: int) -> dict[int, int]:
    """Return for each phone's port the bytes that wait for it in the kernel."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {
        int(remote.partition(":")[2], 16): int(queues.partition(":")[0], 16)
        for _, local, remote, state, queues, *_ in rows
        if int(local.partition(":")[2], 16) == port and state == "01"
    }


def _is_open(port: int, phone: socket.socket) -> bool:
    return phone.getsockname()[1] in _unread(port)


def _until(left: Callable[[], int], seconds: float) -> int:
    """Wait until none is left; give how many are after all."""
    end = time.monotonic() + seconds
    while (found := left()) and time.monotonic() < end:
        time.sleep(0.1)
    return found
