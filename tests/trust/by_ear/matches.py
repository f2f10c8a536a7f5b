"""Matches of one person, who looks or listens, against the table's real bots, by a clock that this sets."""

import math
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from flask import Flask

from companion import games
from companion.events import Player
from companion.game.simulated_world import Move, Sight, Strength, takes
from companion.live.bots import Bots
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.web.render.page_names import Page
from companion.web.site import site
from tests.trust.by_ear.crazy_eights import CrazyEights
from tests.trust.by_ear.go import Go
from tests.trust.by_ear.hearing import Knowledge, Vocabulary, is_made_by, understood
from tests.trust.by_ear.hearts import Hearts
from tests.trust.by_ear.kartel import Kartel
from tests.trust.by_ear.page import Button, Ears
from tests.trust.by_ear.page import buttons as buttons_of
from tests.trust.by_ear.speed_duel import SpeedDuel
from tests.trust.by_ear.speed_snap import SpeedSnap
from tests.trust.by_ear.stop_it import StopIt
from tests.trust.by_ear.stop_me_go import StopMeGo
from tests.trust.findings import Finding
from tests.web.table import ANAS, Clock, app_with, phones_of

GAMES: Mapping[str, Callable[[Vocabulary], Knowledge]] = {
    "stop-it": StopIt,
    "stop-me-go": StopMeGo,
    "go": Go,
    "kartel": Kartel,
    "hearts": Hearts,
    "speed-snap": SpeedSnap,
    "speed-duel": SpeedDuel,
    "crazy-eights": CrazyEights,
}
SEAT = 1
NAMES = {SEAT: "Ana", 3: "Kim", 4: "Max"}
"""The others are bots as quick as people: strong ones are quicker, and nobody wins stop it! against them."""
WORD = 60 / 180
"""Seconds that a spoken word takes."""
KEY = 0.4
"""Seconds from one button to the next: its name is cut off once it is known."""
URGENT = re.compile(r"^Stop!| turns? the ")
"""After which nobody waits for the next sentence before they press."""
READS = 8.0
"""Seconds after which a count has been read."""
BEGINS = 100.0
LONGEST = 20_000
"""Steps in which the longest match ends: how often something happens or is heard."""
WITHIN = 3
"""Wins in a hundred by which listeners may differ."""
EAR = """{% from "spoken.html" import spoken with context %}{{ spoken() }}
{% if sight and sight.moves %}{% include [brought ~ "/world.html", "plain-world.html"] %}{% endif %}"""


class Person(Protocol):
    """Whoever plays at the seat."""

    def look(self, sight: Sight, at: float) -> None:
        """Take in how things are now."""

    def plan(self, sight: Sight, at: float) -> tuple[Move, float] | None:
        """Return what they do next, and when; None: they wait for something to happen."""

    def next_heard(self, at: float) -> float | None:
        """Return when they may decide something although nothing has happened."""

    def do(self, move: Move) -> None:
        """Remember what they did."""


class EvenBots(Bots):
    """Bots whose luck depends on what they can do, and have done, however long it took and whoever came first.

    So two matches in which the same is chosen are the same match, unless players race in them.
    """

    def __init__(self, simulation: Simulation, number: int):
        super().__init__(simulation, chance=random.Random())
        self._number = number

    def _plan(self, seat: int, strength: Strength, at: float) -> None:
        sight = self._simulation.sights.get(seat)
        plan = self._plans.get(seat)
        playing = self._simulation.playing
        if sight and playing and sight.moves and (plan is None or plan.move not in sight.moves):
            is_race = any(move.is_raced_for for move in sight.moves)
            own_moves = sum(done.move.seat == seat and not done.move.decides_nothing for done in playing.done)
            self._chance.seed(f"bots {self._number} {own_moves} {sight if is_race else sight.moves}")
        super()._plan(seat, strength, at)


@dataclass(slots=True)
class Strategy:
    """The same choice for the same knowledge."""

    slug: str
    seed: str

    def choose(self, sight: Sight) -> Move | None:
        physics = games.known()[self.slug].physics
        assert physics is not None
        whats = "".join(f"{move.what}{_face(move.card)}{move.number}" for move in sight.moves)
        move = physics.choose(sight, "strong", random.Random(f"{self.seed} {whats}"))
        return move or next((declining for declining in sight.moves if declining.declines), None)


@dataclass(slots=True)
class Seer:
    """Looks at everything that the seat may see."""

    strategy: Strategy
    chance: random.Random

    def look(self, sight: Sight, at: float) -> None:
        pass

    def plan(self, sight: Sight, at: float) -> tuple[Move, float] | None:
        move = self.strategy.choose(sight)
        return (move, at + takes(move, self.chance)) if move else None

    def next_heard(self, at: float) -> float | None:
        return None

    def do(self, move: Move) -> None:
        pass


