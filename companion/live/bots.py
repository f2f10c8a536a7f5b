"""Bots at the empty seats of a simulated table: they know only what their seat knows, and take human time."""

import math
import random
import threading
import time

import msgspec

from companion.errors import CompanionError
from companion.game.simulated_world import Move, Sight, Strength, takes
from companion.live.kept_simulated_world import Done
from companion.live.simulated_sights import Staged
from companion.live.simulation import Simulation
from companion.threads import LastingThread, Rounds

QUICKNESS = {"easy": 1.4, "middle": 1.0, "strong": 0.8}
"""By strength, the factor on the time that a move usually takes."""
LOOKS = 6.0
"""Seconds that people get to look at a new match before a bot moves."""
WATCHES = 6.0
"""Seconds that people get to watch what the big screen plays before a bot goes on."""
READS = 30.0
"""Seconds after which a bot goes on if nobody confirms having read a count; pages count them down."""
ASKED = 10.0
"""Seconds that people get to think about what they are asked, and may decline."""
TURNS_ITSELF = 4.0
"""Seconds that people get to see what was before, or to be quicker, until the table makes what decides nothing."""
BY_EAR = 2.0
"""Factor on bots' delays while somebody plays by ear: hearing what a pile shows and finding its button takes so much
longer than looking and touching. What is asked, or read, then waits for its answer. Where several can move at once, the
factor is the number of bots, and at least two, because one sentence comes after the other."""
HEARS = 2.5
"""Seconds by which bots race later where somebody plays by ear, however many there are: to hear the sentence about
which they race, of six words at 180 a minute, and the names of the buttons up to the one to press."""
FINDS = 1.75
"""Seconds more for a move that others may take away: to hear which card one has drawn meanwhile, and to find one card's
button among those of a hand. With it, players by ear win as often as players by sight, measured in whole matches."""
TAKES_BACK = 5.0
"""Seconds that a person gets to take back what they did, before a bot goes on where nobody else can."""


TABLE = 0
"""In place of a seat: the table itself."""


class Plan(msgspec.Struct, frozen=True):
    """A move that a bot is about to make, and when."""

    move: Move
    due: float


class Watched(msgspec.Struct, frozen=True):
    """What people are looking at, so that bots wait."""

    staged: Staged | None = None
    """What the big screen plays."""
    reads: bool = False
    """Whether it is a count that people read."""
    asked: frozenset[int] = frozenset()
    """The people who are asked something that they may decline."""
    by_ear: bool = False
    """Whether a person who reads or is asked plays by ear: bots then wait for the answer."""


