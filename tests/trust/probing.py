"""Nobody finds out by trying: whatever a phone may do at two tables that differ only in what is sealed, and what it is
answered, step by step; then it takes back what it did, and is answered alike again. Nor does an answer take longer.
"""

import random
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.access.seat_rights import HOST
from companion.events import Event, Started
from companion.judge import corrections
from companion.judge.match import Match
from companion.live.table import Live
from companion.web.render.verdicts import mark
from tests.games.stop_me_go import table as stop_me_go
from tests.trust.effort import calls_counted, is_unlike
from tests.trust.findings import Finding, Tally
from tests.trust.pairs import (
    ARRESTED,
    CALL,
    COUNT,
    EASY,
    GO,
    GOES,
    HARD,
    LAID,
    OPEN,
    OTHERS,
    SMG,
    STOP_IT,
    STOPS,
    TURNS,
    Side,
    tap,
    three,
)
from tests.web.table import ANAS, BOS, SCRIPT, Clock, app_with, client_of, enter_all, living, phones_of

LOT = re.compile(rb"[0-9a-f]{16}")
"""What is drawn by lot to name a question."""
PAGES = ("/", "/host", "/host/3", "/seat/3", "/story", "/results", "/results/1")
"""What is asked for to see how long it takes; some of them are refused."""
UNLIKE = 1.02
"""So many times as many calls of functions at one table as at the other: 0.1 ms of an answer's 5."""
Form = tuple[str, Mapping[str, Any]]
"""Where it goes, and its fields."""


class Scene(NamedTuple):
    """A point of a match where something is sealed, and who tries to find out what."""

    name: str
    started: Started
    one: Side
    other: Side
    who: str
    """The token of the phone that tries."""
    seats: tuple[int, ...]
    """Where it names cards: its own seats, and those that nobody's phone holds; where none, it only takes back and puts
    right what was told."""
    cards: tuple[str, ...]
    """The cards it names."""
    held: Mapping[int, str] = {HOST: ANAS, 1: ANAS, 3: BOS}


_FREE = ("yellow-1", "red-4", "red-3")
"""The first lies nowhere, the others in one of the hidden hands or in both."""


def scenes() -> Iterator[Scene]:
    """Return the scenes: what may be sealed in every game, and whoever may not know it."""
    hands = tuple(event.card for event in (*EASY, *HARD) if hasattr(event, "card"))
    mine = tuple(f"brown-{value}" for value in range(1, 12))
    yield Scene("a hidden hand", GO, (*CALL, *EASY), (*CALL, *HARD), ANAS, (1, 5), hands)
    opened = (*CALL, *tap("seat-1", *mine, "pink-11"))
    yield Scene("hidden behind an open hand", GO, (*opened, *EASY), (*opened, *HARD), ANAS, (1, 5), hands)
    nearly = (*CALL, *tap("seat-1", *mine))
    yield Scene("hidden before the twelfth card", GO, (*nearly, *EASY), (*nearly, *HARD), ANAS, (1, 5), hands)
    full = tap("seat-1", *mine, "red-3")  # the last card lies in one of the hidden hands, too
    yield Scene("hidden before a full hand", GO, (*CALL, *EASY, *full), (*CALL, *HARD, *full), ANAS, (1,), _FREE)
    yellow = ("yellow-go-1", "yellow-go-2", "yellow-go-3", "yellow-go-4", "yellow-stop", "yellow-go")
    laid = (*LAID[:1], *OTHERS)
    yield Scene("GO or STOP, from who laid it", SMG, (*laid, *GOES), (*laid, *STOPS), BOS, (3,), yellow)
    once = replace(SMG, options={**SMG.options, "allow_change": False})
    laid = LAID[:1]
    yield Scene("GO or STOP, laid for good", once, (*laid, *GOES), (*laid, *STOPS), BOS, (3,), yellow)
    free = {HOST: ANAS, 1: ANAS, 5: BOS}
    yield Scene(*("a card changed or not", SMG, (*LAID, *STOPS, *OTHERS), (*LAID, *OTHERS)), ANAS, (1, 3), yellow, free)
    yield Scene("the latest card changed or not", SMG, (*LAID, *STOPS), LAID, ANAS, (1, 3), yellow, free)
    started, one, other = _rewarded()
    tokens = ("token-2-1", "token-2-2", "token-3-1", "token-0-1")
    yield Scene("a token that another has", started, one, other, ANAS, (1,), tokens, {HOST: ANAS, 1: ANAS, 2: BOS})
    red = tuple(f"red-{number}" for number in range(3, 8))
    yield Scene(
        *("cards that another counts", STOP_IT, (*COUNT, *tap("seat-3", *red[:2])), (*COUNT, *tap("seat-3", *red[3:]))),
        *(ANAS, (1, 5), red),
    )
    yield from _put_right(opened)


