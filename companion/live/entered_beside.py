"""What the table enters by itself beside what was sensed, in the same step: what a press means, and where a card counts
that was read at two seats.
"""

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from companion.errors import NotKept
from companion.events import Event, Pressed, Tapped
from companion.judge import contested_cards, press_meanings
from companion.judge.claims import claimed
from companion.judge.match import Match
from companion.live.in_play import InPlay
from companion.live.intake import Stored
from companion.live.recorder import Recorder


def with_meanings(match: Match, sensed: Sequence[Stored], on_since: float) -> list[Stored]:
    """Return what was sensed, each press with what is entered for it. `on_since` is when the table was switched on."""
    if not any(isinstance(event, Pressed) for event, _ in sensed):
        return [*sensed]
    steps = press_meanings.with_meanings(match, [event for event, _ in sensed], on_since)
    origins = (origin for _, origin in sensed)
    return [
        (event, origin if event is step[0] else "")
        for step, origin in zip(steps, origins, strict=True)
        for event in step
    ]


def count_where_laid_last(played: InPlay, recorder: Recorder, since: int, now: float) -> None:
    """Move the cards that were read at two seats; `since` is the first event that nobody has seen judged yet."""
    for card in contested_cards.contested(played.match):
        seat = contested_cards.laid_last(played.match, card)
        if seat is None or seat == card.counts_at:
            continue
        moved = _numbered(played, contested_cards.moved_to(played.match, card, seat, now))
        with suppress(NotKept):  # then it counts where it was read first, until it is laid again
            recorder.store(played.number, [(event, "") for event in moved])
            if card.told_with >= since:
                played.move_unseen(moved)
            else:
                played.judge(moved)


def count_where_said_last(played: InPlay, recorder: Recorder, taps: Sequence[Tapped], now: float) -> None:
    """Have a seat's card say again what was said by one on a neighbour's pad."""
    for tap in taps:
        retractions = _numbered(played, claimed(played.match, tap, now))
        if not retractions:
            continue
        with suppress(NotKept):  # then it is refused, until it is laid again
            recorder.store(played.number, [(event, "") for event in retractions])
            played.judge_claimed(tap, retractions)


def _numbered(played: InPlay, events: Sequence[Event]) -> list[Event]:
    return [replace(event, seq=seq) for seq, event in enumerate(events, len(played.match.events) + 1)]
