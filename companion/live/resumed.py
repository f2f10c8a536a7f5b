"""A match that is resumed after the table was off, perhaps in the middle of a lay."""

from collections.abc import Iterable, Mapping

import msgspec

from companion.events import Event, Lifted, Tapped


class Resumed(msgspec.Struct, frozen=True):
    """How a resumed match stood when the table went off; nothing for one that began since."""

    at: float = 0.0
    """Its last recorded time (seconds): presses that a box has kept since came after it."""
    left: Mapping[str, tuple[str, str]] = {}
    """Place → card and tag that lay on the readers: one still found there was not tapped again."""


def left_lying(events: Iterable[Event]) -> dict[str, tuple[str, str]]:
    """Return what still lay on the readers as far as they told: place → card and tag ("" without one).

    Nothing that people entered or took back moved a card.
    """
    lying: dict[str, tuple[str, str]] = {}
    for event in sorted(events, key=lambda event: event.at):  # corrected events are entered again with their old time
        match event:
            case Tapped(place=place, card=card, tag=tag, by=msgspec.UNSET):
                lying[place] = card, "" if tag is msgspec.UNSET else tag
            case Lifted(place=place):
                lying.pop(place, None)
    return lying
