"""A card that was read at two places counts where it was laid last; so does the colour that a card says of its seat.

The judge lets it count where it was read first, since a record is judged in its order. But a player who has laid a card
on a neighbour's pad by mistake lays it on their own next, and expects that to be enough. So the live table retracts the
other reading, with a mark: of a card once everybody may know that it was read twice, and then as often as it is laid
again until the next unit is over (`contested_cards.py`); of a colour at once, within its unit, if the card that says it
again then counts. For a colour only the public ruling decides, not which card said it, because that may be sealed.

Only a reading by a reader moves anything: a player who enters a card by phone may not hold it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

import msgspec
from msgspec.structs import replace

from companion.events import Event, Retracted, Tapped
from companion.game import Misplay, Ruling, refuses_at_once
from companion.judge.attribution import acts_behind
from companion.judge.contested_cards import contested, laid_last, moved_to
from companion.judge.match import Match

SAID_AGAIN = "said again"
"""The `by` of a retraction of a colour that a later card says of another seat."""


class Moved(msgspec.Struct, frozen=True):
    """Something that counts elsewhere from now on."""

    retractions: tuple[Retracted, ...]
    """What to enter, numbered."""
    unseen: bool = False
    """Whether nobody has seen the judgement before the move."""
    tap: Tapped | None = None
    """The tap that was refused and now counts; None if there is none."""


def moves(match: Match, events: Sequence[Event], at: float) -> Iterator[Moved]:
    """Yield the moves that these events, which were just judged, cause; `at` is in seconds.

    The caller enters each move before it takes the next one.
    """
    for card in contested(match):
        seat = laid_last(match, card)
        if seat is not None and seat != card.counts_at:
            unseen = card.told_with >= events[0].seq
            yield Moved(_numbered(match, moved_to(match, card, seat, at)), unseen=unseen)
    for tap in events:
        if not isinstance(tap, Tapped) or tap.by is not msgspec.UNSET:
            continue
        ruling = _contradicted(match, tap)
        if ruling is None:
            continue
        earlier = (Retracted(0, at, seq, by=SAID_AGAIN) for seq in acts_behind(match, ruling))
        retractions = _numbered(match, earlier)
        if _counts_without(match, tap, retractions):
            yield Moved(retractions, tap=tap)


def _contradicted(match: Match, tap: Tapped) -> Ruling | None:
    """Return the ruling of this unit that says the same of another seat as this refused tap; None: there is none."""
    of_tap = takewhile(lambda verdict: verdict.seq >= tap.seq, reversed(match.verdicts))
    refused = next((verdict for verdict in of_tap if verdict.seq == tap.seq), None)
    if not isinstance(refused, Misplay) or not refused.in_two_places or not refuses_at_once(refused):
        return None
    in_unit = takewhile(lambda verdict: verdict.seq >= match.unit_began, reversed(match.public))
    rulings = (verdict for verdict in in_unit if isinstance(verdict, Ruling))
    return next((ruling for ruling in rulings if refused.facts.items() <= ruling.facts.items()), None)


def _counts_without(match: Match, tap: Tapped, retractions: Sequence[Retracted]) -> bool:
    remaining = match.as_of(len(match.events))
    remaining.add_all(retractions)
    return any(verdict.seq == tap.seq and not isinstance(verdict, Misplay) for verdict in remaining.verdicts)


def _numbered(match: Match, retractions: Iterable[Retracted]) -> tuple[Retracted, ...]:
    first = len(match.events) + 1
    return tuple(replace(retraction, seq=seq) for seq, retraction in enumerate(retractions, first))
