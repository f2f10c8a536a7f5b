"""Which server: the same small Flask app with open streams under each, and how long an update takes to all of them.

    python -m tests.bench.servers SERVER PORT STREAMS

serves it, says "ready" once it is about to, and sends an update to every stream for every line it is given.
"""

import importlib.util
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from flask import Flask, Response

from tests.bench.figures import Figure
from tests.bench.phones import Phones
from tests.bench.rig import ROOT, environment, free_port, resident

SERVERS = ("gevent", "waitress", "cheroot")
MESSAGE = b"data: " + b"x" * 4000 + b"\n\n"
"""About as long as the score page's live part."""


def servers(quick: bool) -> Iterator[Figure]:
    for name in SERVERS:
        if importlib.util.find_spec(name) is None:
            sys.stderr.write(f"{name} is not installed: pip install '.[bench]'\n")
        else:
            yield from _one(name, *((20, 3) if quick else (500, 20)))


def _one(name: str, count: int, samples: int) -> Iterator[Figure]:
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.servers", name, str(port), str(count)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin
    assert server.stdout
    server.stdout.readline()
    time.sleep(1)
    found = []
    with Phones(port, count, ("/stream",)) as phones:
        for _ in range(samples):
            phones.take()
            began = time.time()
            server.stdin.write(b"\n")
            server.stdin.flush()
            arrived = sorted(updates[0].at for updates in phones.take_all())
            found.append((arrived[round(0.99 * len(arrived)) - 1] - began) * 1000)
        took = resident(server.pid)
    server.kill()
    server.communicate()
    yield Figure(f"{name}, {count} streams: until 99 % have an update", "ms", found)
    yield Figure(f"{name}, {count} streams: resident", "MB", [took])


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


def serve(name: str, port: int, streams: int) -> None:
    source = Rung() if name == "gevent" else Woken()
    app, most = Flask(__name__), streams + 10
    app.add_url_rule("/stream", "stream", lambda: Response(source.feed(), mimetype="text/event-stream"))

    def update() -> None:
        for _ in sys.stdin:
            source.ring()

    threading.Thread(target=update, daemon=True).start()
    print("ready", flush=True)
    match name:
        case "gevent":
            from web.server import serve as by_gevent

            by_gevent(app, "127.0.0.1", port)
        case "waitress":
            import waitress

            how = {"threads": most, "connection_limit": 2 * most, "asyncore_use_poll": True}
            waitress.serve(app, host="127.0.0.1", port=port, **how)
        case "cheroot":
            from cheroot.wsgi import Server

            Server(("127.0.0.1", port), app, numthreads=most, request_queue_size=streams).start()


if __name__ == "__main__":
    serve(sys.argv[1], *map(int, sys.argv[2:]))
