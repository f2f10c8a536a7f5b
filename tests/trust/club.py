"""A club's broker is told nothing sealed, and every result once, whatever is killed: with the real Mosquitto.

What the broker hears of two tables whose histories differ in what is sealed alone is the same to the byte, message for
message. And a table in a process of its own is killed at any moment, as is the broker: whoever counts each (match,
revision) once has in the end what the log says.

    python -m tests.trust.club LOG PORT

plays matches at a table in a club until it is killed.
"""

import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import count, islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

from companion.access.people import People
from companion.club import broker_requests, in_flight, publisher, results
from companion.club.membership import Membership
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
from tests.trust.daytime import daytime
from tests.trust.findings import Finding, Tally
from tests.trust.pairs import Pair, pairs
from tests.trust.staged import Table
from tests.trust.twin import EVENING
from tests.waiting import until

ABOUT = About("A table", ("stop-it",), (1, 2), ("en",), "http://192.168.4.1:8000/", "0", simulated=False)
CLUB = "trial"
EVENINGS = 6
"""Kills after which a new table is taken: after each, everything is sent again."""
_AT = re.compile(rb'"at":[0-9.]+,')
UNTRIED = "mosquitto is missing: `make setup` installs it"


class Member:
    """A staged table in a club, and what the broker heard of it."""

    def __init__(self, folder: Path, broker: Broker, follower: Follower) -> None:
        folder.mkdir()
        self.table = Table(folder, virtual=False, phones=())
        self._follower = follower
        settings = ClubSettings(broker=f"mqtt://127.0.0.1:{broker.port}", club=CLUB, name="A table")
        self._publisher = Publisher(settings, self.table.live, ABOUT)
        self.table.live.watch(self._publisher.look)
        self._publisher.start()
        until(lambda: not self._publisher.membership.behind)
        self._id = self._publisher.membership.table

    def asked(self) -> int:
        """Have it asked something of no use; give how many such there were before."""
        before = self.membership.ignored
        self._follower.say(topic_of(CLUB, self._id, "ask"), "?")
        return before

    @property
    def membership(self) -> Membership:
        return self._publisher.membership

    def heard(self) -> list[tuple[str, bytes]]:
        """Return every message so far; not when an act was, for in some pairs the same act comes later."""
        said = [one for one in self._follower.said if self._id in one.topic and not one.topic.endswith("/ask")]
        return [(one.what, _AT.sub(b"", one.raw)) for one in said]

    def close(self) -> None:
        self._publisher.stop()
        self.table.close()


@contextmanager
def in_haste() -> Iterator[None]:
    """Wait for nothing that only people would wait for."""
    with (
        patch.object(in_flight, "PUBLIC_EVERY_S", 0.0),
        patch.object(broker_requests, "ASKED_EVERY_S", 0.2),
        patch.multiple(publisher, AGAIN_S=(0.02, 0.1), GOODBYE_S=0.5),
    ):
        yield


def unseen(played: Iterable[Pair], seed: int) -> Iterator[Finding]:
    """Play pairs of histories at two tables; compare what the broker heard, act for act."""
    tally = Tally(seed)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ending:
        broker = ending.enter_context(running(Path(folder), OPEN))
        ending.enter_context(in_haste())
        ending.enter_context(daytime(EVENING))
        follower = Follower(broker.port)
        ending.callback(follower.leave)
        both = [Member(Path(folder) / name, broker, follower) for name in "ab"]
        for member in both:
            ending.callback(member.close)
        for pair in played:
            _compared(pair, both, follower, tally)
        yield from tally.findings("club: {}")


def _compared(pair: Pair, both: list[Member], follower: Follower, tally: Tally) -> None:
    for member in both:
        member.table.begin(pair.started)
    _rest(both, follower)  # what came of the match before may have opened what was sealed there
    begun = [len(member.heard()) for member in both]
    for number, sides in enumerate(pair.steps):
        for member, side in zip(both, sides, strict=True):
            for event in side:
                member.table.feed(event)
        known = [member.table.may_know().get(None) for member in both]
        if known[0] != known[1]:
            return
        _rest(both, follower)
        heard = [member.heard()[since:] for member, since in zip(both, begun, strict=True)]
        example = f"{pair.name}, step {number}: {[one[-2:] for one in heard]}"
        what = "a broker hears the same of tables that differ in what is sealed, message for message"
        tally.note(what, holds=heard[0] == heard[1], example=example, events=number + 2)


def _rest(both: list[Member], follower: Follower) -> None:
    """Wait until the broker has all that it is to have of both, and has passed it on."""
    for _ in range(2):  # the turn in which the second is seen began after the tables came to rest
        for member, before in [(member, member.asked()) for member in both]:
            until(lambda member=member, before=before: member.membership.ignored > before)  # type: ignore[misc]
    until(lambda: not any(member.membership.behind or member.membership.waiting for member in both))
    mark = str(time.monotonic_ns()).encode()
    follower.say("mark", mark)
    until(lambda: any(one.raw == mark for one in follower.said[-9:]))


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
    """Compare what is heard, then kill."""
    if not MOSQUITTO:
        yield Finding("club: with the real broker", 0, 0, untried=UNTRIED)
        return
    seed = 1 if quick else random.SystemRandom().randrange(10**6)
    yield from unseen(islice(pairs(random.Random(seed)), 2 if quick else 120), seed)
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
