"""Cards that were read at two seats, and can be moved from one to the other.

A card can be moved once everybody may know of it, until the next unit is over: by laying it again (`laid_last.py`), or
on a page. The retractions that move it are marked by their `by`: a reading that they retract still counts as a reading.
"""

from collections.abc import Collection, Iterator

import msgspec

from companion.events import Retracted, Tapped, seat_at
from companion.judge.match import Match

LAID_AGAIN = "laid again"
"""The `by` of a retraction of a reading that another reading of the same card contradicts."""


class Contested(msgspec.Struct, frozen=True):
    """A card that was read at several seats in the unit going on, or just over, as everybody was told."""

    card: str
    since: int
    """The `seq` with which that unit began."""
    seats: tuple[int, ...]
    """The seats that read it in this unit."""
    counts_at: int
    """The seat at which it counts."""
    told_with: int
    """The `seq` of the event with which everybody was told of it, or by which it was last moved."""


def contested(match: Match) -> tuple[Contested, ...]:
    """Return the cards that may still be moved from one seat to another that read them."""
    cards = {**_told_of(match), **_moved(match)}
    candidates = (_contested(match, card, seq, told_with) for card, (seq, told_with) in cards.items())
    return tuple(card for card in candidates if card is not None)


def moved_to(match: Match, card: Contested, seat: int, at: float) -> tuple[Retracted, ...]:
    """Return the retractions by which this card counts at `seat`, which is one of its seats; `at` is in seconds."""
    readings = _readings(match, card.card, card.since)
    elsewhere = [seq for seq, reading in readings.items() if seat_at(reading.place) != seat and match.stands(seq)]
    taken_back_here = [
        retraction.seq
        for retraction in _marked(match, card.since)
        if retraction.target in readings and seat_at(readings[retraction.target].place) == seat
    ]
    return tuple(Retracted(0, at, seq, by=LAID_AGAIN) for seq in (*elsewhere, *taken_back_here))


def laid_last(match: Match, card: Contested) -> int | None:
    """Return the seat at which a reader has sensed this card since it was last moved; None if none has."""
    readings = _readings(match, card.card, card.since)
    moved = max(
        (retraction.seq for retraction in _marked(match, card.since) if retraction.target in readings), default=0
    )
    latest = max(readings)
    sensed = readings[latest].by is msgspec.UNSET
    seat = seat_at(readings[latest].place)
    return seat if latest > moved and sensed and seat in card.seats else None


def counting_again(match: Match, targets: Collection[int]) -> list[int]:
    """Return the retractions to take back along with these events.

    A card that was moved to a seat, and is now taken back there, counts where it was read before.
    """
    withdrawn = {*targets}
    taps = [event for seq in targets if isinstance(event := match.events[seq - 1], Tapped)]
    cards = {tap.card for tap in taps if seat_at(tap.place) is not None}
    if not cards:
        return []
    still_laid = {
        event.card
        for event in match.standing(match.unit_began)
        if isinstance(event, Tapped) and event.card in cards and event.seq not in withdrawn
    }
    since = min(match.before(seq).unit_began for seq in targets)
    latest: dict[str, int] = {}
    for retraction in _marked(match, since):
        target = match.events[retraction.target - 1]
        if isinstance(target, Tapped) and target.card in cards - still_laid and target.seq not in withdrawn:
            latest[target.card] = retraction.seq
    return [*latest.values()]


def _told_of(match: Match) -> dict[str, tuple[int, int]]:
    """Return the cards that everybody was told of in this unit, or at its beginning, each with a `seq` of the unit in
    which it was read, and that of the event with which it was told.
    """
    told_cards: dict[str, tuple[int, int]] = {}
    for verdict, told_with in zip(reversed(match.told), reversed(match.told_with), strict=True):
        if told_with < match.unit_began - 1:
            break
        if verdict.in_two_places and verdict.to is None:
            told_cards[verdict.facts["card"]] = verdict.seq, told_with
    return told_cards


def _moved(match: Match) -> dict[str, tuple[int, int]]:
    """Return the cards moved in this unit, in the form of `_told_of`."""
    moved_cards: dict[str, tuple[int, int]] = {}
    for retraction in _marked(match, match.unit_began):
        target = match.events[retraction.target - 1]
        if isinstance(target, Tapped):
            moved_cards[target.card] = target.seq, retraction.seq
    return moved_cards


def _contested(match: Match, card: str, seq: int, told_with: int) -> Contested | None:
    since = match.before(seq).unit_began
    over = since < match.unit_began
    readings = _readings(match, card, since)
    in_unit = {seq: reading for seq, reading in readings.items() if not over or seq < match.unit_began}
    seats = dict.fromkeys(seat for reading in in_unit.values() if (seat := seat_at(reading.place)) is not None)
    counting = [seat_at(reading.place) for seq, reading in in_unit.items() if match.stands(seq)]
    if len(seats) < 2 or not counting or counting[0] is None:
        return None
    return Contested(card, since, tuple(seats), counting[0], told_with)


def _readings(match: Match, card: str, since: int) -> dict[int, Tapped]:
    """Return by `seq` the taps of this card at seats since then, also those retracted in favour of another reading."""
    moved = {retraction.target for retraction in _marked(match, since)}
    return {
        event.seq: event
        for event in match.events[since - 1 :]
        if isinstance(event, Tapped)
        and event.card == card
        and seat_at(event.place) is not None
        and (match.stands(event.seq) or event.seq in moved)
    }


def _marked(match: Match, since: int) -> Iterator[Retracted]:
    """Yield the standing retractions since then by which a card was moved."""
    for event in match.events[since - 1 :]:
        if isinstance(event, Retracted) and event.by == LAID_AGAIN and match.stands(event.seq):
            yield event
