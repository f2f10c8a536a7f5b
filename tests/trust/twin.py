"""A table in a process of its own, served as in earnest; its clock and its chances are given.

Two of them that are told the same answer with the same bytes, however many codes, tokens and lots are drawn on the way.
"""

import contextlib
import hashlib
import json
import multiprocessing
import os
import random
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import gevent
from flask import Flask
from itsdangerous import TimestampSigner
from jinja2 import FileSystemBytecodeCache
from msgspec import UNSET
from msgspec.structs import replace

from companion import games
from companion.access import seats
from companion.access.phones import Phones
from companion.access.seats import HOST, Rights, phone_of
from companion.devices import sensing
from companion.devices.box import own_firmware
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.figures import ButtonFigures, ButtonsFigures, ReaderFigures
from companion.devices.lamps import Cue
from companion.errors import CompanionError
from companion.events import PLACES, UNKNOWN, Event, Pressed, Retracted, Said, Tapped
from companion.history.charts import charts
from companion.judge import match as matches
from companion.judge import record, views
from companion.judge.attribution import did, doers
from companion.live import feedback, recorder
from companion.live.cues import cues
from companion.live.table import Live
from companion.storage.files import phones_of
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.bench.rig import free_port
from tests.games.test_every_game import secrets as secrets_of
from tests.web.table import Clock, TestDemo, TestHand, compiled
from web import create_app
from web.render.sentences import mark
from web.routes import pages
from web.server import serve

TOKENS = {part: f"{part + 1:02x}" * 16 for part in (HOST, 1, 2, 3, 4, 5, 6)}
"""By part, the token of the phone that holds it."""
PATIENCE_S = 60.0
UIDS = {
    (slug, card): f"04{number:012X}"
    for number, (slug, card) in enumerate((game.slug, card) for game in games.known().values() for card in game.deck)
}


class Same(datetime):
    """The time of day at every table of these trials."""

    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


class Pad:
    """A reader whose figures betray which card lies on it, as a real one's might."""

    def __init__(self, place: str):
        self.place = place
        self.name = f"reader {place}"
        self.uid = ""

    def start(self) -> None: ...

    def listen(self, tell: sensing.Tell, stop: threading.Event) -> None: ...

    def close(self) -> None: ...

    @property
    def figures(self) -> ReaderFigures:
        share = int(hashlib.sha256(self.uid.encode()).hexdigest()[:4], 16) / 65535
        return ReaderFigures(self.place, "PN532 firmware 1.6", 20 + 60 * share, share)


class Box:
    """Buttons with lamps; it keeps what the lamps were told to show."""

    name = "buzzers"

    def __init__(self) -> None:
        self.presses: dict[int, int] = {}
        self.shown: list[dict[int, str]] = []

    def start(self) -> None: ...

    def listen(self, tell: sensing.Tell, stop: threading.Event) -> None: ...

    def close(self) -> None: ...

    def show(self, wanted: Mapping[int, Cue]) -> None:
        now = {seat: str(cue) for seat, cue in sorted(wanted.items())}
        if not self.shown or self.shown[-1] != now:  # the box is told nothing twice
            self.shown.append(now)

    @property
    def figures(self) -> ButtonsFigures:
        return ButtonsFigures(tuple(ButtonFigures(seat, self.presses.get(seat, 0)) for seat in range(1, 7)), "all")


