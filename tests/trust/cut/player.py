"""A table that plays until it is cut off, and says what it has told to whom; and what must be there afterwards.

Every act can be told from every other one: a press by its origin, a card by its sticker's number, a word by its value.
"""

import random
import sqlite3
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.devices import sensing
from companion.devices.monotonic_clock import TableClock
from companion.events import Player, Pressed, Said, Tapped
from companion.judge import views
from companion.judge.match import judge
from companion.judge.record_file import decode
from companion.live.table import Live
from companion.storage.files import phones_of
from companion.storage.integrity import see_that_it_is_whole, unread_in_words
from companion.storage.log import Log
from companion.tags.deck_file import Decks

GAME = "stop-it"
PLAYERS = tuple(Player(seat, name) for seat, name in enumerate(("Ana", "Bo", "Cléo"), 1))
TAGS = "tags.toml"
LOG = "log.sqlite"

Say = Callable[[str], None]


class Act(msgspec.Struct, frozen=True):
    """What happens at the table: `kind` is "press", "tap" or "say", and no two have the same number."""

    kind: str
    number: int

    @property
    def name(self) -> str:
        """By this it is found again."""
        return f"{self.kind}-{self.number}"


def acts(chance: random.Random, first: int, count: int) -> Iterator[Act]:
    """Return different acts, mostly presses."""
    for number in range(first, first + count):
        yield Act(chance.choice(("press", "press", "press", "tap", "say")), number)


class Table:
    """A live table on the files of a folder, with nothing plugged in."""

    def __init__(self, folder: Path, say: Say):
        """Go on with the last match. Raises `LogFault`, `PhonesFault` and `TagsFault`."""
        self._say = say
        see_that_it_is_whole(folder / LOG)
        self.log = Log(folder / LOG, writes=True)
        self.phones = Phones(phones_of(self.log.path))
        say(f"codes {_digest(sorted(self.phones.rights.codes.items()))}")
        self.decks = Decks(folder / TAGS)
        self.live = Live(self.log, TableClock(self.log.last_at()), self.decks)
        self.live.watch(self._shown)
        self.live.start()
        self.lost = list(unread_in_words(self.log.path))

    def begin(self) -> None:
        """See to it that a match is played."""
        if self.live.snapshot.match is None:
            self.live.begin(GAME, PLAYERS, {})
            self._say("begun")

    def close(self) -> None:
        """Stop in good order."""
        self.live.stop()
        self.log.close()

    def do(self, together: Sequence[Act]) -> None:
        """Have these happen at once, and say of each that it is kept."""
        if together[0].kind == "say":
            for act in together:
                self.live.enter(Said(0, 0.0, 1, "count", act.number))
                self._say(f"kept {act.name}")
            return
        self.live.tell(*(self._sensed(act) for act in together))
        for act in together:
            self._say(f"kept {act.name}")

    def give(self, number: int) -> None:
        """Give the first seat to this phone."""
        self.phones.change(lambda now: seat_rights.Rights(now.codes, {1: str(number)}))
        self._say(f"phone {number}")

    def _sensed(self, act: Act) -> sensing.Sensing:
        at = self.live.clock()
        if act.kind == "press":
            return sensing.Buzzed(1 + act.number % 3, at, 0.0, act.name)
        return sensing.Appeared("centre", act.name, at)

    def _shown(self) -> None:
        played = self.live._judging.played  # the judge's own thread can't ask itself
        if played is not None:
            self._say(f"shown {len(played.match.events)} {_digest(self.live.snapshot.views[None]['told'])}")


def bundles(chance: random.Random, found: Iterable[Act]) -> Iterator[tuple[Act, ...]]:
    """Have a few of the same kind happen at once."""
    held: tuple[Act, ...] = ()
    for act in found:
        if held and (held[0].kind != act.kind or len(held) == 4 or chance.random() < 0.7):
            yield held
            held = ()
        held += (act,)
    if held:
        yield held


class Promised:
    """What was told to somebody, and so must be there whatever happens."""

    def __init__(self) -> None:
        """Nothing was told yet."""
        self.kept: dict[str, None] = {}
        """In the order in which they were told first."""
        self.tried: dict[str, None] = {}
        self.shown = 0, ""
        """How many events had been judged, and what everybody was shown then."""
        self.begun = False
        self.phone = -1
        self.codes = ""

    def hear(self, line: str) -> None:
        """Take in a line of what was said."""
        match line.split():
            case ["kept", name]:
                self.kept.setdefault(name)  # a press may be told again
            case ["tried", name]:
                self.tried[name] = None
            case ["shown", number, digest]:
                self.shown = int(number), digest
            case ["begun"]:
                self.begun = True
            case ["phone", number]:
                self.phone = int(number)
            case ["codes", digest]:
                self.codes = digest

    def presses(self, kept: bool = True) -> list[Act]:
        """Return the presses that were told as kept, or those that were not."""
        names = self.kept if kept else [name for name in self.tried if name not in self.kept]
        return [Act("press", int(name.removeprefix("press-"))) for name in names if name.startswith("press-")]

    def broken(self, folder: Path) -> Iterator[str]:
        """Say what of it is not so, by the files of a folder, which are only read."""
        if self.begun or self.kept:  # who was killed may have begun it without a word
            yield from self._log_broken(folder / LOG)
        phones = phones_of(folder / LOG)
        if self.codes:
            kept = msgspec.json.decode(phones.read_bytes(), type=seat_rights.Rights)
            if _digest(sorted(kept.codes.items())) != self.codes:
                yield "the codes are others"
            if self.phone > int(kept.holders.get(1, -1)):
                yield f"phone {self.phone} was told that it holds the seat"

    def _log_broken(self, path: Path) -> Iterator[str]:
        with closing(Log(path, writes=False)) as log:
            events = log.events(1)
        names = [name for name in _names(path) if name]
        if missing := self.kept.keys() - set(names):
            yield f"missing: {sorted(missing)}"
        if len(names) != len(set(names)):
            yield f"doubled: {sorted(name for name in set(names) if names.count(name) > 1)}"
        place = {name: number for number, name in enumerate(names)}
        found = [place[name] for name in self.kept if name in place]
        if found != sorted(found):
            yield "in another order than told"
        number, digest = self.shown
        if number and _digest(views.view(judge(events[:number]), None)["told"]) != digest:
            yield f"what was shown after {number} events is not what is judged now"


def _names(path: Path) -> Iterator[str]:
    """Return the name of each act in a log, in order; "" for what is none."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        rows = db.execute("SELECT origin, body FROM event WHERE match = 1 ORDER BY seq").fetchall()
    for (origin, _), event in zip(rows, decode(b"".join(body.encode() + b"\n" for _, body in rows)), strict=True):
        match event:
            case Pressed():
                yield origin
            case Tapped(tag=str(tag)):
                yield tag
            case Said(value=int(number)):  # words that a press says have no number of ours
                yield f"say-{number}"
            case _:
                yield ""


def _digest(value: object) -> str:
    return f"{zlib.crc32(msgspec.json.encode(value, enc_hook=repr)):08x}"


def aloud(line: str) -> None:
    """Tell it where a recording hears it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
