"""How many cards of each seat have counted, as far as everybody can see by the lamps' green and red.

Lamps may show this number, because it depends on nothing sealed: a card that does not count, but must not be known not
to, is counted here too, and a card entered by phone, which nobody saw, is not.
"""

from collections.abc import Collection

import msgspec

from companion.events import Event, Seat, Tapped
from companion.judge.attribution import Doer, did
from companion.judge.match import Match
from companion.judge.refusals import refusal


class CardsCounted:
    """The count, updated with each event, so that one costs the same however many cards were laid before it."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._unit_began = 0
        """The `unit_began` of the unit counted here; 0: the unit is counted from its events at the next request."""
        self._cards: dict[Seat, set[str]] = {}
        self._refused: set[tuple[str, str]] = set()
        """Place and card."""

    def take(self, event: Event, doers: Collection[Doer]) -> None:
        """Count an event that the match has just judged; `doers` are those who may have done it."""
        if self._match.unit_began > event.seq:
            self._begin()
        elif self._unit_began == self._match.unit_began and _is_sensed(event):
            self._count(event, doers, is_refused=refusal(self._match.latest) is not None)

    def forget(self) -> None:
        """Discard the count, because something was taken back; it is made again from the unit's events."""
        self._unit_began = 0

    def by_seat(self) -> dict[Seat, int]:
        """Return how many different cards of each seat were read in the current unit and not refused by a lamp; seats
        without any are left out.
        """
        if self._unit_began != self._match.unit_began:
            self._read_unit()
        return {seat: len(cards) for seat, cards in self._cards.items() if cards}

    def _begin(self) -> None:
        self._unit_began = self._match.unit_began
        self._cards = {}
        self._refused = set()

    def _read_unit(self) -> None:
        self._begin()
        taps = {event.seq: event for event in self._match.standing(self._unit_began) if _is_sensed(event)}
        verdicts = self._match.verdicts
        refused = {verdict.seq for verdict in verdicts if verdict.seq in taps and refusal((verdict,)) is not None}
        for seq, doers in did(self._match, taps.keys()).items():
            self._count(taps[seq], doers, is_refused=seq in refused)

    def _count(self, tap: Event, doers: Collection[Doer], *, is_refused: bool) -> None:
        assert isinstance(tap, Tapped)
        if is_refused:
            self._refused.add((tap.place, tap.card))
        match [*doers]:
            case [int(seat)]:
                cards = self._cards.setdefault(seat, set())
                if (tap.place, tap.card) in self._refused:
                    cards.discard(tap.card)
                else:
                    cards.add(tap.card)


def _is_sensed(event: Event) -> bool:
    return isinstance(event, Tapped) and event.by is msgspec.UNSET
