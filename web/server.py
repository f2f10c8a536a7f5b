"""The web server: gevent's, in the calling thread, without patching anything: judge and drivers are native threads."""

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
"""Every phone holds one; the usual soft limit would lock the last ones out."""
OWN_FILES = 256
"""Of these, what the log, the devices and the rest of the table may need: no phone gets them."""
SHARE = 100
"""Connections from one address: many phones, if a whole club comes from one."""
AGAIN = 1.0
"""Seconds before trying again to let somebody in when no descriptor was left."""
AT_A_TIME = 16
"""How many new connections come in before the open ones have their turn again."""
UNSENT = 16_384
"""Bytes that wait for one phone. A phone that reads slowly then gets the newest page, not all that it has missed."""
PATIENCE = 30.0
"""Seconds for a phone to take any of what waits for it before it is cut off. A page that wakes up comes back."""
REQUEST = 15.0
"""Seconds for a request to come, from the first byte of its line to the last of its form."""
LONG_REQUEST = 300.0
"""Seconds for one of the few long bodies that a site lets some phones send."""
IDLE = 60.0
"""Seconds that a connection stays open for the phone's next request, which then comes sooner."""
BREATH = 0.001
"""Seconds before a connection's next request: `sleep(0)` looks at the others only at every fiftieth."""

_LENGTH = re.compile("[0-9]{1,18}")
_TORN = (FirstHeaderLineIsContinuationDefect, HeaderDefect, MissingHeaderBodySeparatorDefect)
_NONE_LEFT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Handler(WSGIHandler):  # type: ignore[misc] # gevent tells no types
    """Refuses what is not a request, without filling the journal: anybody on the network can send that all evening.

    A request is read whole, in its time, before anything is made of it.
    """

    socket: Any
    _body: IO[bytes]
    _has_place: bool
    """Whether whoever asks by a proxy may have another connection."""
    ignored_socket_errors = (*WSGIHandler.ignored_socket_errors, errno.ETIMEDOUT)

    def handle(self) -> None:
        """Answer what comes over a connection. A phone that has hung up, or was too slow, is told nothing.

        gevent leaves its reader to the collector, and the socket too if more was sent than it has read.
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
        """Wait for a request, and read its first line. Between requests sent without waiting, others get their turn."""
        self._connections.waits(self.socket)
        if self._patience == IDLE:  # it has been answered before
            gevent.sleep(BREATH)
        self._within(self._patience)
        self.rfile.peek(1)
        self._within(REQUEST)
        line: str = super().read_requestline()
        return line

    def read_request(self, raw_requestline: str) -> bool:
        """Return whether it is one, in ASCII and with a body in one piece: browsers send no others, and gevent and
        Flask stumble over some.
        """
        try:
            if not (raw_requestline.isascii() and super().read_request(raw_requestline) and _is_plain(self.headers)):
                return False
            length = self.content_length or 0
            most = max(LARGEST_FORM, self.server.most(self.path, self.headers))
            if length > most:  # the page refuses it for its length, and nothing waits for the rest
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
        """Read a long body into a file; return whether all of it came."""
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
        """Answer a request; whatever came with it is no longer needed then."""
        if not self._has_place:
            self.application = _no_place
        with self._body:
            super().handle_one_response()

    def get_environ(self) -> dict[str, Any]:
        """Hand the body on as it was read: nothing after it is ever read from the phone."""
        environ: dict[str, Any] = super().get_environ()
        self.wsgi_input.rfile = self._body
        self.wsgi_input.socket = None
        peer = plain(environ["REMOTE_ADDR"])
        asker = forwarded_for(environ) if self.server.proxies.has(peer) else ""
        self._has_place = not asker or self._connections.asks_for(self.socket, asker)
        return {**environ, "REMOTE_ADDR": peer, "wsgi.input": self.wsgi_input, "wsgi.input_terminated": True}

    def process_result(self) -> None:
        """Send an answer. A phone that only listens from then on is held by a feed, and this greenlet ends.

        A phone that knows no chunks (HTTP/1.0) asks again instead, and so does one to which all is encrypted.
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
            line = socket.socket(held.family, held.type, held.proto, held.detach())
            self._connections.streams(held, line)
            self.server.feeds.add(self.result.feed)
            self.result.go_on(line, self._connections.left)

    def handle_error(self, kind: type[BaseException], wrong: BaseException, trace: Any) -> None:
        """Answer a fault. Whoever is cut off because the page ends gets no answer: they ask again, as of any connection
        that is lost.
        """
        if issubclass(kind, GreenletExit):
            self.close_connection = True
            return
        super().handle_error(kind, wrong, trace)

    def _log_error(self, kind: type[BaseException], wrong: BaseException, _: Any) -> None:
        """Write down a fault outside the application, which gevent would print however often it happens."""
        self.server.faults.note("while a request was answered", wrong)

    def _within(self, seconds: float) -> None:
        self._limit.close()
        self._limit = Timeout.start_new(seconds)


