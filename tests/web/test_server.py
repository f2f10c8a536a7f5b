"""What the server does with bytes that are no request, or only half of one, and with connections without end."""

import contextlib
import errno
import gc
import logging
import socket
import threading
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from flask import Flask, request
from gevent.event import Event
from gevent.server import StreamServer

from companion import threads
from companion.events import Pressed
from companion.live.table import Live
from companion.web.connections import RESERVED
from companion.web.feed import Feed, Message
from companion.web.server import _settle, server
from tests.bench.phones import asking
from tests.waiting import PATIENCE, until
from tests.web.table import acts, app_of, serving

FORM = b"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
NO_REQUESTS = {
    "half a version": b"GET / HTTP/1\r\nHost: 127.0.0.1\r\n\r\n",
    "bytes that are no letters": b"GET /?\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a body of no length": FORM + b"Content-Length: x\r\n\r\n",
    "a body in pieces": FORM + b"Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n",
    "a body in pieces of no size": FORM + b"Transfer-Encoding: chunked\r\n\r\n\r\n\r\n",
    "a body of two lengths": FORM + b"Content-Length: 5\r\nContent-Length: 0\r\n\r\nkind=",
    "a body of an odd length": FORM + b"Content-Length: +5\r\n\r\nkind=",
    "a blank before a colon": FORM + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a blank before a colon in many parts": (
        b"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\nX : y\r\n\r\n"
    ),
    "half a form": FORM + b"Content-Length: 500\r\n\r\nkind=pressed&seat=1",
}


@pytest.fixture
def port(live: Live) -> Iterator[int]:
    with serving(app_of(live)) as port:
        yield port


