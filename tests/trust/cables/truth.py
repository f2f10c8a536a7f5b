"""What really happened on the table, and whether a log agrees: no code of the companion's is asked.

Whoever lays a card, presses a button or breaks something says so here. What must be in the log follows from that and
from how often a chip has looked meanwhile: a card that it saw five times, or nothing 25 times (100 by one that misses
most of what lies there), over half a second without a fault, "lay long enough"; one that lay shorter, or under a fault,
may have been seen or not, but nothing may be told that never was.
"""

import json
import sqlite3
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.emulators.quirks import Quirks

LOOKS, LOOKS_AT_NOTHING, LONG_ENOUGH = 5, 25, 0.45
"""Polls that saw a card, or none, and seconds from the second to the last of them, after which the companion must have
told: a neighbour's fault may hold up what the first one saw until then. That a card is gone takes more of them."""
UNREAD, LOOKS_OF_A_BAD_READER = 0.5, 100
"""The share of polls that miss a card that lies there, above which so many looks at nothing are due."""
AFTER_TWO = 3.0
"""Seconds likewise where two lay before, and answers come damaged: it takes 0.3 s without that to tell them apart."""
RECOVERED_S = 5.0
"""Seconds from a fault's end until all is well, unless chips want more."""
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Must:
    """What the log has to hold of a place, at some moment of this stretch."""

    began: float
    ended: float
    cards: frozenset[str]


@dataclass
class Place:
    """One place, as it really is. Its methods may be called from any thread, but for one place by one at a time."""

    name: str
    clock: Callable[[], float]
    quirks: Quirks = Quirks()  # noqa: RUF009 - it is frozen
    """What its chip is like."""
    well_after_s: float = RECOVERED_S
    """Seconds from a fault's end until all is well."""
    cards: frozenset[str] = NOTHING
    """What lies there now."""
    lay: list[tuple[float, frozenset[str]]] = field(default_factory=list)
    """What lay there from when on."""
    musts: list[Must] = field(default_factory=list)
    faults: int = 0
    """How many there are now that concern its reader."""
    faulted_at: float = 0.0
    """When the last one began or ended."""
    looked_at: float = 0.0
    """When its chip has last been asked for cards while nothing was wrong."""
    polls: list[float] = field(default_factory=list)
    """When its chip was asked for cards, whatever was wrong then."""
    _lay_two: bool = False
    """Whether two lay there since none did."""
    _began: float = 0.0
    _looks: list[float] = field(default_factory=list)

    def now_lies(self, cards: frozenset[str], change: Callable[[], object]) -> None:
        """Make a change on the table."""
        self._end()
        change()
        self._lay_two = len(self.cards) > 1 or (self._lay_two and bool(cards))
        self.cards = cards
        self.lay.append((self.clock(), cards))

    def fault(self, more: int) -> None:
        """Take in that a fault begins (1) or ends (-1)."""
        self._end()
        self.faults += more
        self.faulted_at = self.clock()

    def looked(self, found: frozenset[str]) -> None:
        """Take in that the chip was asked, and what it found."""
        self.polls.append(self.clock())
        if not self.faults:
            self.looked_at = self.clock()
            if found == self.cards:
                self._looks.append(self.looked_at)

    def begun_anew(self) -> None:
        """Take in that the companion starts: what it saw before it was killed, and had not stored, is lost with it."""
        self._looks = []

    @property
    def settled(self) -> bool:
        """Whether what lies there now must have been told."""
        looks = self._looks
        at_nothing = LOOKS_OF_A_BAD_READER if self.quirks.unread > UNREAD else LOOKS_AT_NOTHING
        enough = LOOKS if self.cards else at_nothing
        damaged = self.quirks.lost or self.quirks.damaged
        long_enough = AFTER_TWO if damaged and self._lay_two else LONG_ENOUGH
        return len(looks) >= enough and looks[-1] - looks[1] >= long_enough

    def end(self) -> None:
        """Take in that the evening is over."""
        self._end()

    def _end(self) -> None:
        now = self.clock()
        if self.settled and len(self.cards) < 2:
            self.musts.append(Must(self._began, now, self.cards))
        self._began = now
        self._looks = []

    def polled_by(self, at: float, before: int = 0) -> float:
        """Return the last time until then that its chip was asked, or so many times before."""
        number = bisect_right(self.polls, at) - before
        return self.polls[number - 1] if number > 0 else 0.0

    def lay_in(self, began: float, ended: float) -> list[frozenset[str]]:
        """Return all that lay there between two moments."""
        found = [NOTHING]
        for at, cards in self.lay:
            if at > ended:
                break
            found = [cards] if at <= began else [*found, cards]
        return found


