"""Events that the table adds to what was sensed, in the same step: the meaning of a press, and the place where a card
counts that was read at two.
"""

from collections.abc import Sequence
from contextlib import suppress

from companion.errors import NotKept
from companion.events import Event, Pressed
from companion.judge import laid_last, press_meanings
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


def count_where_laid_last(played: InPlay, recorder: Recorder, events: Sequence[Event], at: float) -> None:
    """Have a card that was read at two places count where it was laid last; nobody has seen the judgement yet."""
    for moved in laid_last.moves(played.match, events, at):
        with suppress(NotKept):  # then it counts where it was read first, until it is laid again
            recorder.store(played.number, [(event, "") for event in moved.retractions])
            played.move(moved)
