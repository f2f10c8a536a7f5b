"""A tournament of 24 people at six virtual tables, played to its end, with the real broker killed and a table cloned.

In short half of them play. Each table's people play at once; the broker is killed in the middle of a round, twice, and
comes back with what it had saved. In another round a table is copied while it plays, as its card might be: copy and
table both go on, with the same match, until its keeper takes the copy away and starts the table anew. In the end the
hub's standings are those that follow from the tables' logs, and whoever knows the contract alone has heard the same.
"""

import random
import shutil
import sqlite3
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from companion.access.people import People
from companion.club import broker_requests, in_flight, publisher, results
from companion.club.hub import club_toml
from companion.club.hub.hub import Hub, opened
from companion.club.membership import Hindrance
from companion.club.payloads import About, MatchResult
from companion.club.publisher import Publisher
from companion.club_settings import ClubSettings
from companion.devices.monotonic_clock import TableClock
from companion.events import Player
from companion.live.table import Live
from companion.network.page_address import fixed
from companion.storage.files import club_of
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.web.hub import create_hub
from tests.club.broker import MOSQUITTO, Broker, keeping, running
from tests.club.outsider import Outsider
from tests.trust.findings import Finding, Tally
from tests.waiting import until

CLUB = "trial"
PEOPLE = [f"{first} {last}" for first in ("Ana", "Bo", "Cy", "Dee", "Eve", "Finn") for last in "KLMN"]
TABLES = ("Window", "Fireplace", "Kitchen", "Library", "Terrace", "Attic")
VISITORS = ("Visitor", "Guest", "Stranger", "Cousin")
HALFWAY = 9
"""Acts of a match after which something befalls its table."""
WHOLE = 120
"""Points of who wins a group of the tournament, as its page says."""


@contextmanager
def in_haste() -> Iterator[None]:
    """Wait for nothing that only people would wait for."""
    with (
        patch.object(in_flight, "PUBLIC_EVERY_S", 0.0),
        patch.object(broker_requests, "ASKED_EVERY_S", 0.2),
        patch.multiple(publisher, AGAIN_S=(0.02, 0.1), GOODBYE_S=0.5),
    ):
        yield


class Venue:
    """One of the tables."""

    def __init__(self, folder: Path, broker: Broker) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.broker = broker
        self.open()

    def open(self) -> None:
        self.log = Log(self.folder / "log.sqlite", writes=True)
        self.live = Live(self.log, TableClock(self.log.last_at()), Decks(None), simulated=True)
        self.live.start()
        about = About(self.folder.name, ("kartel",), (1, 2, 3, 4), ("en",), "http://t/", "0", simulated=True)
        settings = ClubSettings(broker=f"mqtt://127.0.0.1:{self.broker.port}", club=CLUB, name=self.folder.name)
        self.publisher = Publisher(settings, self.live, about)
        self.live.watch(self.publisher.look)
        self.publisher.start()

    def close(self) -> None:
        self.publisher.stop()
        self.live.stop()
        self.log.close()

    @property
    def is_taken_over(self) -> bool:
        return self.publisher.membership.hindrance is Hindrance.TAKEN_OVER

    def begin(self, people: Sequence[str]) -> int:
        return self.live.begin("kartel", tuple(Player(seat, name) for seat, name in enumerate(people, 1)), {})

    def go_on(self, chance: random.Random, halfway: Callable[[], None] = lambda: None) -> None:
        """Play the match on to its end, at random."""
        act = 0
        while not self.live.snapshot.views[None]["over"]:
            act += 1
            if act == HALFWAY:
                halfway()
            self.live.act(lambda match, now: (replace(chance.choice(match.game.moves.likely(match.state)), at=now),))

    def copied(self, to: Path) -> "Venue":
        """Copy the table as it stands, id and all."""
        to.mkdir()
        self.log.copy(to / "log.sqlite")
        with closing(sqlite3.connect(club_of(self.log.path))) as own, closing(sqlite3.connect(to / "own")) as copy:
            own.backup(copy)
        shutil.move(to / "own", club_of(to / "log.sqlite"))
        return Venue(to, self.broker)

    def truth(self) -> dict[int, MatchResult]:
        """Judge every match of the log again."""
        return {entry.id: found for entry in self.log.matches() if (found := results.judged(self.log, entry, People()))}


def trial(quick: bool) -> Iterator[Finding]:
    """Play one, or many."""
    if not MOSQUITTO:
        missing = "mosquitto is missing: `make setup` installs it"
        yield Finding("tournament: with the real broker", 0, 0, untried=missing)
        return
    seed = 1 if quick else random.SystemRandom().randrange(10**6)
    tally = Tally(seed)
    chance = random.Random(seed)
    for _ in range(1 if quick else 25):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as ending, in_haste():
            _one(Path(folder), ending, *(3, 3) if quick else (5, 6), chance, tally)
    yield from tally.findings("tournament: {}")


def _one(folder: Path, ending: ExitStack, rounds: int, tables: int, chance: random.Random, tally: Tally) -> None:
    broker = ending.enter_context(running(folder, *keeping(folder), "autosave_interval 1"))
    file = folder / "CLUB.toml"
    file.write_text(f'[club]\nbroker = "mqtt://127.0.0.1:{broker.port}"\nclub = "{CLUB}"\n')
    hub = ending.enter_context(opened(club_toml.load(file), fixed("http://127.0.0.1/")))
    outsider = Outsider(broker.port, CLUB)
    ending.callback(outsider.leave)
    venues = [Venue(folder / name, broker) for name in TABLES[:tables]]
    for one in venues:
        ending.callback(lambda one=one: one.close())
    until(lambda: all(one.publisher.membership.table for one in venues))
    by_id = {one.publisher.membership.table: one for one in venues}
    hub.tournament.begin(PEOPLE[: 4 * tables], rounds, 4)
    befalls = ["broker", "clone", "broker"] + [""] * (rounds - 3)
    chance.shuffle(befalls)
    if befalls[-1] == "clone":  # what a copy plays last nobody at the table ever plays
        befalls.reverse()
    played: list[dict[tuple[str, ...], tuple[str, int]]] = []
    for number, what in enumerate(befalls):
        hub.tournament.draw(number + 1, sorted(by_id), given_up=number)  # its last results may come later
        played.append(_round(hub, by_id, what, chance))
    _agree(hub, by_id, outsider, played, tally, f"{befalls}")


