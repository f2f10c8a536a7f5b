"""A live table with its page, for tests: real judge, real log, real server, a virtual hand."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import gevent
from flask import Flask
from flask.testing import FlaskClient
from gevent.event import Event as Asked
from jinja2.bccache import Bucket
from msgspec.structs import replace
from werkzeug.routing import Map, MapAdapter, Rule, RuleFactory

from companion import events, games
from companion.access.rights_file import Phones
from companion.access.seat_rights import PARTS, Rights, phone_of
from companion.cli.address import WAITING
from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import Appeared, Buzzed, Gone
from companion.events import Player
from companion.live.demo import Telling
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.network.page_address import fixed
from companion.storage import files
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.web import Room, create_app
from companion.web.render import environment
from companion.web.render.compiled_templates import Compiled
from companion.web.server import server
from tests.waiting import PATIENCE

SCRIPT = {"Accept": "application/json"}
"""What the page's own script sends with a form."""
TABLET = "7ab1e7" + 26 * "0"
"""A phone's token."""
ANAS, BOS, CLEOS = "a0" * 16, "b0" * 16, "c0" * 16
"""What the phones of Ana (host, seat 1), Bo and Cléo are known by."""
PEOPLE = (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo"))


class Tablet(FlaskClient):
    """The one phone of a family: the host's, and it holds every seat."""

    def __init__(self, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self.set_cookie("phone", TABLET)


class TestHand:
    """Hands what is done straight to the table."""

    __test__ = False
    places = ("seat-1", "seat-2", "seat-3", "seat-4", "seat-5", "seat-6", "centre")
    seats = (1, 2, 3, 4, 5, 6)

    def __init__(self, live: Live):
        self.live = live

    def lay(self, place: str, slug: str, *cards: str, origin: str = "") -> None:
        origins = *[""] * (len(cards) - 1), origin
        self.live.tell(
            *(
                Appeared(place, f"virtual:{slug}/{card}", self.live.clock(), origin=name)
                for card, name in zip(cards, origins, strict=True)
            )
        )

    def lift(self, place: str) -> None:
        self.live.tell(Gone(place, "virtual:stop-it/red-1", self.live.clock()))

    def press(self, seat: int, at: float | None = None, origin: str = "") -> None:
        self.live.tell(Buzzed(seat, self.live.clock() if at is None else at, 0.0, origin))


class TestDemo:
    """Begins a match; the judge need not see it play."""

    __test__ = False

    def __init__(self, live: Live):
        self.live = live
        self.telling: Telling | None = None
        self.steps = 0
        self._changed: Callable[[], None] = lambda: None

    @property
    def running(self) -> bool:
        return self.telling is not None

    def watch(self, changed: Callable[[], None]) -> None:
        self._changed = changed

    def start(self, game: str, upon: Snapshot | None = None) -> None:
        self.live.begin_demo(game, PEOPLE[: games.known()[game].most_players], {}, upon)
        self._tell(Telling(game))

    def stop(self) -> None:
        self._tell(None)

    def open(self) -> None:
        self._tell(self.telling and replace(self.telling, opening=""))

    def hold(self) -> None:
        self._tell(self.telling and replace(self.telling, held=True))

    def go_on(self) -> None:
        self._tell(self.telling and replace(self.telling, held=False))

    def step(self) -> None:
        self.steps += 1
        self.hold()

    def hurry(self, speed: float) -> None:
        self._tell(self.telling and replace(self.telling, speed=speed))

    def _tell(self, telling: Telling | None) -> None:
        self.telling = telling
        self._changed()


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def living(
    folder: Path, clock: Any = None, tags: Path | None = None, name: str = "log.sqlite", **more: Any
) -> Iterator[Live]:
    log = Log(folder / name, writes=True)
    decks = Decks(tags, goes_on_without=True)
    live = Live(log, clock or TableClock(), decks, **more)
    live.start()
    if ailment := decks.ailment():
        live.ailing.note(ailment)
    try:
        yield live
    finally:
        live.stop()
        log.close()


def app_of(live: Live, **more: Any) -> Flask:
    """Make the page of a table whose host and players have one phone together, the tablet; tests' clients are it."""
    return app_with(live, phones_of(live, dict.fromkeys(PARTS, TABLET)), **more)


class _Routes(Map):
    """Routes are worked out for the first app that has them, and shared: else they are most of what an app costs."""

    def __init__(self, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self._added: list[Rule] = []

    def add(self, rulefactory: RuleFactory) -> None:
        self._added += rulefactory.get_rules(self)

    def bind(self, *args: Any, **more: Any) -> MapAdapter:
        return self._shared.bind(*args, **more)

    def bind_to_environ(self, *args: Any, **more: Any) -> MapAdapter:
        return self._shared.bind_to_environ(*args, **more)

    def iter_rules(self, endpoint: str | None = None) -> Iterator[Rule]:
        return self._shared.iter_rules(endpoint)

    @cached_property
    def _shared(self) -> Map:
        alike = tuple(
            (rule.rule, rule.endpoint, str(rule.defaults), *sorted(rule.methods or ())) for rule in self._added
        )
        with _ONE_AT_A_TIME:
            if alike not in _ROUTES:
                _ROUTES[alike] = Map(self._added)
            return _ROUTES[alike]


_ROUTES: dict[tuple[object, ...], Map] = {}
_ONE_AT_A_TIME = threading.Lock()
Flask.url_map_class = _Routes


class _Compiled(Compiled):
    """Templates that an app of this run has compiled or read from files: the next need not."""

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = _CODE.get((bucket.key, bucket.checksum))
        if not bucket.code:
            super().load_bytecode(bucket)
            _CODE[bucket.key, bucket.checksum] = bucket.code

    def dump_bytecode(self, bucket: Bucket) -> None:
        super().dump_bytecode(bucket)
        _CODE[bucket.key, bucket.checksum] = bucket.code


_CODE: dict[tuple[str, str], Any] = {}
environment.Compiled = _Compiled  # type: ignore[misc]


def app_with(live: Live, phones: Phones, *, virtual: bool = True, **more: Any) -> Flask:
    """Make the page of a table with these phones; `more` of its `Room` by name."""
    by_hand = {"hand": TestHand(live), "demo": TestDemo(live)} if virtual else {}
    app = create_app(
        Room(live=live, phones=phones, **{"found_at": fixed("http://192.168.4.1:8000/"), **by_hand, **more})
    )
    app.testing = True
    app.test_client_class = Tablet
    return app


def phones_of(live: Live, tokens: Mapping[int, str], clock: Any = time.monotonic) -> Phones:
    """Return the phones of a table; `tokens` says which holds what."""
    phones = Phones(files.phones_of(live.kept_in), clock)
    phones.change(lambda rights: Rights(rights.codes, {part: phone_of(token) for part, token in tokens.items()}))
    return phones


def token_of(phone: FlaskClient) -> str:
    """Return what a phone is known by."""
    cookie = phone.get_cookie("phone")
    assert cookie
    return cookie.value


def post(client: FlaskClient, path: str, **form: Any) -> tuple[int, str]:
    """Send a form as the script does; give the status and what the page says."""
    answer = client.post(path, data=form, headers=SCRIPT)
    return answer.status_code, answer.get_json()["message"]


def question(client: FlaskClient, path: str) -> str:
    """Return what names the question that a page asks; "" where it asks none."""
    match = re.search(r'name="question" value="(\w+)"', client.get(path).text)
    return match[1] if match else ""


def reply(client: FlaskClient, path: str, answer: str = "yes") -> tuple[int, str]:
    return post(client, "/answer", question=question(client, path), answer=answer)


def client_of(app: Flask, token: str | None) -> FlaskClient:
    """Return a phone with this token; None: one that has claimed nothing."""
    client = FlaskClient(app, app.response_class)
    if token:
        client.set_cookie("phone", token)
    return client


@contextmanager
def serving(app: Flask, port: int = 0, proxies: Sequence[str] = ()) -> Iterator[int]:
    """Serve in a thread of its own, as the main thread does in earnest; give the port."""
    ready = threading.Event()
    about: dict[str, Any] = {}

    def run() -> None:
        about["server"] = server(app, door, proxies=proxies)
        about["loop"] = gevent.get_hub().loop
        about["asked"] = Asked()
        about["server"].start()
        ready.set()
        about["asked"].wait()
        about["server"].stop()
        gevent.get_hub().destroy(destroy_loop=True)

    with socket.create_server(("127.0.0.1", port), backlog=WAITING) as door:
        thread = threading.Thread(target=run)
        thread.start()
        ready.wait(PATIENCE)
        try:
            yield door.getsockname()[1]
        finally:
            about["loop"].run_callback_threadsafe(about["asked"].set)
            thread.join(PATIENCE)


def to_count(live: Live, card: str = "red-stop-1", caller: int = 1) -> None:
    """Start, shout and show a stop card, at a table whose clock a test sets: everybody counts."""
    clock = live.clock
    assert isinstance(clock, Clock)
    clock.now += 1
    live.enter(events.Pressed(0, 0.0, caller))
    clock.now += 2
    live.enter(events.Pressed(0, 0.0, caller))
    clock.now += 1
    live.enter(events.Tapped(0, 0.0, "centre", card))  # type: ignore[arg-type]
    clock.now += 2


def enter_all(live: Live, acts: Sequence[events.Event]) -> None:
    """Enter a match's acts, each at its time; what everybody sees is worked out once."""
    clock = live.clock
    assert isinstance(clock, Clock)
    since = clock.now
    clock.now = clock.now + acts[-1].at
    live.act(lambda _, moment: [replace(act, at=since + act.at) for act in acts])


def count(live: Live, seat: int, cards: int) -> None:
    live.enter(events.Said(0, 0.0, seat, "count", cards))


def scored(live: Live) -> None:
    """Play a round: Cléo pays for the fewest red cards."""
    to_count(live)
    for seat, cards in ((1, 4), (3, 2), (5, 1)):
        count(live, seat, cards)


def counts(live: Live) -> dict[int, int]:
    """Return what each seat has counted."""
    return live.ask(lambda match: dict(match.state.counts))


def acts(live: Live) -> int:
    """Return how many events the match has; its start is one."""
    return live.ask(lambda match: len(match.events))
