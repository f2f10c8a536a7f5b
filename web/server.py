"""The web server: gevent's, in the calling thread, without monkey-patching: judge and drivers are native threads."""

import errno
import gc
import io
import re
import resource
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Collection, Iterable
from contextlib import closing, suppress
from email.errors import FirstHeaderLineIsContinuationDefect, HeaderDefect, MissingHeaderBodySeparatorDefect
from email.message import Message
from typing import IO, Any
from weakref import WeakSet

import gevent
from flask import Flask
from gevent import GreenletExit, Timeout, ssl
from gevent.event import Event
from gevent.pool import Pool
from gevent.pywsgi import WSGIHandler, WSGIServer

from companion.threads import keep
from companion.web.connections import Connections
from companion.web.feed import Feed, Stream
from companion.web.http.app import LARGEST_FORM, LONGER, may_send_no_more
from companion.web.http.faults import FaultJournal
from companion.web.http.proxies import Proxies, forwarded_for, plain
from companion.web.render.environment import to_compile
from companion.web.render.words import to_read

OPEN_FILES = 8192
"""Descriptors to ask for: every connection takes one, and the usual soft limit of 1024 would lock phones out."""
OWN_FILES = 256
"""Descriptors kept for the log, the devices and the rest of the table."""
SHARE = 100
"""Connections from one address: many phones, if a whole club comes from one."""
AGAIN = 1.0
"""Seconds before a retry when no descriptor was left."""
AT_A_TIME = 16
"""New connections accepted before the open ones have their turn again."""
UNSENT = 16_384
"""Unsent bytes in a connection's buffer. Kept low, so that a slow phone gets the newest page and not the backlog."""
PATIENCE = 30.0
"""Seconds after which a connection that takes no data is cut. A page that wakes up reconnects."""
REQUEST = 15.0
"""Seconds for a whole request to arrive, from its first byte to the last of its body."""
LONG_REQUEST = 300.0
"""Seconds for a long body (a backup) to arrive."""
IDLE = 60.0
"""Seconds that a connection is kept alive for the next request."""
BREATH = 0.001
"""Seconds to sleep before a connection's next request; `sleep(0)` polls other connections only every fiftieth time."""

