"""The watchdog asks the page however many others hold its connections."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.config import PageSettings
from companion.live.table import Live
from companion.machine.watchdog import answers, is_well, line_to, watched
from companion.threads import LastingThread
from companion.web.connections import RESERVED
from tests.waiting import PATIENCE, until
from tests.web.table import app_of, living, serving


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with living(tmp_path) as live:
        yield live


@contextlib.contextmanager
def streaming(port: int) -> Iterator[None]:
    phone = HTTPConnection("127.0.0.1", port)
    with contextlib.closing(phone):
        phone.request("GET", "/stream/score")
        phone.getresponse().readline()
        yield


def test_it_asks_over_one_connection_that_stays_open(live: Live) -> None:
    with serving(app_of(live)) as port, contextlib.closing(line_to(PageSettings("0.0.0.0", port))) as line:
        assert answers(live, line)
        held = line.sock
        assert held
        assert answers(live, line)
        assert line.sock is held


def test_where_its_connection_was_cut_it_comes_over_another(live: Live) -> None:
    with serving(app_of(live)) as port, contextlib.closing(line_to(PageSettings("127.0.0.1", port))) as line:
        with patch("companion.web.server.IDLE", 0.01):
            assert answers(live, line)
            assert line.sock.recv(1) == b""
        assert answers(live, line)


def test_it_is_in_already_where_streams_hold_every_place(live: Live) -> None:
    places = patch("companion.web.server._places", lambda: RESERVED + 1)
    with places, serving(app_of(live)) as port, contextlib.ExitStack() as phones:
        line = phones.enter_context(contextlib.closing(line_to(PageSettings("127.0.0.1", port))))
        assert answers(live, line)
        for _ in range(RESERVED):
            phones.enter_context(streaming(port))
        assert answers(live, line)


def test_it_says_nothing_good_while_a_thread_is_stuck(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    leave = threading.Event()
    stuck = LastingThread("reader centre", lambda _: bool(leave.wait()) or None, patience=0.0)
    with serving(app_of(live)) as port, contextlib.closing(line_to(PageSettings("127.0.0.1", port))) as line:
        assert is_well(live, line)
        stuck.start()
        until(lambda: not is_well(live, line))
        stuck.stop(leave.set)
        assert is_well(live, line)
    assert "reader centre has not come round in time" in caplog.text


def test_a_page_that_is_gone_does_not_answer(live: Live) -> None:
    with serving(app_of(live)) as port:
        line = line_to(PageSettings("127.0.0.1", port))
        assert answers(live, line)
    assert not answers(live, line)


def test_a_table_ends_though_its_page_answers_nobody_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", "@nobody")
    monkeypatch.setattr("companion.machine.watchdog._PATIENCE_S", 10 * PATIENCE)
    with socket.create_server(("127.0.0.1", 0)) as door, contextlib.ExitStack() as table:
        table.enter_context(watched(None, PageSettings("127.0.0.1", door.getsockname()[1])))
        connection, _ = door.accept()
        ends = threading.Thread(target=table.close, daemon=True)
        ends.start()
        until(lambda: not ends.is_alive())
        connection.close()
