"""Which events of a record still stand: not what was taken back, nor the taking back, which can be taken back too."""

from collections.abc import Iterable, Mapping, MutableMapping, Sequence

from companion.events import Event, Retracted

Against = MutableMapping[int, int]
"""By the number of an event, how many retractions that stand name it; what stands is not in it."""


def against(events: Sequence[Event]) -> Against:
    """Count them in a whole record: whether a retraction stands is known by those after it."""
    found: Against = {}
    for event in reversed(events):
        if isinstance(event, Retracted) and event.seq not in found:
            found[event.target] = found.get(event.target, 0) + 1
    return found


def count(found: Against, events: Sequence[Event], target: int, by: int) -> int | None:
    """Count a retraction of `target` that came (`by` 1) or went (-1); the events are numbered without gaps.

    Return the act that stands no longer, or again; None: none does otherwise than before.
    """
    while True:
        before, after = found.get(target, 0), found.get(target, 0) + by
        if after:
            found[target] = after
        else:
            del found[target]
        if before and after:
            return None
        event = events[target - 1]
        if not isinstance(event, Retracted):
            return target
        target, by = event.target, -by


def left(events: Iterable[Event], found: Mapping[int, int]) -> list[Event]:
    """Leave out what is taken back, and the taking back."""
    if not found:
        return [*events]
    return [event for event in events if event.seq not in found and not isinstance(event, Retracted)]


def standing(events: Sequence[Event]) -> list[Event]:
    """Return what stands of a whole record."""
    return left(events, against(events))
