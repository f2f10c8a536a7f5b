"""Which events of a record still stand: neither those taken back nor the retractions, which can be taken back too."""

from collections.abc import Iterable, Mapping, MutableMapping, Sequence

from companion.events import Event, Retracted

Against = MutableMapping[int, int]
"""By the number of an event, how many standing retractions name it; events that stand are absent."""


def against(events: Sequence[Event]) -> Against:
    """Count them in a whole record, backwards: whether a retraction stands depends on later ones."""
    found: Against = {}
    for event in reversed(events):
        if isinstance(event, Retracted) and event.seq not in found:
            found[event.target] = found.get(event.target, 0) + 1
    return found


def count(found: Against, events: Sequence[Event], target: int, by: int) -> int | None:
    """Count a retraction of `target` that was added (`by` 1) or removed (-1); the events are numbered without gaps.

    Return the act that no longer stands, or stands again; None if nothing changed.
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
    """Return the standing events of a whole record."""
    return left(events, against(events))
