"""A match that is resumed after the table was off, perhaps in the middle of a lay."""

from collections.abc import Iterable, Mapping

import msgspec

from companion.events import Event, Lifted, Tapped


class Resumed(msgspec.Struct, frozen=True):
    """How a resumed match stood when the table went off; empty for one that has begun since."""

    at: float = 0.0
    """Its last recorded time (seconds): presses that a box has kept since came after it."""
    left: Mapping[str, tuple[str, str]] = {}
    """Place → card and tag that lay on the readers: one that is still there was not tapped again."""


def left_lying(events: Iterable[Event]) -> dict[str, tuple[str, str]]:
    """Return what lay on the readers after these events: place → card and tag ("" without one).

    Only what readers told counts: an entry or a retraction by a person moves no card.
    """
    lying: dict[str, tuple[str, str]] = {}
    for event in sorted(events, key=lambda event: event.at):  # corrected events are entered again with their old time
        match event:
            case Tapped(place=place, card=card, tag=tag, by=msgspec.UNSET):
                lying[place] = card, "" if tag is msgspec.UNSET else tag
            case Lifted(place=place):
                lying.pop(place, None)
    return lying