class Table:
    """What the other process may have done at this table."""

    def __init__(self, folder: Path, *, virtual: bool, phones: Sequence[int]):
        self.hub = gevent.get_hub()
        tags = folder / "tags.toml"
        tags.write_text(
            "".join(
                f"[{slug}]\n" + "".join(f'{card} = "{UIDS[slug, card]}"\n' for card in game.deck)
                for slug, game in games.known().items()
            )
        )
        self.clock = Clock()
        self.clock.now = 100.0
        self.log = Log(folder / "log.sqlite", writes=True)
        self.live = Live(self.log, self.clock, Decks(tags), simulated=virtual)
        self.phones = Phones(phones_of(self.log.path), self.clock)
        self._first = self.phones.rights.codes
        self.give(phones)
        self.box, pads = Box(), [Pad(place) for place in PLACES]
        self.pads = {pad.place: pad for pad in pads}
        self.demo = TestDemo(self.live) if virtual else None
        sources: Any = [*pads, self.box]
        self.checkup = Checkup(
            sources,
            around((1, 2, 3, 4, 5, 6), PLACES[:7]),
            self.clock,
            own_firmware.version(),
            self.live.tell,
            lambda: self.live.snapshot.under_way,
        )
        self.live.let_walk(lambda: self.checkup.walking)
        self.live.watch(lambda: self.box.show(cues(self.live.snapshot)))
        self.app: Flask = create_app(
            self.live,
            phones=self.phones,
            hand=TestHand(self.live) if virtual else None,
            demo=self.demo,
            address="http://192.168.4.1:8000/",
            checkup=self.checkup,
        )
        self.live.start()
        for source in sources:
            self.checkup.tell(sensing.Working(source.name, "firmware 1.6", 0.0))
        self._at: list[int] = []

    def give(self, parts: Sequence[int]) -> None:
        """Have these parts held by their phones, and no other; codes are as in the beginning."""
        holders = {part: phone_of(TOKENS[part]) for part in parts}
        self.phones.change(lambda _: Rights(self._first, holders))
        for part in parts:
            self.phones.here(self.who(part))

    def who(self, part: int) -> Any:
        return seats.who(self.phones.rights, phone_of(TOKENS[part]))

    def begin(self, event: Any) -> None:
        """Start a match as this first event tells; what the lamps show is written down anew."""
        for place, uid in list(self.live._status.lying.items()):
            self.tell(sensing.Gone(place, uid, self.clock.now))
        self.clock.now += 60  # a lamp that said of the match before that a card was read says so no more
        self.settle()
        self.box.shown.clear()
        self.clock.now = event.at - 1  # a press that came before the match would not count
        self.live.begin(event.game, event.players, event.options)
        self._at = [0, 1]

    def feed(self, event: Event) -> str | None:
        """Have happen what this event tells, by a sensor where one would tell it; say why not, where it can't be."""
        self.clock.now = event.at
        slug = self.live.ask(lambda match: match.game.slug)
        try:
            match event:
                case Tapped(place=place, card=card) if not isinstance(event.by, str):
                    uid = "04FFFFFFFFFFFF" if card == UNKNOWN else UIDS.get((slug, card), _elsewhere(card))
                    self.pads[place].uid = uid
                    self.checkup.tell(sensing.Appeared(place, uid, event.at))
                case Pressed(seat=seat) if not isinstance(event.by, str):
                    self.box.presses[seat] = self.box.presses.get(seat, 0) + 1
                    self.checkup.tell(sensing.Buzzed(seat, event.at, 0.0, ""))
                case Retracted(target=target):
                    self.live.enter(replace(event, target=self._at[target]))
                case _:
                    self.live.enter(event)
        except (CompanionError, ValueError) as wrong:
            return repr(wrong)
        finally:
            self._at.append(self.settle())
        return None

    def settle(self) -> int:
        """Let the judge come to rest; give the number of events."""
        for _ in range(2):  # a delay that is due is seen to after the first
            number = self.live.ask_any(lambda: len(self.live._played.match.events) if self.live._played else 0)
        return number

    def sent(self) -> None:
        """Wait until every stream has sent what it has to send."""
        self.settle()
        done = threading.Event()

        def look() -> None:
            for _ in range(2):  # whatever was rung for is done by then
                gevent.sleep(0.001)
            done.set()

        self.hub.loop.run_callback_threadsafe(gevent.spawn, look)
        done.wait(10)

    def tell(self, *sensings: sensing.Sensing) -> None:
        """Have a source tell this."""
        for told in sensings:
            if isinstance(told, sensing.Appeared | sensing.Gone) and told.place in self.pads:
                self.pads[told.place].uid = told.uid if isinstance(told, sensing.Appeared) else ""
            self.checkup.tell(told)

    def routes(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """Give every route of the application: its rule, its endpoint, its methods."""
        return [(rule.rule, rule.endpoint, tuple(sorted(rule.methods or ()))) for rule in self.app.url_map.iter_rules()]

    def may_know(self) -> dict[int | None, str]:
        """Give by observer what the pure rules say he may know: views, story, charts. None: no match."""
        if self.live.snapshot.match is None:
            return {}
        return self.live.ask(
            lambda match: {
                who: json.dumps(
                    [views.view(match, who), views.story(match, who), [str(one) for one in charts(match)]], default=str
                )
                for who in (None, *match.seats)
            }
        )

    def unit(self) -> str:
        """Name the lay, count, call or round that goes on."""
        return self.live.ask(lambda match: f"{len(match.public)} {match.game.unit(match.state)}")

    def digest(self) -> dict[str, Any]:
        """Give all that a request could have changed."""
        snapshot = self.live.snapshot
        walk = self.checkup._walk
        started = self.live._played.match.started if self.live._played else None
        return {
            "match": (snapshot.match, repr(started)),
            "events": self.settle(),
            "rights": (self.phones.rights.holders, self.phones.rights.codes),
            "passing": dict(self.phones.rights.passing),
            "halt": snapshot.pause,
            "stickers": (
                repr(snapshot.stickers.progress),
                hashlib.sha256(repr(snapshot.stickers.stock).encode()).hexdigest(),
            ),
            "walk": repr(walk),
            "demo": self.demo is not None and self.demo.running,
            "question": self.app.extensions["companion"].questions._open is not None,
        }

    def new_events(self, before: int) -> list[tuple[str, tuple[int | str, ...]]]:
        """Give the events after the first `before`, each with whose act it was."""

        def found(match: Any) -> list[tuple[str, tuple[int | str, ...]]]:
            listed = []
            for event in match.events[before:]:
                if isinstance(event, Retracted):
                    whose = did(matches.judge(match.events[: event.seq - 1]), [event.target])[event.target]
                else:
                    whose = doers(matches.judge(match.events[: event.seq - 1]), event)
                listed.append((record.encode_line(event).decode(), tuple(whose)))
            return listed

        return self.live.ask(found)

    def acts(self) -> list[dict[str, Any]]:
        """Give, as forms, acts that may well come next."""
        return self.live.ask(lambda match: [_form(act) for act in match.game.acts(match.state)])

    def entries(self) -> list[dict[str, Any]]:
        """Give, as forms, what takes back each entry of the story."""
        told = self.live.ask(lambda match: list(enumerate(match.public)))
        return [
            {"entry": str(entry), "code": verdict.code, "mark": mark(verdict.code, dict(verdict.facts))}
            for entry, verdict in told
        ]

    def forget_question(self) -> None:
        self.app.extensions["companion"].questions.close()

    def mended(self) -> bool:
        """Whether somebody's own sensor or form was told of what lies elsewhere, as the game's law says it may be."""
        return bool(self.live.ask(lambda match: secrets_of(match.game).mended(match.events)))

    def deck(self) -> list[str]:
        """Give the cards of the match's game."""
        return self.live.ask(lambda match: list(match.game.deck))

    def names(self) -> dict[int, str]:
        return self.live.ask(lambda match: dict(match.names))

    def codes(self) -> dict[int, str]:
        return dict(self.phones.rights.codes)

    def lamps(self) -> list[dict[int, str]]:
        return self.box.shown

    def hold_up(self, secret: str, seconds: float) -> None:
        """Plant a defect: an event that holds this text takes so much longer to judge."""
        feedback.judged = _slow(secret, seconds)

    def close(self) -> None:
        self.live.stop()
        self.log.close()


_JUDGED = feedback.judged


def _slow(secret: str, seconds: float) -> Any:
    def judged(match: Any, event: Event, answers: Any) -> Any:
        if secret in repr(event):
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                pass
        return _JUDGED(match, event, answers)

    return judged


def _form(act: Event) -> dict[str, Any]:
    match act:
        case Tapped(place=place, card=card):
            return {"kind": "tapped", "place": place, "card": card}
        case Pressed(seat=seat):
            return {"kind": "pressed", "seat": str(seat)}
        case Said(seat=seat, what=what, value=value):
            told = {} if value is UNSET else {"value": json.dumps(value)}
            return {"kind": "said", "seat": str(seat), "what": what, **told}
    return {"kind": "nothing"}


def _elsewhere(card: str) -> str:
    return next((uid for (_, other), uid in UIDS.items() if other == card), "04EEEEEEEEEEEE")


class Twin:
    """The other process, as seen from here."""

    def __init__(self, port: int, pipe: Connection, said: Path):
        self.port = port
        self.said = said
        """What the table said at the terminal."""
        self._pipe = pipe

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            self.begun(name, *args)
            return self.ended()

        return call

    def begun(self, name: str, *args: Any) -> None:
        """Have something done, without waiting for it."""
        self._pipe.send((name, args))

    def ended(self) -> Any:
        """Wait until it is done."""
        done, value = self._pipe.recv()
        if not done:
            raise RuntimeError(value)
        return value


@contextlib.contextmanager
def twin(folder: Path, *, virtual: bool = False, phones: Sequence[int] = (HOST, 1, 2, 3, 4, 5, 6)) -> Iterator[Twin]:
    """Give a table that serves; `phones` are the parts whose phones hold them."""
    folder.mkdir(parents=True)
    here, there = multiprocessing.Pipe()
    port = free_port()
    args = (folder, port, virtual, tuple(phones), compiled().directory, there)
    os.environ["PYTHONHASHSEED"] = "0"  # or a set's order, as in the header `Allow`, would be another one
    process = multiprocessing.get_context("spawn").Process(target=_table, args=args)
    process.start()
    there.close()
    try:
        if here.poll(PATIENCE_S):
            here.recv()
        _wait_for(port)
        yield Twin(port, here, folder / "said")
    finally:
        with contextlib.suppress(OSError):
            here.send(None)
        process.join(10)
        if process.is_alive():
            process.kill()


def _wait_for(port: int) -> None:
    """Wait until somebody listens there. From the same address one might chance upon this port, and meet oneself."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0)).close()
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def _table(folder: Path, port: int, virtual: bool, phones: tuple[int, ...], compiled: str, pipe: Connection) -> None:
    said = os.open(folder / "said", os.O_WRONLY | os.O_CREAT)
    os.dup2(said, 1)
    os.dup2(said, 2)
    chance = random.Random(1)
    secrets.token_hex = lambda number=16: chance.randbytes(number).hex()
    secrets.token_bytes = lambda number=16: chance.randbytes(number)
    secrets.choice = chance.choice
    pages._LOTS = chance  # type: ignore[assignment]
    TimestampSigner.get_timestamp = lambda self: 0  # type: ignore[method-assign]
    recorder.datetime = Same  # type: ignore[misc]
    table = Table(folder, virtual=virtual, phones=phones)
    table.app.jinja_env.bytecode_cache = FileSystemBytecodeCache(compiled)
    threading.Thread(target=_obey, args=(table, pipe), daemon=True).start()
    serve(table.app, "127.0.0.1", port)
    os._exit(1)  # told to stop by somebody else; the judge would go on


def _obey(table: Table, pipe: Connection) -> None:
    pipe.send("ready")
    parent = os.getppid()
    while True:
        try:
            while not pipe.poll(1):
                if os.getppid() != parent:  # it was killed
                    os._exit(1)
            asked = pipe.recv()
        except EOFError:
            asked = None
        if asked is None:
            table.close()
            sys.stdout.flush()
            os._exit(0)
        name, args = asked
        try:
            pipe.send((True, getattr(table, name)(*args)))
        except Exception as wrong:
            pipe.send((False, f"{name}{args}: {wrong!r}"))
