"""A match that goes on after the table was off, perhaps in the middle of a lay."""

from collections.abc import Iterable, Mapping

import msgspec

from companion.events import Event, Lifted, Tapped


class Resumed(msgspec.Struct, frozen=True):
    """How a match stood that goes on after the table was off; of one that began since, nothing."""

    at: float = 0.0
    """Its last recorded time (seconds): what a box has kept since was pressed after it."""
    left: Mapping[str, tuple[str, str]] = {}
    """Place → card and tag of what lay on the readers: found there still, it was not tapped again."""


def left_lying(events: Iterable[Event]) -> dict[str, tuple[str, str]]:
    """Return what the readers had told of, place → card and tag ("" without one), and not told as gone.

    What people entered, or took back, moved no card.
    """
    lying: dict[str, tuple[str, str]] = {}
    for event in sorted(events, key=lambda event: event.at):  # what was put right is entered again with its old time
        match event:
            case Tapped(place=place, card=card, tag=tag, by=msgspec.UNSET):
                lying[place] = card, "" if tag is msgspec.UNSET else tag
            case Lifted(place=place):
                lying.pop(place, None)
    return lying