_LENGTH = re.compile("[0-9]{1,18}")
_TORN = (FirstHeaderLineIsContinuationDefect, HeaderDefect, MissingHeaderBodySeparatorDefect)
_NONE_LEFT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Handler(WSGIHandler):  # type: ignore[misc] # gevent tells no types
    """Reads each request whole and within a deadline before answering it.

    Malformed requests are refused without a line in the journal: anybody on the network could fill it.
    """

    socket: Any
    _body: IO[bytes]
    _has_place: bool
    """Whether the client behind a proxy may have another connection."""
    ignored_socket_errors = (*WSGIHandler.ignored_socket_errors, errno.ETIMEDOUT)

    def handle(self) -> None:
        """Answer the requests of a connection; a client that hung up or was too slow gets no answer.

        Both are closed here: gevent leaves the reader to the garbage collector, and the socket too if unread data is
        left.
        """
        self._connections: Connections = self.server.connections
        self._limit = Timeout()
        self._patience = REQUEST
        with closing(self.socket), closing(self.rfile), suppress(ConnectionError, Timeout):
            try:
                super().handle()
            finally:
                self._limit.close()

    def read_requestline(self) -> str:
        """Wait for a request, and read its first line. Pipelined requests let other connections have turns between."""
        self._connections.waits(self.socket)
        if self._patience == IDLE:  # it has been answered before
            gevent.sleep(BREATH)
        # Two deadlines: a kept-alive connection may be idle for long, but a request once begun must arrive quickly.
        self._within(self._patience)
        self.rfile.peek(1)
        self._within(REQUEST)
        line: str = super().read_requestline()
        return line

    def read_request(self, raw_requestline: str) -> bool:
        """Read a request; return whether it is well-formed, in ASCII and with a body of stated length.

        Browsers send no others, and gevent and Flask fail on some.
        """
        try:
            if not (raw_requestline.isascii() and super().read_request(raw_requestline) and _is_plain(self.headers)):
                return False
            length = self.content_length or 0
            most = max(LARGEST_FORM, self.server.most(self.path, self.headers))
            if length > most:
                # Flask answers 413 by the header alone. The body is not read, so the connection can't be used again.
                self.close_connection = True
                length = 0
            if length > LARGEST_FORM:
                return self._read_long(length)
            body = self.rfile.read(length)
            self._body = io.BytesIO(body)
            return len(body) == length
        except Exception:
            # Deliberately everything: gevent raises ValueError for most of what is malformed, IndexError for "HTTP/1".
            return False
        finally:
            self._limit.close()
            self._patience = IDLE
            self._connections.is_answered(self.socket)

    def _read_long(self, length: int) -> bool:
        """Read a long body into a temporary file; return whether all of it came."""
        self._within(LONG_REQUEST)
        self._body = tempfile.TemporaryFile()  # noqa: SIM115 - it goes with the request
        while length and (part := self.rfile.read(min(length, 1 << 16))):
            self._body.write(part)
            length -= len(part)
        self._body.seek(0)
        if length:
            self._body.close()
        return not length

    def handle_one_response(self) -> None:
        """Answer a request, and close its body."""
        if not self._has_place:
            self.application = _no_place
        with self._body:
            super().handle_one_response()

    def get_environ(self) -> dict[str, Any]:
        """Pass the app the body as read, so that it never reads from the connection."""
        environ: dict[str, Any] = super().get_environ()
        self.wsgi_input.rfile = self._body
        self.wsgi_input.socket = None
        peer = plain(environ["REMOTE_ADDR"])
        asker = forwarded_for(environ) if self.server.proxies.has(peer) else ""
        self._has_place = not asker or self._connections.asks_for(self.socket, asker)
        return {**environ, "REMOTE_ADDR": peer, "wsgi.input": self.wsgi_input, "wsgi.input_terminated": True}

    def process_result(self) -> None:
        """Send an answer; for a stream, hand the connection over to its feed and end this greenlet.

        With HTTP/1.0, which has no chunks, and over TLS, the client asks again instead.
        """
        if not isinstance(self.result, Stream) or self.server.ssl_enabled:
            super().process_result()
            return
        for first in self.result:
            self.write(first)
        self.close_connection = True
        if self.response_use_chunked:
            held = self.socket
            self.socket = None
            # Detached: closing gevent's socket at the end of this greenlet must not close the stream.
            line = socket.socket(held.family, held.type, held.proto, held.detach())
            self._connections.streams(held, line)
            self.server.feeds.add(self.result.feed)
            self.result.go_on(line, self._connections.left)

    def handle_error(self, kind: type[BaseException], wrong: BaseException, trace: Any) -> None:
        """Answer a fault with 500; while the server stops, with nothing: clients retry as after any lost connection."""
        if issubclass(kind, GreenletExit):
            self.close_connection = True
            return
        super().handle_error(kind, wrong, trace)

    def _log_error(self, kind: type[BaseException], wrong: BaseException, _: Any) -> None:
        """Journal a fault outside the app, at a bounded rate; gevent would print each."""
        self.server.faults.note("while a request was answered", wrong)

    def _within(self, seconds: float) -> None:
        self._limit.close()
        self._limit = Timeout.start_new(seconds)


class Server(WSGIServer):  # type: ignore[misc] # gevent tells no types
    """Accepts connections within the limits of `Connections`."""

    max_accept = AT_A_TIME

    def __init__(self, *args: Any, connections: Connections, proxies: Proxies, **more: Any):
        super().__init__(*args, **more)
        self.connections = connections
        self.proxies = proxies
        self.faults = FaultJournal()
        self.most: Callable[[str, Message], int] = may_send_no_more
        self.feeds = WeakSet[Feed]()
        """The feeds with listeners, to be closed at the end; weak, so that unused ones disappear."""

    def do_read(self) -> tuple[Any, Any] | None:
        """Accept the next connection; return None if there is none. Out of descriptors, pause accepting for `AGAIN`."""
        try:
            taken: tuple[Any, Any] | None = super().do_read()
            return taken
        except OSError as wrong:
            if wrong.errno not in _NONE_LEFT:
                raise
            self.connections.refused(str(wrong))
            self.stop_accepting()
            self._timer = self.loop.timer(AGAIN)
            self._timer.start(self._start_accepting_if_started)
            return None

    def do_handle(self, sock: Any, address: Any) -> None:
        """Serve a new connection if there is a place for it, else close it."""
        if self.connections.admits(sock, address[0]):
            super().do_handle(sock, address)
        else:
            sock.close()

    def wrap_socket_and_handle(self, client_socket: Any, address: Any) -> None:
        """Do the TLS handshake, then serve. Failures are not logged: any client may cause one by distrust."""
        try:
            with Timeout(REQUEST):
                secured = self.wrap_socket(client_socket, **self.ssl_args)
        except (OSError, Timeout):
            return
        self.connections.passes(client_socket, secured)
        try:
            self.handle(secured, address)
        finally:
            self.connections.left(secured)
            secured.close()

    def do_close(self, sock: Any, address: Any) -> None:
        """Close a connection, and free its place."""
        self.connections.left(sock)
        super().do_close(sock)

    def stop(self, timeout: float | None = None) -> None:
        """Stop accepting, and cut all connections."""
        super().stop(timeout)
        for feed in [*self.feeds]:
            feed.close()