class Server(WSGIServer):  # type: ignore[misc] # gevent tells no types
    """Lets people in while there is room."""

    max_accept = AT_A_TIME

    def __init__(self, *args: Any, connections: Connections, proxies: Proxies, **more: Any):
        super().__init__(*args, **more)
        self.connections = connections
        self.proxies = proxies
        self.faults = FaultJournal()
        self.most: Callable[[str, Message], int] = may_send_no_more
        self.feeds = WeakSet[Feed]()
        """The feeds being listened to; one without listeners disappears by itself."""

    def do_read(self) -> tuple[Any, Any] | None:
        """Take the next connection; return None if there is none. Without a descriptor for it, wait a little."""
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
        """Answer whoever may stay."""
        if self.connections.admits(sock, address[0]):
            super().do_handle(sock, address)
        else:
            sock.close()

    def wrap_socket_and_handle(self, client_socket: Any, address: Any) -> None:
        """Agree on a secret with a phone, and answer it. One that does not trust us is not worth logging."""
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
        """Give a place back."""
        self.connections.left(sock)
        super().do_close(sock)

    def stop(self, timeout: float | None = None) -> None:
        """Let nobody else in, and cut all connections."""
        super().stop(timeout)
        for feed in [*self.feeds]:
            feed.close()


def server(
    app: Flask, door: socket.socket, tls: tuple[str, str] | None = None, proxies: Collection[str] = ()
) -> WSGIServer:
    """Return a server that lets people in once started; it belongs to this thread.

    `door` is already listening, and stays open afterwards: whoever knocks while one app follows another waits, and is
    not turned away. `tls`: the files of certificate and key; then a stream sends its state and ends, and the page
    asks again every second. `proxies`: the addresses of those that may hold connections for many.
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
    server.stop_timeout = 0.1  # streams never end by themselves: then they are cut
    server.init_socket()
    # A phone's connections inherit this. Without NODELAY an answer waits 40 ms for the phone to acknowledge the last.
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
    """Return how many connections there are descriptors for."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = min(OPEN_FILES, soft) if soft > 0 else OPEN_FILES
    return files - min(OWN_FILES, files // 2)


def _is_plain(headers: Message) -> bool:
    """Return whether there is one way to read them: a proxy before the table must not see another request than it."""
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
    """Serve whoever knocks at this door, until told to stop (SIGINT, SIGTERM), or until one of `done` is set."""
    stop = Event()
    for hub in done:
        hub.rawlink(lambda _: stop.set())
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            gevent.signal_handler(number, stop.set)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(OPEN_FILES, hard) if hard > 0 else OPEN_FILES, hard))
    running = server(app, door, tls, proxies)  # only now do phones come in: from here on, a stop is an orderly one
    running.start()
    settling = gevent.spawn(_settle, app)
    stop.wait()
    settling.kill()
    running.stop()


def _settle(app: Flask) -> None:
    """Compile templates and read languages one by one while nobody waits, so that no first press of its kind waits.

    Then everything permanent is there: from now on the collector skips it, or judge and pages would now and then stand
    still for eight times as long.
    """
    for preparing in (*to_compile(app), *to_read()):
        while not _done(preparing):
            gevent.sleep(AGAIN)
        gevent.sleep(0.02)
    gc.unfreeze()  # imports have left garbage, too
    gc.collect()
    gc.freeze()


def _done(preparing: Callable[[], object]) -> bool:
    """Prepare one thing; return False if no descriptor was left for it, and it must be tried again."""
    try:
        preparing()
    except OSError as wrong:
        return wrong.errno not in _NONE_LEFT
    except Exception as wrong:  # whoever asks for its page is told; the others are compiled all the same
        keep("page", wrong)
    return True
