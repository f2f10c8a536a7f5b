"""The players of a rehearsed match: bots that hold the game's things, or chance once cards lie on the table. Pure."""

from collections import deque
from collections.abc import Iterator
from typing import Any, Protocol

from companion.events import Elapsed, Event, Pressed, Tapped
from companion.game.simulated_world import SETTING_UP, STRENGTHS, AnyPhysics, Chance, Move, Sight, takes
from companion.judge import views
from companion.judge.match import Match

KINDS = {"tapped": 12, "pressed": 3, "said": 3, "elapsed": 1}
"""How likely each kind of act is, relative to the others."""


class Cast(Protocol):
    """Plays a match, act by act."""

    @property
    def world(self) -> Any:
        """What currently lies where, hidden things included; None: unknown."""

    def act(self, match: Match) -> Event | None:
        """Return what happens next, or None if nothing will."""

    def rivals(self, match: Match) -> list[Pressed]:
        """Return the presses that may come in the same race."""


def of(match: Match, chance: Chance) -> Cast:
    """Return who can play on from here."""
    physics = match.game.physics
    if physics is None or len(match.events) > 1:
        return Improvised(chance)
    return Dealt(physics, match.seats, chance)


class Dealt:
    """A cast of bots: each holds what it was dealt, and plays by what its seat knows."""

    def __init__(self, physics: AnyPhysics, seats: tuple[int, ...], chance: Chance):
        """Shuffle and deal."""
        self._physics = physics
        self._chance = chance
        # No easy ones, so that onlookers find a reason for each choice.
        strengths = chance.choice((STRENGTHS[1:2], STRENGTHS[2:], STRENGTHS[1:]))
        self._strengths = {seat: chance.choice(strengths) for seat in seats}
        self.world: Any = physics.begin(seats, chance)
        self._shown: deque[Event] = deque()
        self._make(SETTING_UP)

    def act(self, match: Match) -> Event | None:
        """Return the next event sensed of what the quickest of them does."""
        while not self._shown:
            sights = self._sights(match)
            chosen = (self._physics.choose(sight, self._strengths[sight.seat], self._chance) for sight in sights)
            move = min((move for move in chosen if move), key=lambda move: takes(move, self._chance), default=None)
            if move is None:
                return next((act for act in match.game.moves.likely(match.state) if isinstance(act, Elapsed)), None)
            self._make(move)
        return self._shown.popleft()

    def rivals(self, match: Match) -> list[Pressed]:
        """Return the presses of those who can press now; a press by which a card is laid aside races nobody."""
        moves = (move for sight in self._sights(match) for move in sight.moves if not move.card)
        outcomes = (self._physics.do(self.world, move, self._chance)[1] for move in moves)
        return [events[0] for events in outcomes if len(events) == 1 and isinstance(events[0], Pressed)]

    def _make(self, move: Move) -> None:
        self.world, events = self._physics.do(self.world, move, self._chance)
        self._shown.extend(events)

    def _sights(self, match: Match) -> Iterator[Sight]:
        for seat in match.seats:
            table = views.table(match, seat)
            moves = self._physics.can(self.world, table, seat)
            if moves:
                yield Sight(seat, self._physics.sees(self.world, seat), table, moves)


class Improvised:
    """A cast of chance: somebody else has laid cards, and nobody knows what lies where."""

    world = None

    def __init__(self, chance: Chance):
        self._chance = chance

    def act(self, match: Match) -> Event | None:
        """Choose the kind of act, then an act: a word that can be said in twenty ways would crowd out the rest."""
        kinds: dict[str, list[Event]] = {}
        for act in _offered(match):
            kinds.setdefault(type(act).__name__.lower(), []).append(act)
        if not kinds:
            return None
        return self._chance.choice(self._chance.choices([*kinds.values()], [KINDS[kind] for kind in kinds])[0])

    def rivals(self, match: Match) -> list[Pressed]:
        """Return the presses to expect."""
        return [act for act in match.game.moves.likely(match.state) if isinstance(act, Pressed)]


def _offered(match: Match) -> tuple[Event, ...]:
    """Return what may come next: no press long after a race, and more cards at a place that has begun to be read."""
    acts = match.game.moves.likely(match.state)
    last = match.events[-1]
    if isinstance(last, Pressed) and not any(isinstance(act, Pressed) and act.seat == last.seat for act in acts):
        acts = tuple(act for act in acts if not isinstance(act, Pressed)) or acts
    if isinstance(last, Tapped):
        acts = tuple(act for act in acts if isinstance(act, Tapped) and act.place == last.place) or acts
    return acts