def server(
    app: Flask, door: socket.socket, tls: tuple[str, str] | None = None, proxies: Collection[str] = ()
) -> WSGIServer:
    """Return a server that accepts connections once started; it belongs to this thread.

    `door` is a listening socket, which stays open afterwards: clients that connect while one app follows another wait
    in its backlog and are not refused. `tls`: the files of certificate and key; then a stream sends its state and ends,
    and the page asks again every second. `proxies`: addresses and networks of trusted reverse proxies.
    """
    trusted = Proxies(proxies)
    connections = Connections(_places(), SHARE, is_proxy=trusted.has)
    more = {
        "spawn": Pool(),
        "log": None,
        "handler_class": Handler,
        "connections": connections,
        "proxies": trusted,
    }
    if tls is not None:
        more["ssl_context"] = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        more["ssl_context"].load_cert_chain(*tls)
    listening = door.dup()
    listening.setblocking(False)
    server = Server(listening, app, **more)
    server.most = app.config[LONGER]
    server.stop_timeout = 0.1  # seconds; streams never end by themselves, so there is nothing to wait for
    server.init_socket()
    # Accepted connections inherit these. Without NODELAY an answer waits 40 ms for the client's delayed ACK.
    for option, value in {
        socket.TCP_NODELAY: 1,
        socket.TCP_NOTSENT_LOWAT: UNSENT,
        socket.TCP_USER_TIMEOUT: round(PATIENCE * 1000),
    }.items():
        server.socket.setsockopt(socket.IPPROTO_TCP, option, value)
    return server


def _no_place(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("503 Service Unavailable", [("Content-Length", "0"), ("Retry-After", str(round(AGAIN)))])
    return []


def _places() -> int:
    """Return for how many connections there are descriptors."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = min(OPEN_FILES, soft) if soft > 0 else OPEN_FILES
    return files - min(OWN_FILES, files // 2)


def _is_plain(headers: Message) -> bool:
    """Return whether the headers can be read in one way only.

    Else a proxy could see the end of a request elsewhere than this server does (request smuggling).
    """
    lengths = headers.get_all("Content-Length", [])
    return (
        "Transfer-Encoding" not in headers
        and len(lengths) < 2
        and all(_LENGTH.fullmatch(length.strip()) for length in lengths)
        and not any(isinstance(defect, _TORN) for defect in headers.defects)
    )


def serve(
    app: Flask,
    door: socket.socket,
    done: Iterable[Event] = (),
    tls: tuple[str, str] | None = None,
    proxies: Collection[str] = (),
) -> None:
    """Serve an app at a listening socket until SIGINT or SIGTERM, or until one of `done` is set."""
    stop = Event()
    for event in done:
        event.rawlink(lambda _: stop.set())
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            gevent.signal_handler(number, stop.set)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(OPEN_FILES, hard) if hard > 0 else OPEN_FILES, hard))
    running = server(app, door, tls, proxies)  # after the signal handlers: once phones come in, a stop is orderly
    running.start()
    settling = gevent.spawn(_settle, app)
    stop.wait()
    settling.kill()
    running.stop()


def _settle(app: Flask) -> None:
    """Compile templates and read languages one by one in idle time, so that no first request waits for them.

    All permanent objects exist then, and the garbage collector is made to skip them: judge and pages would otherwise
    stand still for eight times as long at each full collection.
    """
    for preparing in (*to_compile(app), *to_read()):
        while not _done(preparing):
            gevent.sleep(AGAIN)
        gevent.sleep(0.02)
    gc.unfreeze()  # what was frozen earlier holds garbage of imports, too
    gc.collect()
    gc.freeze()


def _done(preparing: Callable[[], object]) -> bool:
    """Call it; return False if no descriptor was left and it must be retried."""
    try:
        preparing()
    except OSError as wrong:
        return wrong.errno not in _NONE_LEFT
    except Exception as wrong:  # a broken template must not keep the others from being compiled
        keep("page", wrong)
    return True