def sent(port: int, sent_bytes: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(sent_bytes)
        client.shutdown(socket.SHUT_WR)
        return client.makefile("rb").read()


@pytest.mark.parametrize("sent_bytes", NO_REQUESTS.values(), ids=NO_REQUESTS.keys())
def test_what_is_no_request_is_refused_without_filling_the_journal(
    live: Live, port: int, capfd: pytest.CaptureFixture[str], sent_bytes: bytes
) -> None:
    assert sent(port, sent_bytes).startswith(b"HTTP/1.1 400 ")
    assert sent(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 200 ")
    assert capfd.readouterr().err == ""
    assert acts(live) == 1


def test_who_hangs_up_before_being_refused_fills_no_journal(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    sent_bytes = b"OPTIONS / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
            client.sendall(sent_bytes + NO_REQUESTS["half a version"])
        assert sent(port, sent_bytes).startswith(b"HTTP/1.1 200 ")  # by then the other was refused
    assert capfd.readouterr().err == ""


# Connections that say nothing, or hardly anything.

BEGUN = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "half its headers": b"GET / HTTP/1.1\r\nHost: 127",
    "half its form": FORM + b"Content-Length: 500\r\n\r\nkind=pressed&seat=1",
}
WHOLE = b"OPTIONS / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
NEVER = 3600.0


@contextlib.contextmanager
def connected(port: int, sent_bytes: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(sent_bytes)
        yield client


def wait_for_words(client: socket.socket, words: bytes) -> None:
    """Wait for these words."""
    received = b""
    while words not in received:
        more = client.recv(1 << 16)
        assert more, "the server hung up"
        received += more


def is_cut(client: socket.socket) -> bool:
    """Wait until the server hangs up, without a word more."""
    with contextlib.suppress(ConnectionError):
        return client.recv(1 << 16) == b""
    return True


@pytest.mark.parametrize("sent_bytes", BEGUN.values(), ids=BEGUN.keys())
def test_a_request_that_does_not_come_is_cut(live: Live, capfd: pytest.CaptureFixture[str], sent_bytes: bytes) -> None:
    with (
        patch("companion.web.server.REQUEST", 0.05),
        serving(app_of(live)) as port,
        connected(port, sent_bytes) as silent,
    ):
        assert is_cut(silent)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("sent_bytes", list(BEGUN.values())[1:], ids=list(BEGUN)[1:])
def test_a_request_that_drips_is_cut_as_well(live: Live, sent_bytes: bytes) -> None:
    def cut() -> bool:
        try:
            dripping.sendall(b"x")
            return dripping.recv(1 << 16) == b""
        except TimeoutError:
            return False
        except ConnectionError:
            return True

    with (
        patch("companion.web.server.REQUEST", 0.3),
        serving(app_of(live)) as port,
        connected(port, sent_bytes) as dripping,
    ):
        dripping.settimeout(0.01)
        until(cut)
    assert acts(live) == 1


def test_a_phone_may_ask_again_over_its_connection_which_ends_when_it_does_not(live: Live) -> None:
    with patch("companion.web.server.IDLE", NEVER), serving(app_of(live)) as port, connected(port) as phone:
        for _ in range(2):
            phone.sendall(WHOLE)
            wait_for_words(phone, b"200 OK")
        with patch("companion.web.server.IDLE", 0.05):
            phone.sendall(WHOLE)
            wait_for_words(phone, b"200 OK")
            assert is_cut(phone)


def test_whoever_asks_on_without_waiting_lets_the_others_ask_between(live: Live) -> None:
    app = app_of(live)
    order = list[str]()
    began = threading.Event()
    came = threading.Event()

    @app.before_request
    def note() -> None:
        order.append(request.path)
        if len(order) == 1:
            began.set()
            came.wait(PATIENCE)

    with serving(app) as port, connected(port) as phone, connected(port, 50 * asking("/static/icon.svg")) as greedy:
        assert began.wait(PATIENCE)
        phone.sendall(asking("/qr.svg"))
        came.set()
        wait_for_words(phone, b"200 OK")
        wait_for_words(greedy, b"200 OK")
    assert order.index("/qr.svg") < 49


def test_a_request_that_the_end_of_the_page_cuts_off_is_told_of_no_fault(live: Live) -> None:
    """The phone asks again, as after any connection that is lost."""
    app = app_of(live)
    requested = threading.Event()

    def wait() -> str:
        requested.set()
        Event().wait()
        return ""

    app.view_functions[app.url_map.bind("127.0.0.1").match("/join")[0]] = wait
    with contextlib.ExitStack() as client_lives:
        with serving(app) as port:
            client = client_lives.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
            client.sendall(b"GET /join HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert requested.wait(PATIENCE)
        assert client.recv(1024) == b""


def test_a_stream_is_not_cut_while_it_lives(live: Live) -> None:
    with serving(app_of(live)) as port, connected(port, asking("/stream/score")) as phone:
        wait_for_words(phone, b"shortest arms")
        with patch("companion.web.server.REQUEST", 0.05), connected(port) as silent:
            assert is_cut(silent)
        live.enter(Pressed(0, 0.0, 1))
        wait_for_words(phone, b"data: ")


def test_a_proxys_streams_count_for_whoever_listens(live: Live) -> None:
    proxies = ("127.0.0.1",)

    def listening(address: str) -> bytes:
        return asking("/stream/score").replace(b"\r\n\r\n", f"\r\nX-Forwarded-For: {address}\r\n\r\n".encode())

    with (
        patch("companion.web.server.SHARE", 1),
        serving(app_of(live, proxies=proxies), proxies=proxies) as port,
        connected(port, listening("192.168.1.7")) as first,
    ):
        wait_for_words(first, b"200 OK")
        with connected(port, listening("192.168.1.7")) as second, connected(port, listening("192.168.1.8")) as other:
            wait_for_words(second, b"503 Service Unavailable")
            wait_for_words(other, b"200 OK")


def test_silent_connections_cost_the_others_nothing(live: Live, capfd: pytest.CaptureFixture[str]) -> None:
    places = patch("companion.web.server._places", lambda: RESERVED + 20)
    never = patch("companion.web.server.REQUEST", NEVER)
    with places, never, contextlib.ExitStack() as held, serving(app_of(live)) as port:
        stream = held.enter_context(connected(port, asking("/stream/score")))
        wait_for_words(stream, b"shortest arms")
        silent = [held.enter_context(connected(port)) for _ in range(3 * (RESERVED + 20))]
        with connected(port, WHOLE) as phone:
            wait_for_words(phone, b"200 OK")
        assert is_cut(silent[0])
        live.enter(Pressed(0, 0.0, 1))
        wait_for_words(stream, b"data: ")
    assert capfd.readouterr().err == ""


def test_a_descriptor_that_is_lacking_is_told_in_one_line_and_waited_for(
    live: Live, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    lacking = [OSError(errno.EMFILE, "Too many open files")] * 3
    read_requests = StreamServer.do_read

    def do_read(server: StreamServer) -> object:
        if lacking:
            raise lacking.pop()
        return read_requests(server)

    short = patch.object(StreamServer, "do_read", do_read)
    soon = patch("companion.web.server.AGAIN", 0.01)
    with short, soon, serving(app_of(live)) as port, connected(port, WHOLE) as phone:
        wait_for_words(phone, b"200 OK")
    assert capfd.readouterr().err == ""
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_a_stream_that_nobody_hears_any_more_is_forgotten(live: Live) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door, contextlib.closing(server(app_of(live), door)) as page_server:
        page_server.feeds.add(Feed(lambda: Message(b""), Event))
        gc.collect()
        assert not [*page_server.feeds]


def test_a_template_for_which_no_file_was_left_is_compiled_later_and_a_broken_one_holds_up_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lacking = [OSError(errno.EMFILE, "Too many open files")] * 2
    compiled = []

    def first() -> None:
        if lacking:
            raise lacking.pop()
        compiled.append("first")

    def broken() -> None:
        raise ValueError("no template")

    compiling = [first, broken, lambda: compiled.append("last")]
    monkeypatch.setattr("companion.web.server.to_compile", lambda _: compiling)
    monkeypatch.setattr("companion.web.server.AGAIN", 0.0)
    monkeypatch.setattr(gc, "freeze", lambda: compiled.append("settled"))
    _settle(Flask("page"))
    assert compiled == ["first", "last", "settled"]
    assert [fault.thread for fault in threads.faults()] == ["page"]
    threads.forget_faults()