class SeatPage:
    """The parts of a seat's page from which its player hears."""

    def __init__(self, app: Flask):
        self._template = app.jinja_env.from_string(EAR)
        self.page = Page("seat", SEAT, aloud="normal")

    def html(self) -> str:
        """Return them as they are now."""
        return self._template.render(site().screens.frame(self.page, "en"))


@dataclass(slots=True)
class Listener:
    """Knows what was said up to now."""

    strategy: Strategy
    chance: random.Random
    page: SeatPage
    knowledge: Knowledge
    ears: Ears
    misunderstood: list[str] = field(default_factory=list)
    _queue: list[tuple[float, str]] = field(default_factory=list)
    """When each sentence will have been heard."""
    _html: str = ""
    """The page as it was at the last look."""
    _buttons: Sequence[Button] | None = None
    """None: nobody has looked for them yet."""
    heard: list[str] = field(default_factory=list)
    looks: list[tuple[float, Sequence[str]]] = field(default_factory=list)
    """What the page began to say, and when."""

    def look(self, sight: Sight, at: float) -> None:
        self._html = self.page.html()
        sentences = self.ears.listen(self._html)
        self.looks.append((at, sentences))
        self._buttons = None
        if any(map(self.knowledge.asks.search, sentences)):
            sentences = [*sentences, *self.ears.standing]
        for sentence in sentences:
            begins = max(at, self._queue[-1][0] if self._queue else at)
            self._queue.append((begins + len(sentence.split()) * WORD, sentence))

    def plan(self, sight: Sight, at: float) -> tuple[Move, float] | None:
        is_urgent = False
        while self._queue and self._queue[0][0] <= at:
            _, sentence = self._queue.pop(0)
            self.knowledge.hear(sentence)
            self.heard.append(sentence)
            is_urgent = is_urgent or bool(URGENT.search(sentence))
        if self._queue and not is_urgent:
            return None
        if self._buttons is None:
            self._buttons = buttons_of(self._html) if sight.moves else ()
        moves, buttons = understood(self.knowledge, sight.moves, self._buttons)
        known = Sight(SEAT, self.knowledge.sees(moves, buttons), self.knowledge.table(moves), tuple(moves))
        choice = self.strategy.choose(known) if moves else None
        if not self._queue:
            self._compare(sight, choice)
        if choice is None:
            return None
        place = moves.index(choice)
        move = next(move for move in sight.moves if is_made_by(move, buttons[place]))
        keys = 0 if move.at_once else 1 + place
        return move, at + takes(move, self.chance) + keys * KEY

    def next_heard(self, at: float) -> float | None:
        last = len(self._queue) - 1
        decisive = (
            due for place, (due, sentence) in enumerate(self._queue) if place == last or URGENT.search(sentence)
        )
        return next((due for due in decisive if due > at), None)

    def do(self, move: Move) -> None:
        self.knowledge.do(move)

    def _compare(self, sight: Sight, choice: Move | None) -> None:
        """Once all is heard, the listener would choose as who looks does."""
        seen = self.strategy.choose(sight)
        alike = (choice is None and seen is None) or (
            choice is not None
            and seen is not None
            and (choice.what, choice.number, _face(choice.card)) == (seen.what, seen.number, _face(seen.card))
        )
        if not alike:
            lately = " / ".join(self.heard[-6:])
            self.misunderstood.append(f"chose {choice}, would choose {seen}; heard lately: {lately}")


def _face(card: str) -> str:
    """Kartel's two 2s look alike."""
    return card.removesuffix("a").removesuffix("b")


@contextmanager
def table(seed: str) -> Iterator[tuple[Live, Simulation, Flask, Clock]]:
    """Yield a simulated table whose judge works when it is asked."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder, closing(Log(Path(folder) / "log.sqlite", writes=True)) as log:
        live = Live(log, clock, Decks(None), simulated=True)
        simulation = Simulation(live, seed=lambda: seed)
        phones = phones_of(live, {SEAT: ANAS})
        yield live, simulation, app_with(live, phones, simulation=simulation, clock=clock), clock


@dataclass(slots=True)
class Played:
    """What came of a match."""

    won: bool
    misunderstood: Sequence[str] = ()
    looks: Sequence[tuple[float, Sequence[str]]] = ()
    """What the page said at each look, and when by the table's clock."""


