"""The language of the games' tests: what happens at a table, and what the judge makes of it.

Every act returns its seq. `after` is seconds since the latest event, `at` seconds on the table's clock.
"""

import json
from typing import Any, ClassVar, Self, cast

import pytest
from msgspec import UNSET

from companion import games
from companion.events import (
    SEATS,
    Elapsed,
    Event,
    Lifted,
    Place,
    Player,
    Pressed,
    Retracted,
    Said,
    Seat,
    Started,
    Tapped,
    place_of,
)
from companion.game import Heard, Misplay, Verdict
from companion.judge import views
from companion.judge.match import Match, judge
from companion.kit.random_matches import NAMES
from companion.words import catalogue

EVERYBODY = (None, *SEATS)
"""Every possible observer, the public first, empty seats included."""

Spot = int | str
"""A seat's number, or a place's name."""


class AtTable:
    """A table of one game; without seats, 1 to 3 play. Seats are named in the order of `players`."""

    game: ClassVar[str]
    pause: ClassVar[float] = 2.0
    """Seconds between two acts, by default."""

    def __init__(self, *seats: int, **options: Any):
        out = "; ".join(map(str, games.left_out()))
        assert self.game in games.known(), f"there is no game {self.game!r}. {out}"
        self.seats = seats or (1, 2, 3)
        players = tuple(Player(seat, NAMES[seat - 1]) for seat in self.seats)
        self.match = Match(Started(1, 100.0, self.game, players, options))
        self.now = 100.0

    # What happens.

    def tap(self, spot: Spot, *cards: str, after: float | None = None, at: float | None = None, **more: str) -> int:
        """Tap cards at a seat (`1`) or a pad (`"centre"`), one after the other; return the seq of the last."""
        for card in cards:
            self._add(Tapped(self._seq, self._when(after, at), place(spot), card, **more))
        return self._seq - 1

    def press(self, seat: int, after: float | None = None, at: float | None = None, **more: str) -> int:
        """Press a seat's buzzer."""
        return self._add(Pressed(self._seq, self._when(after, at), seat, **more))

    def say(self, seat: Seat | str, what: str, value: Any = UNSET, after: float | None = None) -> int:
        """Have a seat, or the `"host"`, say a word of the game, with its value if it bears one."""
        return self._add(Said(self._seq, self._when(after), cast(Seat, seat), what, value))

    def lift(self, spot: Spot, card: str) -> int:
        """Lift a card from where it lies."""
        return self._add(Lifted(self._seq, self._when(), place(spot), card))

    def elapse(self, what: str) -> int:
        """Let a delay of the rules run out."""
        return self._add(Elapsed(self._seq, self._when(), what))

    def retract(self, target: int) -> int:
        """Take back the event of this seq."""
        return self._add(Retracted(self._seq, self._when(), target))

    def acts(self, written: str) -> Self:
        """Perform written acts, each after its seat or place: "1: press; centre: hearts-3; !2: hearts-3".

        Assert that acts with "!" are misplays, and others are not. A test class with words of its own overrides `_act`.
        """
        wrong = self.misplays
        for act in filter(None, written.split("; ")):
            name, _, object_named = act.lstrip("!").partition(": ")
            seq_before = self._seq
            self._act(int(name) if name.isdigit() else name, object_named)
            wrong += range(seq_before, self._seq) if act.startswith("!") else []
            expected = "a misplay" if act.startswith("!") else "no misplay"
            assert self.misplays == wrong, f"{act!r} is not {expected}: {self.verdict or 'nothing is said of it'}"
        return self

    def _act(self, spot: Any, act: str) -> None:
        """Perform one act: "press", or a card's id; overridden for a game's own words."""
        if act == "press":
            self.press(spot)
            return
        self.tap(spot, act)

    # What the judge makes of it.

    @property
    def points(self) -> dict[int, int | None]:
        """The current points by seat."""
        return dict(self.match.outcome.scores)

    @property
    def misplays(self) -> list[int]:
        """The seqs of all misplays so far."""
        return [misplay.seq for misplay in self.match.misplays]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.match.over

    @property
    def winners(self) -> list[int]:
        """The seats that have won; none before the end."""
        return list(self.match.outcome.winners)

    @property
    def verdict(self) -> str:
        """The verdicts on the latest event, in short: "counted seat=2"."""
        latest = [verdict for verdict in self.match.verdicts if verdict.seq == len(self.match.events)]
        return "; ".join(map(short, latest))

    @property
    def view(self) -> dict[str, Any]:
        """What the public may know of the game."""
        return dict(views.view(self.match, None)["table"])

    def sees(self, observer: int | None = None) -> str:
        """Return what this seat (None: the public) may know, as JSON, to be compared."""
        return seen(self.match, observer)

    def allows(self, *events: Event) -> bool:
        """Return whether none of these events would be a misplay now."""
        return len(judge([*self.match.events, *events]).misplays) == len(self.match.misplays)

    def advances(self, event: Event) -> bool:
        """Return whether this event would be no misplay, and would change the public view."""
        return self.allows(event) and seen(judge([*self.match.events, event]), None) != self.sees()

    # How.

    @property
    def _seq(self) -> int:
        return len(self.match.events) + 1

    def _when(self, after: float | None = None, at: float | None = None) -> float:
        return round(self.now + (self.pause if after is None else after) if at is None else at, 6)

    def _add(self, event: Event) -> int:
        for verdict in self.match.add(event):
            assert verdict.code != "judge-failed", f"the rules raise on {event}"
            assert verdict.code in catalogue(self.game), f"write {verdict.code} into locale/words.pot: {verdict}"
        self.now = max(self.now, event.at)
        return event.seq


def seen(match: Match, observer: int | None) -> str:
    return json.dumps(views.view(match, observer))


FOR_NEWS = ("behind", "counts", "fastest", "runner_up", "lead", "penalties")


def short(verdict: Verdict) -> str:
    """Format a verdict: its code, its facts, its only recipient, and when it is told, if not at once.

    Facts that only its news needs are left out.
    """
    facts = (f"{name}={fact}" for name, fact in verdict.facts.items() if name not in FOR_NEWS)
    alone = [] if verdict.to is None else [f"→{verdict.to or 'nobody'}"]
    later = [verdict.heard.value] if isinstance(verdict, Misplay) and verdict.heard is not Heard.AT_ONCE else []
    return " ".join([verdict.code, *facts, *alone, *later])


def cases(names: str, *rows: tuple[Any, ...]) -> pytest.MarkDecorator:
    """Parametrize a test; each row begins with the case's name."""
    return pytest.mark.parametrize(names, [pytest.param(*values, id=name) for name, *values in rows])


def place(spot: Spot) -> Place:
    return place_of(spot) if isinstance(spot, int) else spot
