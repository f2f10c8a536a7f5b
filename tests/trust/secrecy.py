"""Nobody peeks: two live tables whose histories differ only in what is sealed, and all that others get of them.

That no time tells either is counted in calls of functions, in a bottle and by `probing`.
"""

import random
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from companion import games
from companion.access.seat_rights import HOST
from companion.history.profile import mark
from tests.trust import peeking
from tests.trust.findings import Finding, Tally
from tests.trust.offering import addresses, made_up
from tests.trust.pairs import HAND, Pair, by_hand, pairs
from tests.trust.peeking import Request, Streams, form, sent
from tests.trust.staged import TOKENS
from tests.trust.twin import twin

STATIC = sorted(file.name for file in (Path(__file__).parents[2] / "web" / "static").iterdir())
JSON = ("Accept", "application/json")
FRENCH = ("Accept-Language", "fr")
PACKED = ("Accept-Encoding", "gzip")
PAIRS = 120
"""Of histories, in the long form."""
LISTENS = "; aloud=everything"
"""What stands behind the token of a phone that reads its seat aloud to its player."""
_SIZE = re.compile(rb"[0-9a-f]{1,5}")


class Looker(NamedTuple):
    """Who looks on."""

    name: str
    token: str | None
    seat: int | None = None


class Both:
    """Two tables, and what was found out about them."""

    def __init__(self, folder: Path, seed: int, *, asked: int, posted: int):
        """`asked` and `posted`: how many requests a pair of histories, without and with a form."""
        self.folder = folder
        self.chance = random.Random(seed)
        self._asked = asked
        self._posted = posted
        self.tally = Tally(seed)
        self.reached: set[tuple[str, str]] = set()
        self.routes: list[tuple[str, str, tuple[str, ...]]] = []
        self.revealed = 0
        self.met = 0
        """Pairs in which a form named a card of the open hand, or one that was told to be read in two hands."""
        self._stack = ExitStack()
        self._number = 0
        self._pair = ""
        self._events = 0
        """How many have happened at either table since the match began."""

    def __enter__(self) -> "Both":
        self.anew()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def anew(self) -> None:
        """Set up two fresh tables."""
        self._stack.close()
        self._number += 1
        self.virtual = self._number % 3 == 0
        without = self.chance.choice((None, 1, 3, 5))
        self.phones = tuple(part for part in TOKENS if part != without)
        there = self.folder / str(self._number)
        self.one, self.other = (
            self._stack.enter_context(twin(there / name, virtual=self.virtual, phones=self.phones)) for name in "ab"
        )
        self.routes = self.one.routes()

    def note(self, what: str, *, equal: bool, example: object) -> None:
        """Count a comparison."""
        self.tally.note(what, holds=equal, example=f"{self._pair}: {example}", events=self._events)

    def each(self, name: str, *args: Any) -> tuple[Any, Any]:
        """Have the same done at both."""
        return getattr(self.one, name)(*args), getattr(self.other, name)(*args)

    def ask(self, asked: Request) -> tuple[bytes, bytes]:
        """Send the same to both."""
        return sent(self.one.port, asked), sent(self.other.port, asked)

    def compare(self, pair: Pair) -> None:
        """Play both histories under everybody's eyes, then ask for all there is."""
        self._pair = pair.name
        self._events = 1
        self.each("begin", pair.started)
        self.each("give", self.phones)
        seats = tuple(player.seat for player in pair.started.players)
        lookers = [Looker("nobody", None), Looker("spectator", "ff" * 16), Looker("host", TOKENS[HOST])]
        lookers += [Looker(f"seat {seat}", TOKENS[seat], seat) for seat in seats if seat not in pair.differ]
        wanted = dict(_streams(lookers, seats, virtual=self.virtual))
        streams = Streams(self.one.port, wanted), Streams(self.other.port, wanted)
        try:
            self._settled(streams, "the beginning")
            self._play(pair, streams)
            self._hear(pair, streams)
            known = self._known(lookers)
            self.note("what the rules alone tell an observer", equal=known is not None, example="views differ")
            if known is not None:
                pages = self._look(lookers, seats)
                self._terminal()
                self._act(lookers, seats, pages, streams)
        finally:
            for stream in streams:
                stream.close()
        if known is not None:
            lamps = [_shown(shown, pair.uneven) for shown in self.each("lamps")]
            at = next((at for at, (a, b) in enumerate(zip(*lamps, strict=False)) if a != b), min(map(len, lamps)))
            parts = [shown[max(0, at - 1) : at + 2] for shown in lamps]
            self.note("lamps", equal=lamps[0] == lamps[1], example=parts)
        self._terminal()

    def _terminal(self) -> None:
        """Compare what both have printed; a form that opens what was sealed is followed by two fresh tables."""
        said = [table.said.read_text(errors="replace") for table in (self.one, self.other)]
        self.note("terminal", equal=said[0] == said[1], example=said)

    def _play(self, pair: Pair, streams: tuple[Streams, Streams]) -> None:
        mood_at = self.chance.randrange(len(pair.steps)) if self.chance.random() < 0.35 else -1
        for number, (mine, theirs) in enumerate(pair.steps):
            if number == mood_at:
                self._mood(pair, streams)
            self._events += max(len(mine), len(theirs))
            for table, events in ((self.one, mine), (self.other, theirs)):
                for event in events:
                    table.feed(event)
                    table.sent()
            self._settled(streams, f"step {number}")

    def _mood(self, pair: Pair, streams: tuple[Streams, Streams]) -> None:
        """Have the host do something that stays: stickers, a walk around the table, a break."""
        card = self.chance.choice(list(games.known()[pair.started.game].deck))
        stays: list[tuple[str, dict[str, str]]] = [("/pause", {}), ("/free", {"part": "1"})]
        # Where a card is laid in one history alone, everybody sees it; what is said in one alone is told to everybody
        # if the act before it was withheld.
        if not pair.uneven and all(len(mine) == len(theirs) for mine, theirs in pair.steps):
            stays += [("/tags/begin", {"game": pair.started.game, "card": card}), ("/check/walk", {})]
        path, fields = self.chance.choice(stays)
        self._pair += f", after {path}"
        answers = self.ask(form(path, TOKENS[HOST], fields, JSON))
        self.note("answers to forms", equal=answers[0] == answers[1], example=f"{path} {answers}")
        self._settled(streams, path)

    def _hear(self, pair: Pair, streams: tuple[Streams, Streams]) -> None:
        """Have a seat that nobody looks at hear a card, another one at each table, and play none."""
        deck = [*games.known()[pair.started.game].deck]
        path = "/hear"
        for seat in sorted(pair.differ.intersection(self.phones))[:1]:
            answers = self.ask(form(path, TOKENS[seat], {"seat": seat}, JSON))
            self.note("answers to forms", equal=answers[0] == answers[1], example=f"{path} {answers}")
            self._settled(streams, path)
            if not answers[0].startswith(b"HTTP/1.1 200"):
                return  # the match is over or paused, or nothing can be laid there
            number = self.each("clear", seat)
            for table, card in zip((self.one, self.other), self.chance.sample(deck, 2), strict=True):
                table.lay(seat, card)
            self._settled(streams, "a card that is heard")
            self.note("a card that is heard is no act", equal=self.each("settle") == number, example=f"seat {seat}")

    def _settled(self, streams: tuple[Streams, Streams], at: str) -> None:
        """See that the same has come by every stream, when whatever may come has come."""
        self.each("sent")
        for stream in streams:
            stream.read()
        for name in streams[0].names:
            equal = streams[0].got(name) == streams[1].got(name)
            self.note(
                "streams, after every act",
                equal=equal,
                example="" if equal else f"{name} at {at}{_apart(streams, name)}",
            )

    def _known(self, lookers: list[Looker]) -> dict[int | None, str] | None:
        """Return what may be known; None where it is not the same at both."""
        one, other = self.each("may_know")
        same = all(one.get(looker.seat) == other.get(looker.seat) for looker in lookers)
        return one if same else None

    def _look(self, lookers: list[Looker], seats: tuple[int, ...]) -> list[tuple[Looker, bytes]]:
        """Ask for pages and whatever else there is; give the pages."""
        todo = [
            (looker, method, rule, path)
            for looker in lookers
            for rule, methods, path in self._addresses(seats)
            for method in ("GET", "HEAD", "OPTIONS", "PUT", "DELETE")
            if method in methods or self.chance.random() < 0.05
        ]
        self.chance.shuffle(todo)
        pages = []
        for looker, method, rule, path in todo[: self._asked]:
            self.reached.add((rule, method))
            asked = self._varied(Request(method, path, looker.token))
            one, other = self.ask(asked)
            self.note("pages, files, tables, errors", equal=one == other, example=f"{looker.name}: {asked}")
            if b"<form" in one:
                pages.append((looker, one))
        for looker, page in pages[:3]:
            for link in self.chance.sample(links := peeking.forms(page)[1], min(4, len(links))):
                if link.startswith("/"):
                    one, other = self.ask(Request("GET", link, looker.token))
                    self.note("pages, files, tables, errors", equal=one == other, example=f"{looker.name}: {link}")
        return pages

    def _varied(self, asked: Request) -> Request:
        more = [header for header in (FRENCH, PACKED, JSON) if self.chance.random() < 0.4]
        if asked.token and self.chance.random() < 0.3:
            asked = asked._replace(token=asked.token + LISTENS)
        if self.chance.random() < 0.05:
            more.append(self.chance.choice([("Host", "evil.example"), ("Range", "bytes=0-9"), ("If-None-Match", "*")]))
        return asked._replace(headers=tuple(more))

    def _addresses(self, seats: tuple[int, ...]) -> Iterator[tuple[str, tuple[str, ...], str]]:
        """Return every route of the application: rule, methods, and addresses with what may stand in it."""
        code = self.one.codes()[1]
        number = str(self.one.match())
        names = [*peeking.stream_names(seats), "nobody", "check"]
        values = {
            "<int:seat>": [*map(str, range(8))],
            "<name>": names,
            "<code>": [code, "ZZZZZZ"],
            "<path:filename>": [*STATIC, "../locale/words.pot"],
            "<int:number>": [number, "1", "3", "99"],
            "<of>": ["2026-11-20", "2026-11-19", "x"],
            "<kind>": ["css", "json", "x"],
            "<slug>": ["go", "x"],
            "<who>": [mark("Ana"), "x"],
            "<int:entry>": ["0", "5"],
        }
        for rule, _, methods in self.routes:
            for path in addresses(rule, values):
                yield rule, methods, path

    def _act(
        self,
        lookers: list[Looker],
        seats: tuple[int, ...],
        pages: list[tuple[Looker, bytes]],
        streams: tuple[Streams, Streams],
    ) -> None:
        """Send forms: those of the pages, and made-up ones; what they do is done at both tables."""
        own = [
            (looker, to, fields) for looker, page in pages for to, fields in peeking.forms(page)[0] if to != "/language"
        ]
        posts = [(rule, path) for rule, methods, path in self._addresses(seats) if "POST" in methods]
        for _ in range(self._posted):
            if own and self.chance.random() < 0.4:
                looker, path, known = self.chance.choice(own)
                fields = {name: self.chance.choice(values) for name, values in known}
            else:
                looker, (rule, path) = self.chance.choice(lookers), self.chance.choice(posts)
                self.reached.add((rule, "POST"))
                codes = [{"code": code} for code in self.one.codes().values()] if path == "/join" else []
                fields = made_up(self.one, path, seats, self.chance, codes)
            asked = self._varied(form(path, looker.token, fields))
            asked = asked._replace(headers=(("Content-Type", "application/x-www-form-urlencoded"), *asked.headers))
            if not self._acted(asked, lookers, streams, looker):
                return

    def _acted(self, asked: Request, lookers: list[Looker], streams: tuple[Streams, Streams], looker: Looker) -> bool:
        """Send a form; say whether what was sealed still is."""
        units = self.each("unit")
        answers = self.ask(asked)
        if self._known(lookers) is None:
            after = self.each("unit")
            closed = units[0] != after[0] and units[1] != after[1]
            if any(self.each("mended")):
                self.met += 1
            else:
                self.note("nothing opens but by the rules", equal=closed, example=f"{looker.name}: {asked}")
            self.revealed += 1
            self.anew()
            return False
        self.note("answers to forms", equal=answers[0] == answers[1], example=f"{looker.name}: {asked} {answers}")
        if asked.path == "/demo/start":  # it plays in time of its own, at each table
            self.anew()
            return False
        self._settled(streams, str(asked))
        return True