class Bots:
    """Play for all empty seats, in one thread."""

    def __init__(self, simulation: Simulation, *, pace: float = 1.0, chance: random.Random | None = None):
        """`pace` is the factor on every duration; 1.0 is the pace of people."""
        self._simulation = simulation
        self._pace = pace
        self._chance = chance or random.SystemRandom()
        self._plans: dict[int, Plan] = {}
        self._waits: dict[int, Sight] = {}
        """By seat, what it knew when it chose to wait: it is not asked again until that changes."""
        self._match: int | None = None
        self._came: dict[int, float] = {}
        """By seat, when a bot that takes over from a person makes its first move: until then people may object."""
        self._begins = 0.0
        """When people have had time to look at a new match."""
        self._shown = Watched()
        """What people were looking at when the bots last looked."""
        self._goes_on = 0.0
        """When people have had time for that."""
        self._done: tuple[Done, ...] = ()
        """The moves that had been made when the bots last looked."""
        self._stands = 0.0
        """When a person has had time to take back the latest of them."""
        self._news = threading.Event()
        self._thread = LastingThread("bots", self._run)
        simulation.watch(self.look)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Stop playing."""
        self._thread.stop(self._news.set)

    def look(self) -> None:
        """Wake the thread, because something has changed at the table."""
        self._news.set()

    def step(self, at: float) -> float | None:
        """Do what is due; return when something is due next, or None if only after a change."""
        try:
            self._simulation.deal()
        except CompanionError:
            return at + 1.0  # most likely the disk is full, and the pages say so
        self._see_who_plays(at)
        self._see_what_is_shown(at)
        self._see_what_was_done(at)
        for seat, strength in self._simulation.bots.items():
            self._plan(seat, strength, at)
        self._plan_the_tables(at)
        return self._carry_out(at)

    @property
    def _slowness(self) -> float:
        """The current factor on durations: the pace, and more where somebody plays by ear."""
        return self._pace * (BY_EAR if self._simulation.by_ear else 1.0)

    @property
    def _sentences_at_once(self) -> int:
        """How many sentences a listener may get at once: one a bot that can move, two at least if people can too."""
        if not self._simulation.by_ear:
            return 1
        sights = self._simulation.sights
        bots = sum(bool(seat in sights and sights[seat].moves) for seat in self._simulation.bots)
        return max(bots, 2) if self._peoples_moves() else bots

    def _see_who_plays(self, at: float) -> None:
        bots = self._simulation.bots
        playing = self._simulation.playing
        if playing and playing.match != self._match:
            self._match = playing.match
            self._begins = at + LOOKS * self._slowness
            self._came = dict.fromkeys(bots, at)
        self._came = {seat: self._came.get(seat, at + TAKES_BACK * self._slowness) for seat in bots}
        self._plans = {seat: plan for seat, plan in self._plans.items() if seat in bots or seat == TABLE}

    def _see_what_is_shown(self, at: float) -> None:
        """Make the bots wait while people look at something new, read, or are asked."""
        earlier = self._shown
        asked_seats = frozenset(move.seat for move in self._peoples_moves() if move.declines)
        reads = self._simulation.reads
        by_ear = self._simulation.by_ear
        watched = Watched(self._simulation.staged, reads, asked_seats, bool(by_ear if reads else asked_seats & by_ear))
        if watched == earlier:
            return
        if watched.reads:
            pause = READS
        elif watched.asked:
            pause = ASKED
        else:
            pause = WATCHES if watched.staged and watched.staged != earlier.staged else 0.0
        self._shown = watched
        self._goes_on = math.inf if watched.by_ear else at + pause * self._slowness

    def _see_what_was_done(self, at: float) -> None:
        """Make the bots wait after a person's move, which may be taken back."""
        playing = self._simulation.playing
        done = playing.done if playing else ()
        if done is not self._done:
            is_a_persons = bool(done) and done[-1].move.seat not in self._simulation.bots
            self._done = done
            self._stands = at + TAKES_BACK * self._slowness if is_a_persons else 0.0

    def _carry_out(self, at: float) -> float | None:
        """Carry out the plan that is due; return when to look next."""
        if not self._plans:
            return None
        due, seat = min((self._due(plan), seat) for seat, plan in self._plans.items())
        due = max(due, self._begins, self._goes_on, self._simulation.asked_until())
        if due > at:
            return None if due == math.inf else due
        plan = self._plans.pop(seat)
        try:
            self._simulation.play(plan.move)
        except CompanionError:
            return at + 1.0  # the disk is full, or somebody was quicker: the pages say so
        return at

    def _peoples_moves(self) -> list[Move]:
        sights = self._simulation.sights
        bots = self._simulation.bots
        return [move for seat, sight in sights.items() if seat not in bots for move in sight.moves]

    def _due(self, plan: Plan) -> float:
        """Return the earliest time for a plan. A bot gives a person time to take their move back, unless all do the
        same at once, such as laying or shouting, or people can move themselves.
        """
        due = max(plan.due, self._came.get(plan.move.seat, 0.0))
        at_once = bool(self._done) and self._done[-1].move.what == plan.move.what
        if at_once or self._peoples_moves():
            return due
        return max(due, self._stands)

    def _plan(self, seat: int, strength: Strength, at: float) -> None:
        """Keep a bot's plan if it can still be done, else have it choose another."""
        sight = self._simulation.sights.get(seat)
        plan = self._plans.get(seat)
        if sight is None or (plan is not None and plan.move in sight.moves):
            return
        self._plans.pop(seat, None)
        if not sight.moves or self._waits.get(seat) == sight:
            return
        playing = self._simulation.playing
        if playing is None:
            return
        physics = playing.physics
        move = self._simulation.faults.tried(
            playing.game,
            "simulated world",
            lambda: physics.choose(sight, strength, self._chance),
            lambda: self._chance.choice(sight.moves),
        )
        if move is None:
            self._waits[seat] = sight
            return
        if move.for_people and any(offered.what == move.what for offered in self._peoples_moves()):
            return
        self._plans[seat] = Plan(move, at + self._takes(move, strength))

    def _takes(self, move: Move, strength: Strength) -> float:
        """Return how many seconds a bot takes for a move now."""
        takes_s = takes(move, self._chance) * QUICKNESS[strength]
        if self._simulation.by_ear and move.is_raced_for:
            return (takes_s + HEARS + (FINDS if move.fleeting else 0.0)) * self._pace
        return takes_s * self._slowness * self._sentences_at_once

    def _plan_the_tables(self, at: float) -> None:
        """Plan a move that decides nothing, such as turning a card, which the table makes if no person is quicker."""
        offered = [move for move in self._peoples_moves() if move.decides_nothing]
        plan = self._plans.get(TABLE)
        if plan is not None and plan.move in offered:
            return
        self._plans.pop(TABLE, None)
        if offered:
            self._plans[TABLE] = Plan(offered[0], at + TURNS_ITSELF * self._slowness)

    def _run(self, rounds: Rounds) -> None:
        while True:
            self._news.clear()
            if rounds.is_set():  # only now: the news of that is not cleared any more
                return
            due = self.step(time.monotonic())
            with rounds.resting():
                self._news.wait(None if due is None else max(0.0, due - time.monotonic()))
