"""What the server does with bytes that are no request, or only half of one."""

import socket

import pytest

from companion.live.table import Live
from tests.web.table import app_of, serving

FORM = b"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
NO_REQUESTS = {
    "half a version": b"GET / HTTP/1\r\nHost: 127.0.0.1\r\n\r\n",
    "bytes that are no letters": b"GET /?\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a body of no length": FORM + b"Content-Length: x\r\n\r\n",
    "a body in pieces": FORM + b"Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n",
    "a body in pieces of no size": FORM + b"Transfer-Encoding: chunked\r\n\r\n\r\n\r\n",
    "half a form": FORM + b"Content-Length: 500\r\n\r\nkind=pressed&seat=1",
}


def sent(port: int, given: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), 20) as client:
        client.sendall(given)
        client.shutdown(socket.SHUT_WR)
        return client.makefile("rb").read()


@pytest.mark.parametrize("given", NO_REQUESTS.values(), ids=NO_REQUESTS.keys())
def test_what_is_no_request_is_refused_without_filling_the_journal(
    live: Live, capfd: pytest.CaptureFixture[str], given: bytes
) -> None:
    with serving(app_of(live)) as port:
        assert sent(port, given).startswith(b"HTTP/1.1 400 ")
        assert sent(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").startswith(
            b"HTTP/1.1 200 "
        )
    assert capfd.readouterr().err == ""
    assert live.ask(lambda match: len(match.events)) == 1


def test_who_hangs_up_before_being_refused_fills_no_journal(live: Live, capfd: pytest.CaptureFixture[str]) -> None:
    asked = b"OPTIONS / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with serving(app_of(live)) as port:
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", port), 20) as client:
                client.sendall(asked + NO_REQUESTS["half a version"])
            assert sent(port, asked).startswith(b"HTTP/1.1 200 ")  # by then the other was refused
    assert capfd.readouterr().err == ""
