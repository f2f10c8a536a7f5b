"""A match that plays itself on the virtual table: real cards on virtual readers, real events, a real log."""

import logging
import math
import random
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from companion import games
from companion.errors import NotNow, WrongInput
from companion.events import Event, Player, Pressed, Tapped
from companion.game import Misplay, Verdict
from companion.judge.match import Match
from companion.live import demo_script
from companion.live.demo_script import Episode
from companion.live.pause import Why
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.threads import LastingThread, Rounds, keep
from companion.words import catalogue

PEOPLE = {1: "Kiwi", 3: "Taco", 4: "Pesto", 6: "Sushi"}
"""By seat, names that nobody takes for people at this table, the same in every language."""
ABOUT = 5.0
"""Seconds for the card that says what the game is: some twenty words."""
HOW = ("how-1", "how-2", "how-3", "how-4", "how-5")
"""The pictures of how it is played, by the codes that the game's words have for them."""
PICTURE = 4.0
"""Seconds for each of them: a sentence."""
LOOKS_EACH = 0.05
"""Seconds between two looks at the table's clock."""
RECORDED_SOON = 0.005
"""Seconds between two looks at what the table has recorded."""
PATIENCE = 5.0
"""Seconds for a card or press to be recorded; after that something else took it."""


_journal = logging.getLogger(__name__)


class Hand(Protocol):
    """Lays cards and presses buzzers on a table that has no sensors.

    Each returns once the table has stored it. Raises `NotKept` if it can't: then it never happened.
    """

    @property
    def places(self) -> tuple[str, ...]:
        """The places where a card can be laid."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have a buzzer."""

    def lay(self, place: str, slug: str, *cards: str, origin: str = "") -> None:
        """Lay cards of a game's deck in turn, all or none; one that lay there is taken away. `origin` names for good
        what is done; "": it has no name.
        """

    def lift(self, place: str) -> None:
        """Take the card away, if one lies there."""

    def press(self, seat: int, at: float | None = None, origin: str = "") -> None:
        """Press a seat's buzzer: now, or at a time that has just passed. `origin`: as in `lay`."""


class Telling(Struct, frozen=True):
    """The state of a demonstration: its opening, pace, and what is shown of hands."""

    game: str
    opening: str = "about"
    """What is shown before the first act: what the game is, then each picture of `HOW`; "" once that is over."""
    held: bool = False
    speed: float = 1.0
    by_itself: bool = False
    """Whether it began because nobody was there."""
    hands: Mapping[int, Mapping[str, Any]] = {}
    """By seat, what its player sees of the game's things; public, because nobody really plays. {}: unknown."""
    before: Mapping[int, Mapping[str, Any]] = {}
    """The same before the latest change, so that its effect can be shown."""
    coming: Mapping[int, Mapping[str, Any]] = {}
    """The same as of the next act: what people do until then no sensor sees, but a demonstration knows it."""
    followed: int | None = None
    """The seat whose hand is followed: it presses next in the story, or else wins. None: nobody does."""

    def due(self, left: float) -> float | None:
        """Return the seconds until the next act, `left` seconds of the story away; None if held.

        >>> Telling("chess", speed=2.0).due(3.0)
        1.5
        """
        return None if self.held else left / self.speed


