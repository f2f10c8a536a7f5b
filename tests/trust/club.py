"""A club's broker is told every result once, whatever is killed: with the real Mosquitto.

A table in a process of its own is killed at any moment, as is the broker: whoever counts each (match, revision) once
has in the end what the log says. That it is told nothing sealed is seen in a bottle.

    python -m tests.trust.club LOG PORT

plays matches at a table in a club until it is killed.
"""

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from companion.access.people import People
from companion.club import broker_requests, in_flight, publisher, results
from companion.club.payloads import About, MatchResult, read
from companion.club.publisher import Publisher
from companion.club.topics import placed, topic_of
from companion.club_settings import ClubSettings
from companion.devices.monotonic_clock import TableClock
from companion.events import Player, Pressed
from companion.live.table import Live
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.club.broker import MOSQUITTO, OPEN, Broker, Follower, running
from tests.trust.findings import Finding, Tally
from tests.waiting import until

ABOUT = About("A table", ("stop-it",), (1, 2), ("en",), "http://192.168.4.1:8000/", "0", simulated=False)
CLUB = "trial"
EVENINGS = 6
"""Kills after which a new table is taken: after each, everything is sent again."""
UNTRIED = "mosquitto is missing: `make setup` installs it"


@contextmanager
def in_haste() -> Iterator[None]:
    """Wait for nothing that only people would wait for."""
    with (
        patch.object(in_flight, "PUBLIC_EVERY_S", 0.0),
        patch.object(broker_requests, "ASKED_EVERY_S", 0.2),
        patch.multiple(publisher, AGAIN_S=(0.02, 0.1), GOODBYE_S=0.5),
    ):
        yield


def killed(times: int, seed: int) -> Iterator[Finding]:
    """Kill the table or the broker at any moment; then compare what a hub would have with the log."""
    tally = Tally(seed)
    chance = random.Random(seed)
    for _ in range(0, times, EVENINGS):
        _kill(min(times, EVENINGS), chance, tally)
    yield from tally.findings("club: {}")


def _kill(times: int, chance: random.Random, tally: Tally) -> None:
    with tempfile.TemporaryDirectory() as name, running(Path(name), OPEN) as broker:
        log = Path(name) / "log.sqlite"
        folder = Path(name)
        hub = Follower(broker.port)
        for number in range(times):
            program = subprocess.Popen([sys.executable, "-m", "tests.trust.club", str(log), str(broker.port)])
            try:
                heard = len(hub.said)
                until(lambda heard=heard: len(hub.said) > heard)  # type: ignore[misc]
                time.sleep(chance.uniform(0, 0.5))
                match chance.choice(("table", "broker", "standstill")):
                    case "broker":
                        broker.kill()
                        time.sleep(chance.uniform(0, 0.3))
                        broker.start()
                    case "standstill":
                        broker.signal(signal.SIGSTOP)
                        time.sleep(chance.uniform(0, 0.3))
                        broker.signal(signal.SIGCONT)
            finally:
                program.kill()
                program.wait()
            _counted(folder, broker, hub, tally, number)
        hub.leave()


def _counted(folder: Path, broker: Broker, hub: Follower, tally: Tally, number: int) -> None:
    """Let the table come back without playing; compare."""
    with closing(Log(folder / "log.sqlite", writes=True)) as log:
        live = Live(log, TableClock(log.last_at()), Decks(None))
        table = Publisher(
            ClubSettings(broker=f"mqtt://127.0.0.1:{broker.port}", club=CLUB, name="A table"), live, ABOUT
        )
        live.start()
        with in_haste():
            table.start()
            until(lambda: table.membership.tried and table.membership.hindrance is None)
            late = Follower(broker.port, name="late")
            late.say(topic_of(CLUB, table.membership.table, "ask"), '{"since": 0}')
            latest = log.latest() or 0
            until(lambda: {one["match"] for one in late.of("result")} >= set(range(1, latest)))
            late.leave()
            table.stop()
        live.stop()
        true = {entry.id: results.judged(log, entry, People()) for entry in log.matches() if entry.id < latest}
    revisions: dict[tuple[int, int], bytes] = {}
    standing: dict[int, MatchResult] = {}
    for one in (*hub.said, *late.said):
        spot = placed(one.topic)
        found = read(one.raw, MatchResult)
        if spot is None or found is None or spot.what != "result":
            continue
        same = revisions.setdefault((found.match, found.revision), one.raw) == one.raw
        tally.note("a revision that comes twice is the same both times", holds=same, example=one.raw)
        if found.match not in standing or standing[found.match].revision < found.revision:
            standing[found.match] = found
    for match, result in true.items():
        there = standing.get(match)
        holds = there is not None and result == MatchResult(**{**_fields(there), "revision": 1})
        tally.note("after a kill a hub has what the log says", holds=holds, example=f"kill {number}: {match} {there}")


def _fields(found: MatchResult) -> dict[str, Any]:
    return {name: getattr(found, name) for name in found.__struct_fields__}


def trial(quick: bool) -> Iterator[Finding]:
    """Kill tables and brokers."""
    if not MOSQUITTO:
        yield Finding("club: with the real broker", 0, 0, untried=UNTRIED)
        return
    seed = 1 if quick else random.SystemRandom().randrange(10**6)
    yield from killed(1 if quick else 60, seed)


def play(path: Path, port: int) -> None:
    """Play matches at a table in a club, without end."""
    log = Log(path, writes=True)
    live = Live(log, TableClock(log.last_at()), Decks(None))
    table = Publisher(ClubSettings(broker=f"mqtt://127.0.0.1:{port}", club=CLUB, name="A table"), live, ABOUT)
    live.watch(table.look)
    live.start()
    with in_haste():
        table.start()
        for number in count():
            live.begin("stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
            live.enter(Pressed(0, 0.0, 1 + number % 2))
            time.sleep(0.02)


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