def _put_right(opened: Side) -> Iterator[Scene]:
    """Before sealed acts, what everybody was told is put right by a host whom nobody has to agree with."""
    alone = {HOST: ANAS, 5: ANAS}

    def scene(what: str, started: Started, before: Side, one: Side, other: Side, *cards: str) -> Scene:
        return Scene(f"put right: {what}", started, (*before, *one), (*before, *other), ANAS, (), cards, alone)

    yield scene("before a hidden hand", GO, opened, EASY, HARD, "red-4", "pink-5")
    yield scene("before half a hand", GO, opened, EASY[:5], HARD[:5], "red-4", "blue-5")
    yield scene("before a draw", TURNS, OPEN, *(tap("seat-1", card) for card in ("red-3", "red-4")), "red-3", "red-4")
    yield scene("before a lay", SMG, ARRESTED, GOES, STOPS, "yellow-go-2", "yellow-stop")
    counts = (three("red-4", "red-5"), three("blue-4", "red-5"))
    yield scene("before a count", STOP_IT, COUNT, *counts, "blue-stop-1", "special-stop-1")


def _rewarded() -> tuple[Started, Side, Side]:
    """Seat 2 has one token or another, and seat 1 may take the next."""
    sides: list[list[Event]] = []
    for token in ("token-2-1", "token-3-1"):
        table = stop_me_go.won(2)
        table.tap(2, token)
        table.win(1)
        sides.append(table.match.events)
    started: Any = sides[0][0]
    return started, tuple(sides[0][1:]), tuple(sides[1][1:])


def _still() -> float:
    return 0.0


class _World:
    """A table that stands where the scene begins."""

    def __init__(self, live: Live, scene: Scene, side: Side):
        self._live = live
        self._scene = scene
        self._side = side
        # Whose phone is off is said in seconds: on a busy machine one table would be slower than the other.
        self._app = app_with(live, phones_of(live, scene.held, _still), virtual=False, clock=_still)
        self._phone: FlaskClient = client_of(self._app, scene.who)

    def anew(self) -> None:
        """Begin again, as if nothing had been tried."""
        self._app.extensions["companion"].questions.close(lambda questions: questions.withdrawn())
        started = self._scene.started
        self._live.begin(started.game, started.players, started.options)
        enter_all(self._live, [replace(event, at=float(at)) for at, event in enumerate(self._side, 1)])

    def sent(self, form: Form) -> tuple[bytes, int]:
        """Send a form; give the answer with what the phone sees then, and how many calls both took."""
        to, fields = form
        kind = "application/x-www-form-urlencoded"
        pages = (*(f"/seat/{one}" for one in self._scene.seats[:1]), "/host", "/api/1/public")
        with calls_counted() as calls:
            answer = self._phone.post(to, data=urlencode(fields, doseq=True), content_type=kind, headers=SCRIPT)
            seen = [f"{answer.status} {dict(answer.headers)}".encode(), answer.data]
            seen += [self._phone.get(path).data for path in pages]
        return LOT.sub(b"", b"\n".join(seen)), calls.total()

    def effort(self, path: str) -> int:
        """Return how many calls a page takes, once what is remembered of it is."""
        self._phone.get(path)
        with calls_counted() as calls:
            self._phone.get(path)
        return calls.total()

    def entries(self) -> list[tuple[dict[str, Any], list[str]]]:
        """Give, as forms, the entries of the public story, each with the cards that it laid open."""

        def found(match: Match) -> list[tuple[dict[str, Any], list[str]]]:
            return [
                (
                    {"entry": at, "code": told.code, "mark": mark(told.code, dict(told.facts))},
                    list(corrections.cards(match, at)),
                )
                for at, told in enumerate(match.public)
            ]

        return self._live.ask(found)