class Demo:
    """Plays one match at a time. Every method may be called from any thread."""

    def __init__(self, live: Live, hand: Hand, chance: random.Random | None = None):
        self.telling: Telling | None = None
        """None: no demonstration is under way."""
        self._live = live
        self._hand = hand
        self._chance = chance or random.Random()
        self._watchers: list[Callable[[], None]] = []
        self._changed = threading.Condition()
        self._steps = 0
        self._pressed = -math.inf
        self._acted = 0.0
        self._asked = threading.Lock()
        self._thread: LastingThread | None = None

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` (must be quick, comes from any thread) whenever `telling` changes."""
        self._watchers.append(changed)

    def start(self, game: str, upon: Snapshot | None = None, *, by_itself: bool = False) -> None:
        """Start a match and play it; `by_itself`: nobody asked for it.

        Raises `WrongInput` for an unknown game, and what `Live.begin` does.
        """
        game_shown = games.known().get(game)
        if game_shown is None:
            raise WrongInput(f"unknown game {game!r}; known: {', '.join(games.known())}")
        players = tuple(Player(seat, name) for seat, name in PEOPLE.items() if seat in self._hand.seats)
        players = players[: max(game_shown.fewest_players, min(game_shown.most_players, game_shown.most_on_show))]
        with self._asked:
            self._end()
            self._steps = 0
            # First, or every page would show the empty table for a moment.
            self._tell(Telling(game, by_itself=by_itself))
            try:
                number = self._live.begin_demo(game, players, dict(game_shown.on_show), upon)
            except Exception:
                self._tell(None)
                raise
            self._acted = self._live.clock()
            self._thread = LastingThread("demo", partial(self._play, number))
            self._thread.start()

    def stop(self) -> None:
        """End the demonstration; the match stays as it is."""
        with self._asked:
            self._end()

    def hold(self) -> None:
        """Let no further act happen until `go_on` or `step`."""
        self._retell(held=True)

    def go_on(self) -> None:
        """Let acts happen again."""
        self._retell(held=False)

    def step(self) -> None:
        """Let one act happen now, and hold then."""
        with self._changed:
            self._steps += 1
        self._retell(held=True)

    def hurry(self, speed: float) -> None:
        """Tell the story this many times as fast."""
        self._retell(speed=speed)

    @property
    def running(self) -> bool:
        """Whether a demonstration is under way."""
        return self.telling is not None

    def _end(self) -> None:
        if self._thread is not None:
            self._thread.stop(self._wake)
            self._thread = None

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _tell(self, telling: Telling | None) -> None:
        with self._changed:
            self.telling = telling
            self._changed.notify_all()
        for changed in self._watchers:
            changed()

    def _retell(self, **how: Any) -> None:
        with self._changed:
            telling = self.telling and replace(self.telling, **how)
            has_changed = telling != self.telling
            if has_changed:
                self.telling = telling
            self._changed.notify_all()
        if has_changed:
            for changed in self._watchers:
                changed()

    def _play(self, number: int, rounds: Rounds) -> None:
        try:
            opened = threading.Event()
            # Rehearsed while the opening is shown, because that takes seconds; once it is over, a story that fits is
            # enough.
            with ThreadPoolExecutor(1, "rehearsal") as rehearsals:
                events = self._live.ask(_events)
                story = rehearsals.submit(demo_script.best, events, self._chance, self._live.faults.note, opened.is_set)
                goes_on = self._open(rounds)
                opened.set()
            episodes = story.result().episodes
            if not goes_on:
                return
            self._retell(opening="")
            while episodes and self._rested(episodes[0].after, rounds):
                if self._live.snapshot.match != number:
                    return
                episodes = self._after(episodes, rounds)
            if not episodes:
                self._rested(demo_script.PODIUM, rounds)
        except Exception as wrong:  # a match is not begun again in the middle
            keep("demo", wrong)
            _journal.warning("the demonstration of match %d was ended by a fault", number)
            snapshot = self._live.snapshot
            if snapshot.match == number:
                with suppress(NotNow):
                    self._live.pause(Why.ENDED, snapshot)
        finally:
            self._tell(None)

    def _open(self, rounds: Rounds) -> bool:
        """Show what the game is, and the pictures of how it is played if it has any; return whether to go on."""
        sentences = catalogue(self._live.ask(_slug))
        for opening in ("about", *(picture for picture in HOW if picture in sentences)):
            self._retell(opening=opening)
            if not self._rested(ABOUT if opening == "about" else PICTURE, rounds):
                return False
            self._acted = self._live.clock()
        return True

    def _after(self, episodes: tuple[Episode, ...], rounds: Rounds) -> tuple[Episode, ...]:
        """Do the first of these episodes and return the rest; if somebody else has acted, rehearse the rest of the
        match again."""
        self._acted = self._live.clock()
        if self._live.snapshot.pause is not None:
            return episodes  # people are looking at something, so it waits
        try:
            if self._live.ask(lambda match: _fits(match, episodes[0])):
                episode = episodes[0]
                following = episodes[1:]
                self._show(episode, following)
                self._do(episode, rounds)
                return following
        except NotNow:
            return episodes  # the page says so in large letters; it waits like everybody
        self._retell(hands={}, before={}, coming={}, followed=None)
        return demo_script.soonest(self._live.ask(_events), self._chance, self._live.faults.note).episodes

    def _show(self, episode: Episode, following: tuple[Episode, ...]) -> None:
        """Show the hands as the coming act leaves them, so that pages change with the act, and only once."""
        hands = self._hands(episode.world)
        coming = self._hands(following[0].world) if following else {}
        with self._changed:
            if self.telling is not None:
                earlier_hands = self.telling.before if hands == self.telling.hands else self.telling.hands
                self.telling = replace(
                    self.telling, hands=hands, before=earlier_hands, coming=coming, followed=episode.followed
                )

    def _hands(self, world: Any) -> dict[int, dict[str, Any]]:
        """Return what everybody sees of this world; worked out here, because the judge's thread has others to serve."""
        game, seats = self._live.ask(lambda match: (match.game, match.seats))
        physics = game.physics
        if physics is None or world is None:
            return {}
        return self._live.faults.tried(
            game.slug, "simulated world", lambda: {seat: physics.sees(world, seat) for seat in seats}, dict
        )

    def _rested(self, seconds: float, rounds: Rounds) -> bool:
        """Wait this many seconds of the story after the last act, or for a step; return whether to go on then."""
        clock = self._live.clock
        seconds_left = seconds
        looked_at = self._acted
        with self._changed:
            while not rounds.is_set() and self.telling is not None:
                at = clock()
                seconds_left -= 0.0 if self.telling.held else (at - looked_at) * self.telling.speed
                looked_at = at
                if self._steps:
                    self._steps -= 1
                    return True
                due = self.telling.due(seconds_left)
                if due is not None and due <= 0:
                    return True
                self._changed.wait(LOOKS_EACH if due is None else min(due, LOOKS_EACH))
        return False

    def _do(self, episode: Episode, rounds: Rounds) -> None:
        match episode.act:
            case Tapped(place=place, card=card) if place in self._hand.places:
                self._hand.lay(place, self._live.ask(_slug), card)
            case Pressed(seat=seat):
                time.sleep(max(0.0, min(demo_script.APART, self._pressed + demo_script.APART - self._live.clock())))
                at = self._live.clock()
                time.sleep(episode.behind)
                self._hand.press(seat, at)
                if isinstance(episode.rival, Pressed):  # as far behind as rehearsed, or a dead heat would not be one
                    self._hand.press(episode.rival.seat, at + episode.behind)
                self._pressed = self._live.clock()
            case act:  # no reader is there, or none needed; nobody watches a delay run out in which nothing happens
                self._live.enter(act)
        acts_wanted = episode.before + (2 if episode.rival else 1)
        patience = PATIENCE
        while (
            patience > 0 and self._live.ask(demo_script.acts_of) < acts_wanted
        ):  # without the lock, because pages want it
            with self._changed:
                if rounds.is_set():
                    return
                self._changed.wait(RECORDED_SOON)
            patience -= RECORDED_SOON


def _events(match: Match) -> list[Event]:
    return [*match.events]


def _slug(match: Match) -> str:
    return match.game.slug


def _fits(match: Match, episode: Episode) -> bool:
    """Return whether an episode may still come next, as rehearsed."""
    if demo_script.acts_of(match) != episode.before:
        return False
    act = replace(episode.act, seq=len(match.events) + 1)
    nothing: tuple[Verdict, ...] = ()
    verdicts = match.tried("judge", lambda: match.game.moves.judge(match.state, act)[1], nothing)
    return not any(isinstance(verdict, Misplay) for verdict in verdicts)
