"""A small Flask app with one stream, under one of several servers: `python -m tests.bench.serving SERVER PORT STREAMS`.

Says "ready" once it is about to serve; sends an update to every stream for every line it is given.
"""

import sys
import threading
from collections.abc import Callable, Iterator

from flask import Flask, Response

MESSAGE = b"data: " + b"x" * 4000 + b"\n\n"
"""About as long as the score page's live part."""


class Woken:
    """Streams in threads, woken by a condition."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0

    def ring(self) -> None:
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def feed(self) -> Iterator[bytes]:
        seen = -1
        while True:
            with self._changed:
                while seen == self._count:
                    self._changed.wait()
                seen = self._count
            yield MESSAGE


class Rung:
    """Streams in greenlets, woken by the page's own bell."""

    def __init__(self) -> None:
        from web.bell import Bell

        self._bell = Bell()
        self.ring = self._bell.ring

    def feed(self) -> Iterator[bytes]:
        while True:
            ring = self._bell.next_ring()
            yield MESSAGE
            ring.wait()


def _gevent(app: Flask, port: int, streams: int) -> None:
    from web.server import serve

    serve(app, "127.0.0.1", port)


def _waitress(app: Flask, port: int, streams: int) -> None:
    import waitress

    most = streams + 10
    waitress.serve(app, host="127.0.0.1", port=port, threads=most, connection_limit=2 * most, asyncore_use_poll=True)


def _cheroot(app: Flask, port: int, streams: int) -> None:
    from cheroot.wsgi import Server

    Server(("127.0.0.1", port), app, numthreads=streams + 10, request_queue_size=streams).start()


SERVERS: dict[str, Callable[[Flask, int, int], None]] = {"gevent": _gevent, "waitress": _waitress, "cheroot": _cheroot}


def main(name: str, port: str, streams: str) -> None:
    source = Rung() if name == "gevent" else Woken()
    app = Flask(__name__)
    app.add_url_rule("/stream", "stream", lambda: Response(source.feed(), mimetype="text/event-stream"))

    def update() -> None:
        for _ in sys.stdin:
            source.ring()

    threading.Thread(target=update, daemon=True).start()
    print("ready", flush=True)
    SERVERS[name](app, int(port), int(streams))


if __name__ == "__main__":
    main(*sys.argv[1:])
