"""A match that plays itself on the virtual table: real cards on virtual readers, real events, a real log."""

import random
import threading
from typing import Protocol

from companion import games
from companion.errors import NotNow
from companion.events import Elapsed, Event, Player, Pressed, Said, Tapped, seat_at
from companion.judge.match import Match
from companion.live.table import Live

PEOPLE = {1: "Ana", 3: "Bo", 4: "Cléo", 6: "Dédé"}
LONGEST = 3000
"""Acts after which a demonstration ends, whatever the match."""


class Hand(Protocol):
    """Lays cards and presses buzzers on a table that has no sensors."""

    @property
    def places(self) -> tuple[str, ...]:
        """Where a card can be laid."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have a buzzer."""

    def lay(self, place: str, slug: str, card: str) -> None:
        """Lay a card of a game's deck; one that lay there goes away."""

    def lift(self, place: str) -> None:
        """Take the card away, if one lies there."""

    def press(self, seat: int) -> None:
        """Press a seat's buzzer now."""


class Demo:
    """Plays one match at a time."""

    def __init__(self, live: Live, hand: Hand):
        """Play on this table, with this hand."""
        self._live = live
        self._hand = hand
        self._stop = threading.Event()
        self._asked = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether a demonstration is going on."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, game: str, pace: float = 1.0) -> None:
        """Start a match and play it, an act about every `pace` seconds. Raises ValueError for an unknown game."""
        if game not in games.known():
            raise ValueError(f"unknown game {game!r}; known: {', '.join(games.known())}")
        players = tuple(Player(seat, name) for seat, name in PEOPLE.items() if seat in self._hand.seats)
        with self._asked:
            self._end()
            self._stop.clear()
            number = self._live.begin_demo(game, players[: games.known()[game].most_players])
            self._thread = threading.Thread(target=self._play, args=(number, pace), name="demo")
            self._thread.start()

    def stop(self) -> None:
        """End the demonstration; the match stays as it is."""
        with self._asked:
            self._end()

    def _end(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _play(self, number: int, pace: float) -> None:
        for _ in range(LONGEST):
            if self._stop.wait(pace * random.uniform(0.6, 1.4)):
                return
            if self._live.snapshot.pause is not None:
                continue  # people look at something; it waits
            acts = self._acts()
            if not acts or self._live.snapshot.match != number:
                return
            act = random.choice(_one_of_a_kind(acts))
            try:
                self._do(act)
                self._press_too(act, acts)
                self._lay_too(act, acts, pace)
            except NotNow:
                continue  # the page says so in large letters; the demonstration waits like everybody

    def _press_too(self, act: Event, acts: tuple[Event, ...]) -> None:
        """Where anybody may press, often two do at once, some milliseconds apart."""
        others = [other for other in acts if isinstance(other, Pressed) and other != act]
        if isinstance(act, Pressed) and others and random.random() < 0.6:
            self._stop.wait(random.choice((0.0003, random.uniform(0.001, 0.02), random.uniform(0.02, 0.3))))
            self._do(random.choice(others))

    def _lay_too(self, act: Event, acts: tuple[Event, ...], pace: float) -> None:
        """Where everybody lays a card at their own place, they do so at the same time."""
        if not isinstance(act, Tapped) or seat_at(act.place) is None:
            return
        for place in sorted({other.place for other in acts if isinstance(other, Tapped)} - {act.place}):
            self._stop.wait(pace * random.uniform(0.05, 0.2))
            theirs = [other for other in self._acts() if isinstance(other, Tapped) and other.place == place]
            if theirs and seat_at(place) is not None and random.random() < 0.8:
                self._do(random.choice(theirs))

    def _acts(self) -> tuple[Event, ...]:
        return self._live.ask(lambda match: match.game.acts(match.state))

    def _do(self, act: Event) -> None:
        match act:
            case Tapped(place=place, card=card):
                before = self._live.ask(_taps)
                self._hand.lay(place, self._live.ask(_slug), card)
                for _ in range(100):  # until the table has read it
                    if self._live.ask(_taps) > before or self._stop.wait(0.01):
                        return
            case Pressed(seat=seat):
                self._hand.press(seat)
            case Said():
                self._live.enter(act)
            case Elapsed():
                pass


def _taps(match: Match) -> int:
    return sum(isinstance(event, Tapped) for event in match.events)


def _slug(match: Match) -> str:
    return match.game.slug


def _one_of_a_kind(acts: tuple[Event, ...]) -> list[Event]:
    """Choose the kind of act first, or a word that can be said in twenty ways is nearly all that is ever said."""
    weights: dict[str, int] = {"tapped": 12, "pressed": 4, "said": 3, "elapsed": 1}
    kinds: dict[str, list[Event]] = {}
    for act in acts:
        kinds.setdefault(type(act).__name__.lower(), []).append(act)
    return random.choices(list(kinds.values()), [weights[kind] for kind in kinds])[0]