def played(
    slug: str,
    number: int,
    *,
    by_ear: bool,
    steps: int = LONGEST,
    ears: Ears | None = None,
    page_of: Callable[[Flask], SeatPage] = SeatPage,
) -> Played:
    """Play one match, at most so many steps of it. `ears`: another's than the trial's; `page_of` opens the page."""
    with table(f"{slug} {number}") as (live, simulation, app, clock), app.test_request_context():
        clock.now = BEGINS
        names = dict([*NAMES.items()][: games.known()[slug].most_players])
        players = tuple(Player(seat, name) for seat, name in names.items())
        simulation.begin(slug, players, {seat: "middle" for seat in names if seat != SEAT})
        simulation.plays_by_ear(SEAT, is_by_ear=by_ear)
        strategy = Strategy(slug, f"{slug} {number}")
        chance = random.Random(f"person {number}")
        listener = None
        if by_ear:
            vocabulary = Vocabulary.of(games.known()[slug], SEAT, names)
            listener = Listener(strategy, chance, page_of(app), GAMES[slug](vocabulary), ears or Ears())
        person: Person = listener or Seer(strategy, chance)
        bots = EvenBots(simulation, number)
        _play(live, simulation, bots, person, clock, steps)
        winners = live.snapshot.views[None]["winners"]
        return (
            Played(winners == [SEAT], listener.misunderstood, listener.looks) if listener else Played(winners == [SEAT])
        )


def _play(live: Live, simulation: Simulation, bots: Bots, person: Person, clock: Clock, steps: int) -> None:
    """Let the clock go from one thing that is due to the next."""
    seen: Sight | None = None
    plan: tuple[Move, float] | None = None
    reads: float | None = None
    for _ in range(steps):
        live.ask(lambda match: None)
        view = live.snapshot.views[None]
        if view["over"]:
            return
        sight = simulation.sights[SEAT]
        is_new = sight != seen
        if is_new:
            person.look(sight, clock.now)
            seen = sight
        reads = (reads or clock.now + READS) if simulation.reads else None
        if plan is None or plan[0] not in sight.moves or is_new or person.next_heard(clock.now):
            kept = plan if plan and plan[0] in sight.moves else None
            newer = person.plan(sight, clock.now)
            plan = newer if newer and (kept is None or (newer[0].at_once and not kept[0].at_once)) else kept
        due = [bots.step(clock.now), plan[1] if plan else None, person.next_heard(clock.now), reads]
        clock.now = min([at for at in due if at is not None], default=clock.now + 1.0)
        if plan and plan[1] <= clock.now:
            simulation.play(plan[0])
            person.do(plan[0])
            plan = None
        if reads and reads <= clock.now:
            simulation.have_read()
            reads = None
    assert steps < LONGEST, f"it does not end: {simulation.sights[SEAT].moves}"


def compared(slug: str, matches: int, steps: int) -> Iterator[Finding]:
    """Play so many matches by ear, and as many by sight if they are played to their end."""
    title = games.known()[slug].title
    by_ear = [played(slug, number, by_ear=True, steps=steps) for number in range(matches)]
    examples = [example for match in by_ear for example in match.misunderstood]
    yield Finding(
        f"{title}: who listens chooses as who looks would",
        matches,
        sum(bool(match.misunderstood) for match in by_ear),
        examples[0].replace("|", "/")[:600] if examples else "",
    )
    if steps < LONGEST:
        return
    by_sight = [played(slug, number, by_ear=False) for number in range(matches)]
    heard = sum(match.won for match in by_ear)
    looked = sum(match.won for match in by_sight)
    pairs = [(ear.won, sight.won) for ear, sight in zip(by_ear, by_sight, strict=True)]
    only_ear = pairs.count((True, False))
    only_sight = pairs.count((False, True))
    least, most = interval(only_ear, only_sight, matches)
    yield Finding(
        f"{title}: who listens wins as often as who looks, within {WITHIN} in a hundred",
        matches,
        int((looked - heard) * 100 > WITHIN * matches),
        f"{heard} by ear, {looked} by sight; the same deal won only by ear {only_ear} times, "
        f"only by sight {only_sight} times; in a hundred {least:+.1f} to {most:+.1f} more by ear, at 95 %",
    )


def interval(only_ear: int, only_sight: int, matches: int) -> tuple[float, float]:
    """Return between which wins in a hundred listeners win more often, at 95 %: Wald's interval for paired samples, as
    Bonett and Price adjust it to few pairs that differ.
    """
    ear = (only_ear + 1) / (matches + 2)
    sight = (only_sight + 1) / (matches + 2)
    spread = 1.96 * math.sqrt((ear + sight - (ear - sight) ** 2) / (matches + 2))
    return (ear - sight - spread) * 100, (ear - sight + spread) * 100
