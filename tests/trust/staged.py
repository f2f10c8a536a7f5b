"""A table with everything plugged in that there may be, on a clock that is set: what the process of a `Twin` holds."""

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import gevent
from flask import Flask
from msgspec import UNSET
from msgspec.structs import replace

from companion import games
from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, Rights, phone_of
from companion.acts.question import Questions
from companion.devices import sensing
from companion.devices.buzzer_box import programs
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.figures import ButtonFigures, ButtonsFigures, ReaderFigures
from companion.devices.lamp_cues import Light
from companion.errors import CompanionError
from companion.events import UNKNOWN, Event, Pressed, Retracted, Said, Tapped
from companion.games import places
from companion.history.charts import charts
from companion.judge import match as matches
from companion.judge import record_file, views
from companion.judge.attribution import did, doers
from companion.judge.match import Match
from companion.kit.random_matches import secrets as secrets_of
from companion.live.judging import NoMatch
from companion.live.lamps import cues
from companion.live.table import Live
from companion.network.page_address import fixed
from companion.storage.files import phones_of
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.web import Room, create_app
from companion.web.render.verdicts import mark
from tests.web.table import Clock, TestDemo, TestHand

TOKENS = {part: f"{part + 1:02x}" * 16 for part in (HOST, 1, 2, 3, 4, 5, 6)}
"""By part, the token of the phone that holds it."""
_CARDS = [(game.slug, card) for game in games.known().values() for card in game.deck]
UIDS = {card: f"04{number:012X}" for number, card in enumerate(_CARDS)}


class Source:
    """A source that is told what it tells."""

    def start(self) -> None: ...

    def listen(self, tell: sensing.Tell, stop: threading.Event) -> None: ...

    def close(self) -> None: ...


class Pad(Source):
    """A reader whose figures betray which card lies on it, as a real one's might."""

    def __init__(self, place: str):
        self.place = place
        self.name = f"reader {place}"
        self.uid = ""

    @property
    def figures(self) -> ReaderFigures:
        share = int(hashlib.sha256(self.uid.encode()).hexdigest()[:4], 16) / 65535
        return ReaderFigures(self.place, "PN532 firmware 1.6", 20 + 60 * share, share)


class Box(Source):
    """Buttons with lamps; it keeps what the lamps were told to show."""

    name = "buzzers"

    def __init__(self) -> None:
        self.presses = dict.fromkeys(range(1, 7), 0)
        self.shown: list[dict[int, str]] = []

    def show(self, wanted: Mapping[int, Light]) -> None:
        now = {seat: str(cue) for seat, cue in sorted(wanted.items())}
        if not self.shown or self.shown[-1] != now:  # the box is told nothing twice
            self.shown.append(now)

    @property
    def figures(self) -> ButtonsFigures:
        return ButtonsFigures(tuple(ButtonFigures(*press) for press in self.presses.items()), "all")


