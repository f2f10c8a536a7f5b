"""Presses that a worn button tells twice."""

from collections.abc import Callable, Sequence

from companion.events import Event, Pressed, Said

FELT_TWICE = 0.3
"""Seconds within which a worn button tells one press twice."""


def is_felt_twice(event: Event, events: Sequence[Event], stands: Callable[[int], bool]) -> bool:
    """Return whether this is a press just after another of its seat that stands, or after the word that one meant.

    `events`: those of the match, in the order of their numbers. `stands`: number → whether it was not taken back.
    """
    if not isinstance(event, Pressed):
        return False
    # Compared by number, not index: a match made of the standing events alone has gaps.
    earlier_events = (earlier for earlier in reversed(events) if earlier.seq < event.seq)
    for earlier in earlier_events:
        if earlier.at < event.at - FELT_TWICE:
            return False
        is_of_seat = isinstance(earlier, Pressed | Said) and earlier.seat == event.seat
        if is_of_seat and stands(earlier.seq):
            return True
    return False
