"""Which server: the same small Flask app with open streams under each, and how long an update takes to all of them."""

import importlib.util
import subprocess
import sys
import time
from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.bench.phones import Phones
from tests.bench.rig import ROOT, environment, free_port, resident
from tests.bench.serving import SERVERS


def servers(quick: bool) -> Iterator[Figure]:
    for count in (20,) if quick else (500,):
        for name in SERVERS:
            if importlib.util.find_spec(name) is None:
                sys.stderr.write(f"{name} is not installed: pip install '.[bench]'\n")
            else:
                yield from _one(name, count, 3 if quick else 20)


def _one(name: str, count: int, samples: int) -> Iterator[Figure]:
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.serving", name, str(port), str(count)]
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
            time.sleep(0.6)
            arrived = sorted(updates[0].at for updates in phones.take() if updates)
            found.append((arrived[round(0.99 * len(arrived)) - 1] - began) * 1000)
        took = resident(server.pid)
    server.kill()
    server.communicate()
    yield Figure(f"{name}, {count} streams: until 99 % have an update", "ms", found)
    yield Figure(f"{name}, {count} streams: resident", "MB", [took])