class Card(NamedTuple):
    """A card in the log."""

    at: float
    kind: str
    place: str
    card: str


class Press(NamedTuple):
    """A press in the log."""

    at: float
    seat: int
    origin: str


class Log(NamedTuple):
    """What sensors have told."""

    cards: list[Card]
    presses: list[Press]


def logged(path: Path) -> Log:
    """Read cards and presses out of a log, in the order of their numbers."""
    found = Log([], [])
    with closing(sqlite3.connect(path)) as log:
        for origin, body in log.execute("SELECT origin, body FROM event ORDER BY match, seq"):
            match json.loads(body):
                case {"by": _}:
                    pass  # entered by a person
                case {"kind": "tapped" | "lifted" as kind, "at": at, "place": place, "card": card}:
                    found.cards.append(Card(at, kind, place, card))
                case {"kind": "pressed", "at": at, "seat": seat}:
                    found.presses.append(Press(at, seat, origin))
    return found


def disagreements(place: Place, log: Sequence[Card], restarts: Sequence[float], lag: float) -> Iterator[str]:
    """Return what the log says of a place that was not so, and what it leaves out.

    `lag` is how long after it was seen a card may be told, in seconds, and one poll: of a card that came onto another
    the next poll tells, which may be late where others on the bus fail, and last longer than that itself where the
    bus is slow. A companion that starts again may tell what lies there only where it had not told it before.
    """
    on: dict[str, float] = {}
    states: list[tuple[float, frozenset[str]]] = [(0.0, NOTHING)]
    for one in (told for told in log if told.place == place.name):
        what = f"{one.kind} {one.card} at {place.name}, {one.at:.3f}"
        restarted = any(on.get(one.card, one.at) <= at < one.at for at in restarts)
        if one.kind == "tapped":
            since = on.get(one.card)
            seen = min(place.polled_by(one.at - lag), place.polled_by(one.at, before=1))
            if all(one.card not in cards for cards in place.lay_in(seen, one.at)):
                yield f"never lay there: {what}"
            elif since is not None and not (restarted and _was_away(place, one.card, since, one.at)):
                yield f"told twice{' after a restart' if restarted else ''}: {what}"
            on = {one.card: one.at}
        else:
            if one.card not in on:
                yield f"had not come: {what}"
            elif not _was_away(place, one.card, on[one.card] - lag, one.at) and not _hidden(
                place, on[one.card], one.at
            ):
                yield f"lies there still: {what}"
            on.pop(one.card, None)
        states.append((one.at, frozenset(on)))
    for must in place.musts:
        # What was lifted while no companion ran is not told as lifted by the next one.
        excused = not must.cards and any(at > _last(states, must) for at in restarts)
        if not excused and not _so_at_some_moment(states, must, lag):
            yield f"not told: {', '.join(must.cards) or 'nothing'} at {place.name}, {must.began:.3f}"


def _last(states: Sequence[tuple[float, frozenset[str]]], must: Must) -> float:
    return max(at for at, _ in states if at <= must.ended)


def _was_away(place: Place, card: str, began: float, ended: float) -> bool:
    return any(card not in cards for cards in place.lay_in(began, ended))


def _hidden(place: Place, began: float, ended: float) -> bool:
    """Whether another card lay on it, at a reader that misses some: of two it may then see the other one only."""
    return place.quirks.unread > 0 and any(len(cards) > 1 for cards in place.lay_in(began, ended))


def _so_at_some_moment(states: Sequence[tuple[float, frozenset[str]]], must: Must, lag: float) -> bool:
    ends = [*(at for at, _ in states[1:]), float("inf")]
    return any(
        cards == must.cards and at <= must.ended + lag and end >= must.began
        for (at, cards), end in zip(states, ends, strict=True)
    )
