"""Which events of a record still stand; a retraction does not count among them, and can be retracted itself."""

from collections.abc import Iterable, Mapping, MutableMapping, Sequence

from companion.events import Event, Retracted

Against = MutableMapping[int, int]
"""By the number of an event, how many standing retractions name it; events that stand are absent."""


def against(events: Sequence[Event]) -> Against:
    """Count the standing retractions of a whole record."""
    # From its end, because only later retractions decide whether one stands.
    against: Against = {}
    for event in reversed(events):
        if isinstance(event, Retracted) and event.seq not in against:
            against[event.target] = against.get(event.target, 0) + 1
    return against


def count(against: Against, events: Sequence[Event], target: int, by: int) -> int | None:
    """Count a retraction of `target` that was added (`by` 1) or removed (-1); the events are numbered without gaps.

    Return the act that no longer stands, or stands again; None if nothing changed.
    """
    while True:
        earlier = against.get(target, 0)
        later = against.get(target, 0) + by
        if later:
            against[target] = later
        else:
            del against[target]
        if earlier and later:
            return None
        # The target's standing has changed: if it is a retraction itself, so has that of what it takes back.
        event = events[target - 1]
        if not isinstance(event, Retracted):
            return target
        target = event.target
        by = -by


def left(events: Iterable[Event], against: Mapping[int, int]) -> list[Event]:
    """Return the events without those retracted and without the retractions."""
    if not against:
        return [*events]
    return [event for event in events if event.seq not in against and not isinstance(event, Retracted)]


def standing(events: Sequence[Event]) -> list[Event]:
    """Return the standing events of a whole record."""
    return left(events, against(events))