def _shown(lamps: list[dict[int, str]], uneven: frozenset[int]) -> list[dict[int, str]]:
    """Return what lamps showed, but for seats where everybody saw a card more be laid in one of the histories."""
    shown: list[dict[int, str]] = []
    for lit in lamps:
        others = {seat: cue for seat, cue in lit.items() if seat not in uneven}
        if not shown or shown[-1] != others:
            shown.append(others)
    return shown


def _apart(streams: tuple[Streams, Streams], name: str) -> str:
    """Say where two streams part."""
    lines = [[*stream.got(name).splitlines()] for stream in streams]
    apart = [(a, b) for a, b in zip(*lines, strict=False) if a != b and not _SIZE.fullmatch(a)]
    return f": {apart[:2]}" if apart else f": {[len(one) for one in lines]} lines"


def _streams(lookers: list[Looker], seats: tuple[int, ...], *, virtual: bool) -> Iterator[tuple[str, Request]]:
    """Return all streams that these phones may have."""
    yield "another program", Request("GET", "/api/1/stream?lang=fr", None)
    for looker in lookers:
        names = ["big", "score"]  # a score says more while a big screen shows it, so that one is opened first
        if looker.name == "host":
            names += ["host", "codes", "tags", *(f"host-{seat}" for seat in seats)]
            names += ["table"] if virtual else []
        if looker.seat is not None:
            names.append(f"seat-{looker.seat}")
        for name in names:
            if looker.name in ("nobody", "host") or name.startswith("seat"):
                yield f"{looker.name}: {name}", Request("GET", f"/stream/{name}?lang=fr", looker.token)
            if looker.token and name.startswith("seat"):
                asked = Request("GET", f"/stream/{name}?lang=fr", looker.token + LISTENS)
                yield f"{looker.name}: {name}, that is read aloud", asked


def trial(quick: bool) -> Iterator[Finding]:
    """Compare bytes; in short those of one pair of hand."""
    seed = 1 if quick else random.SystemRandom().randrange(10**6)
    asked, posted = (30, 3) if quick else (300, 30)
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with (
        tempfile.TemporaryDirectory(dir=memory) as folder,
        Both(Path(folder), seed, asked=asked, posted=posted) as both,
    ):
        for pair in [by_hand(*both.chance.choice(HAND))] if quick else islice(pairs(both.chance), PAIRS):
            both.compare(pair)
        yield from both.tally.findings("secrecy: {}: equal to the byte")
        if not quick:
            yield _reached(both)


def _reached(both: Both) -> Finding:
    routes = {(rule, method) for rule, _, methods in both.routes for method in methods}
    missing = sorted(routes - both.reached)
    opened = f"{PAIRS} pairs of histories; {both.revealed} opened by a form, {both.met} of them met a hidden hand"
    what = "secrecy: every route and method of the application was asked for"
    return Finding(what, len(routes), len(missing), f"{opened}{f'; never asked for: {missing[:5]}' if missing else ''}")