def acts(scene: Scene, entries: Sequence[tuple[Mapping[str, Any], Sequence[str]]]) -> Iterator[tuple[Form, ...]]:
    """Return what the phone may try, each with how it would take that back."""
    for seat in scene.seats:
        page = {"page": f"seat-{seat}"}
        back = {"seat": seat, "page": f"seat-{seat}"}
        for card in scene.cards:
            undo = ("/take-back", {**back, "card": card})
            for place in (f"seat-{seat}", "centre"):
                yield ("/enter", {"kind": "tapped", "place": place, "card": card, **page}), undo
            yield undo, ("/take-back", back)
        every = ("/enter", {"kind": "tapped", "place": f"seat-{seat}", "card": scene.cards, **page})
        yield every, ("/take-back", back)
        press = ("/enter", {"kind": "pressed", "seat": seat, **page})
        first = {"kind": "tapped", "place": "centre", "card": scene.cards[0], **page}
        yield press, ("/enter", first), ("/take-back", {**back, "card": scene.cards[0]})
        yield ("/take-back", back), ("/enter", first)
    for entry, opened in entries:
        yield (("/take-back", {**entry, "page": "host"}),)
        for wrong in opened[:2]:
            for card in scene.cards:
                yield ((f"/right/{entry['entry']}", {"mark": entry["mark"], "wrong": wrong, "card": card}),)


def tried(scene: Scene, tally: Tally, chance: random.Random, most: int, most_backs: int = 1000) -> None:
    """Try at both tables so many acts, and to take so many entries back."""
    with ExitStack() as stack:
        worlds = []
        for side in (scene.one, scene.other):
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=_MEMORY))
            worlds.append(_World(stack.enter_context(living(Path(folder), Clock())), scene, side))
        for world in worlds:
            world.anew()
        entries = [world.entries() for world in worlds]
        tally.note(scene.name, holds=entries[0] == entries[1], example=entries)
        every = list(acts(scene, entries[0]))
        backs = [forms for forms in every if "entry" in forms[0][1]]
        others = [forms for forms in every if forms not in backs]
        is_warm = False
        slow = f"{scene.name}: it takes as long"
        for path in PAGES:
            efforts = [world.effort(path) for world in worlds]
            tally.note(slow, holds=not is_unlike(efforts, UNLIKE), example=f"{path}: {efforts}")
        tried_forms = [*backs[:most_backs], *chance.sample(others, min(most, len(others)))]
        for forms in (*tried_forms[:1], *tried_forms):  # at the first, much is remembered for the others
            for world in worlds:
                world.anew()
            for form in forms:
                (one, effort), (other, other_effort) = [world.sent(form) for world in worlds]
                example = f"{form} of {forms}"
                events = 1 + len(scene.one)
                tally.note(scene.name, holds=one == other, example=example, events=events)
                if is_warm:
                    holds = not is_unlike((effort, other_effort), UNLIKE)
                    tally.note(slow, holds=holds, example=f"{effort} or {other_effort} calls: {example}", events=events)
            is_warm = True


_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


def trial(quick: bool) -> Iterator[Finding]:
    """Compare what is answered, act by act."""
    seed = 1 if quick else random.SystemRandom().randrange(10**6)
    tally = Tally(seed)
    chance = random.Random(seed)
    for scene in scenes():
        tried(scene, tally, chance, *(2, 2) if quick else (1000, 1000))
    yield from tally.findings("secrecy: whoever tries is answered alike: {}")
