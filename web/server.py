"""The web server: gevent's, in the calling thread, without patching anything: judge and drivers are native threads."""

import errno
import gc
import resource
import signal
import socket
import threading
from contextlib import closing, suppress

import gevent
from flask import Flask
from gevent.event import Event
from gevent.pool import Pool
from gevent.pywsgi import WSGIHandler, WSGIServer

WAITING = 1024
"""Phones that may knock at once."""
OPEN_FILES = 8192
"""Every phone holds one; the usual soft limit would lock the last ones out."""
UNSENT = 16_384
"""Bytes that wait for one phone. A phone that reads slowly then gets the newest page, not all that it has missed."""
PATIENCE = 30.0
"""Seconds for a phone to take anything of what waits for it; then it is cut off. A page that wakes up comes back."""


class Handler(WSGIHandler):  # type: ignore[misc] # gevent tells no types
    """Refuses what is no request, without filling the journal: anybody in the network can send that all evening."""

    ignored_socket_errors = (*WSGIHandler.ignored_socket_errors, errno.ETIMEDOUT)

    def handle(self) -> None:
        """Answer what comes over a connection. Who has hung up by then is told nothing.

        gevent leaves what it reads from to the collector, and the socket too where more was sent than it has read.
        """
        with closing(self.socket), closing(self.rfile), suppress(ConnectionError):
            super().handle()

    def read_request(self, raw_requestline: str) -> bool:
        """Return whether it is one, in plain letters and with a body in one piece: browsers send no other, and gevent
        and Flask stumble over some.
        """
        try:
            plain = raw_requestline.isascii() and super().read_request(raw_requestline)
            return plain and "Transfer-Encoding" not in self.headers
        except Exception:
            # Deliberately everything: gevent raises ValueError for most of what is malformed, IndexError for "HTTP/1".
            return False


def server(app: Flask, host: str, port: int) -> WSGIServer:
    """Return a server that listens once started; it belongs to this thread. Raises OSError where the port is taken."""
    made = WSGIServer((host, port), app, backlog=WAITING, spawn=Pool(), log=None, handler_class=Handler)
    made.stop_timeout = 0.1  # streams never end by themselves: then they are cut
    made.init_socket()
    # A phone's connections inherit this. Without NODELAY an answer waits 40 ms for the phone to acknowledge the last.
    for option, value in {
        socket.TCP_NODELAY: 1,
        socket.TCP_NOTSENT_LOWAT: UNSENT,
        socket.TCP_USER_TIMEOUT: round(PATIENCE * 1000),
    }.items():
        made.socket.setsockopt(socket.IPPROTO_TCP, option, value)
    return made


def serve(app: Flask, host: str, port: int) -> None:
    """Serve until told to stop (SIGINT, SIGTERM)."""
    asked = Event()
    if threading.current_thread() is threading.main_thread():
        for told in (signal.SIGINT, signal.SIGTERM):
            gevent.signal_handler(told, asked.set)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(OPEN_FILES, hard) if hard > 0 else OPEN_FILES, hard))
    running = server(app, host, port)  # only now phones come in: a stop from here on is an orderly one
    running.start()
    settling = gevent.spawn(_settle, app)
    asked.wait()
    settling.kill()
    running.stop()


def _settle(app: Flask) -> None:
    """Compile the templates one by one while nobody waits, so that no first press of a kind waits for it.

    Then all is there that stays: the collector passes over it from now on, or every now and then judge and pages would
    stand still for eight times as long.
    """
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
        gevent.sleep(0.02)
    gc.collect()
    gc.freeze()