def _round(
    hub: Hub, by_id: Mapping[str, Venue], what: str, chance: random.Random
) -> dict[tuple[str, ...], tuple[str, int]]:
    """Play a round, in which something befalls; give who played where, and in which match."""
    found = hub.tournament.now()
    assert found is not None
    pods = found.of.drawn[-1].pods
    unlucky = chance.randrange(len(pods))
    seeds = [chance.random() for _ in pods]
    befallen = threading.Event()

    def play(at: int) -> tuple[str, int]:
        pod = pods[at]
        lot = random.Random(seeds[at])
        venue = by_id[pod.table]
        number = venue.begin(pod.people)
        befalling = {"broker": lambda: _kill(venue.broker, lot), "clone": lambda: _clone(venue, lot)}.get(what)
        if befalling is None or at != unlucky:
            venue.go_on(lot, lambda: befallen.wait(lot.random()))  # some are done before it befalls, some after
            return pod.table, number
        venue.go_on(lot, befalling)
        befallen.set()
        if what == "clone":
            venue.close()
            venue.open()
        return pod.table, number

    with ThreadPoolExecutor(len(pods)) as at_once:
        where = list(at_once.map(play, range(len(pods))))
    until(lambda: len(_finished(hub)) == len(pods), lambda: f"{what}: {_finished(hub)} of {len(pods)}")
    return {pod.people: there for pod, there in zip(pods, where, strict=True)}


def _finished(hub: Hub) -> list[int]:
    found = hub.tournament.now()
    return found.finished if found else []


def _kill(broker: Broker, chance: random.Random) -> None:
    broker.kill()
    time.sleep(chance.uniform(0, 0.3))
    broker.start()


def _clone(venue: Venue, chance: random.Random) -> None:
    """Copy a table; the copy plays the same match to another end, and one with others, until it is taken away."""
    copy = venue.copied(venue.folder.with_name(f"{venue.folder.name}-copy"))
    until(lambda: venue.is_taken_over or copy.is_taken_over)
    copy.go_on(chance)
    time.sleep(1)  # by the second is told which match of a number it is
    copy.begin(VISITORS)
    copy.go_on(chance)
    if not copy.is_taken_over:
        until(lambda: not copy.publisher.membership.waiting)
    copy.close()
    time.sleep(1)


def _agree(
    hub: Hub,
    by_id: Mapping[str, Venue],
    outsider: Outsider,
    played: Sequence[Mapping[tuple[str, ...], tuple[str, int]]],
    tally: Tally,
    example: str,
) -> None:
    """Compare what the hub tells with the logs, and with what an outsider has heard."""
    truth = {(table, match): found for table, venue in by_id.items() for match, found in venue.truth().items()}

    def alike() -> bool:
        """Whether the hub and the outsider have the same by now."""
        results = {(one["table"], one["match"]): without(one, "number") for one in _told(hub, "results?after=0")}
        tables = {one["table"]: without(one, "behind_s") for one in _told(hub, "tables")}
        return (results, tables) == (outsider.results(), outsider.tables())

    until(alike, lambda: f"{example}: {_told(hub, 'tables')} for {outsider.tables()}")
    tally.note("who has read the contract alone has heard what the hub tells", holds=True, example="")
    what = "whatever befell, the hub has every match as its table's log has it, once"
    told = [((one["table"], one["match"]), one) for one in _told(hub, "results?after=0")]
    for key, found in truth.items():
        own = without(msgspec.json.decode(msgspec.json.encode(found)), "revision")
        there = [without(one, "revision", "number", "table") for where, one in told if where == key]
        tally.note(what, holds=there == [own], example=f"{example} {key}: {there} for {own}")
    what = "the broker killed twice, a table cloned: the standings are those of the tables' logs"
    now = hub.tournament.now()
    assert now is not None
    points = {one.name: one.points for one in now.standings}
    true = _points(truth, played)
    tally.note(what, holds=points == true, example=f"{example} {points} for {true}")


def without(found: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key not in keys}


def _told(hub: Hub, route: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = msgspec.json.decode(create_hub(hub).test_client().get(f"/api/1/{route}").data)
    return found


def _points(
    truth: Mapping[tuple[str, int], MatchResult], played: Sequence[Mapping[tuple[str, ...], tuple[str, int]]]
) -> dict[str, int]:
    """Work the standings out from the logs: of who sits in a group each earns a share for everybody they beat."""
    points: defaultdict[str, int] = defaultdict(int)
    for one in played:
        for people, where in one.items():
            found = truth[where]
            worth = {player.name: _worth(found, player.seat) for player in found.players}
            for name in people:
                others = [worth[other] for other in people if other != name]
                beaten = sum(1.0 * (worth[name] > other) + 0.5 * (worth[name] == other) for other in others)
                points[name] += int(WHOLE * beaten / len(others))
    return dict(points)


def _worth(found: MatchResult, seat: int) -> tuple[bool, int]:
    return seat in found.winners, found.scores[str(seat)] or 0