class Table:
    """What the other process may have done at this table."""

    def __init__(self, folder: Path, *, virtual: bool, phones: Sequence[int]):
        self.hub = gevent.get_hub()
        tags = folder / "tags.toml"
        sections = {
            slug: [f'{card} = "{UIDS[slug, card]}"' for card in game.deck] for slug, game in games.known().items()
        }
        tags.write_text("".join(f"[{slug}]\n" + "\n".join(lines) + "\n" for slug, lines in sections.items()))
        self.clock = Clock()
        self.clock.now = 100.0
        self.log = Log(folder / "log.sqlite", writes=True)
        self.live = Live(self.log, self.clock, Decks(tags), simulated=virtual)
        self.phones = Phones(phones_of(self.log.path), self.clock)
        self._first = self.phones.rights.codes
        self.give(phones)
        self.box, self.pads = Box(), {place: Pad(place) for place in places()}
        self.demo = TestDemo(self.live) if virtual else None
        sources: Any = [*self.pads.values(), self.box]
        steps = around((1, 2, 3, 4, 5, 6), places()[:7])
        under_way = lambda: self.live.snapshot.under_way  # noqa: E731
        self.checkup = Checkup(sources, steps, self.clock, programs.version(), self.live.tell, under_way)
        self.live.withhold_while(lambda: self.checkup.walking)
        self.live.watch(lambda: self.box.show(cues(self.live.snapshot)))
        self.app: Flask = create_app(
            Room(
                live=self.live,
                phones=self.phones,
                hand=TestHand(self.live) if virtual else None,
                demo=self.demo,
                found_at=fixed("http://192.168.4.1:8000/"),
                checkup=self.checkup,
            )
        )
        self.live.start()
        for source in sources:
            self.checkup.tell(sensing.Working(source.name, "firmware 1.6", 0.0))
        self._at: list[int] = []

    # What is done at it.

    def give(self, parts: Sequence[int]) -> None:
        """Have these parts held by their phones, and no other; codes are as in the beginning."""
        self.phones.change(lambda _: Rights(self._first, {part: phone_of(TOKENS[part]) for part in parts}))
        for part in parts:
            self.phones.here(seat_rights.who(self.phones.rights, phone_of(TOKENS[part])))

    def begin(self, event: Any) -> None:
        """Start a match as this first event tells; what the lamps show is written down anew."""
        for pad in self.pads.values():
            self.lift(pad)
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
                    elsewhere = (uid for (_, other), uid in UIDS.items() if other == card)
                    uid = UIDS.get((slug, card)) or next(
                        elsewhere, "04FFFFFFFFFFFF" if card == UNKNOWN else "04EEEEEEEEEEEE"
                    )
                    self.pads[place].uid = uid
                    self.checkup.tell(sensing.Appeared(place, uid, event.at))
                case Pressed(seat=seat) if not isinstance(event.by, str):
                    self.box.presses[seat] += 1
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

    def lift(self, pad: Pad) -> None:
        """Lift what lies there."""
        if pad.uid:
            gone = pad.uid
            pad.uid = ""
            self.checkup.tell(sensing.Gone(pad.place, gone, self.clock.now))

    def clear(self, seat: int) -> int:
        """Lift what lies at a seat; give the number of events."""
        self.lift(self.pads[f"seat-{seat}"])
        return self.settle()

    def lay(self, seat: int, card: str) -> None:
        """Lay a card at a seat, at once."""
        pad = self.pads[f"seat-{seat}"]
        pad.uid = UIDS[self.live.ask(lambda match: match.game.slug), card]
        self.checkup.tell(sensing.Appeared(pad.place, pad.uid, self.clock.now))
        self.settle()

    def settle(self) -> int:
        """Let the judge come to rest; give the number of events."""
        number = 0
        for _ in range(2):  # a delay that is due is seen to after the first
            with suppress(NoMatch):
                number = self.live.ask(lambda match: len(match.events))
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
        done.wait()

    def forget_question(self) -> None:
        questions = self.app.extensions["companion"].questions
        questions.close(lambda _: Questions())  # nobody has to wait before they ask the next

    def close(self) -> None:
        self.live.stop()
        self.log.close()

    # What it is asked.

    def routes(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return every route of the application: its rule, its endpoint, its methods."""
        return [(rule.rule, rule.endpoint, tuple(sorted(rule.methods or ()))) for rule in self.app.url_map.iter_rules()]

    def may_know(self) -> dict[int | None, str]:
        """Return by observer what the pure rules say they may know: views, story, charts. None: no match."""

        def known(match: Match) -> dict[int | None, str]:
            told = {who: [views.view(match, who), views.story(match, who)] for who in (None, *match.seats)}
            return {who: json.dumps([*seen, list(map(str, charts(match)))], default=str) for who, seen in told.items()}

        return {} if self.live.snapshot.match is None else self.live.ask(known)

    def unit(self) -> str:
        """Name the unit that goes on."""
        return self.live.ask(lambda match: f"{len(match.public)} {match.game.unit(match.state)}")

    def match(self) -> int | None:
        return self.live.snapshot.match

    def digest(self) -> dict[str, Any]:
        """Return all that a request could have changed."""
        snapshot = self.live.snapshot
        started = "" if snapshot.match is None else self.live.ask(lambda match: repr(match.events[0]))
        stock = hashlib.sha256(repr(snapshot.stickers.stock).encode()).hexdigest()
        return {
            "match": (snapshot.match, started),
            "events": self.settle(),
            "rights": (self.phones.rights.holders, self.phones.rights.codes),
            "passing": dict(self.phones.rights.passing),
            "pause": snapshot.pause,
            "hearing": sorted(snapshot.hearing),
            "stickers": (repr(snapshot.stickers.progress), stock),
            "walk": repr(self.checkup._walk),
            "demo": self.demo and self.demo.telling,
            "question": self.app.extensions["companion"].questions.value.latest is not None,
        }

    def new_events(self, before: int) -> list[tuple[str, tuple[int | str, ...]]]:
        """Return the events after the first `before`, each with whose act it was."""

        def found(match: Match) -> list[tuple[str, tuple[int | str, ...]]]:
            listed = []
            for event in match.events[before:]:
                then = matches.judge(match.events[: event.seq - 1])
                whose = did(then, [event.target])[event.target] if isinstance(event, Retracted) else doers(then, event)
                listed.append((record_file.encode_line(event).decode(), tuple(whose)))
            return listed

        return self.live.ask(found)

    def acts(self) -> list[dict[str, Any]]:
        """Give, as forms, acts that may well come next."""
        return self.live.ask(lambda match: [_form(act) for act in match.game.moves.likely(match.state)])

    def entries(self) -> list[dict[str, Any]]:
        """Give, as forms, what takes back each entry of the story."""
        told = self.live.ask(lambda match: list(match.public))
        marks = [(verdict.code, mark(verdict.code, dict(verdict.facts))) for verdict in told]
        return [{"entry": str(entry), "code": code, "mark": marked} for entry, (code, marked) in enumerate(marks)]

    def mended(self) -> bool:
        """Whether somebody's own sensor or form was told of what lies elsewhere, as the game's law says it may be."""
        return bool(self.live.ask(lambda match: secrets_of(match.game).mended(match.events)))

    def deck(self) -> list[str]:
        """Return the cards of the match's game."""
        return self.live.ask(lambda match: list(match.game.deck))

    def names(self) -> dict[int, str]:
        return self.live.ask(lambda match: dict(match.names))

    def codes(self) -> dict[int, str]:
        return dict(self.phones.rights.codes)

    def lamps(self) -> list[dict[int, str]]:
        return self.box.shown


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
