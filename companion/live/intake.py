"""What the table senses, as events of a match."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from companion.devices import sensing
from companion.events import Event, Lifted, Pressed, Tapped
from companion.judge.match import Match
from companion.tags import deck


class Resumed(msgspec.Struct, frozen=True):
    """How a match stood that goes on after the table was off; of one that began since, nothing."""

    at: float = 0.0
    """Its last recorded time (seconds): what a box has kept since was pressed after it."""
    left: Mapping[str, tuple[str, str]] = {}
    """Place → card and tag of what lay on the readers: found there still, it was not tapped again."""


def event_of(
    told: sensing.Sensing,
    match: Match,
    cards: Mapping[str, tuple[str, str]],
    resumed: Resumed,
    stored: Callable[[str], bool],
) -> tuple[Event, str] | None:
    """Give the event (its `seq` is 0) and its origin, "" where it has none; None where it is none, or stored already.

    `cards` are the table's, by uid.
    """
    match told:
        case sensing.Appeared(place, uid, at, _, already):
            card, tag = deck.card_on(uid, cards, match.game.slug)
            if already and resumed.left.get(place) == (card, tag or ""):
                return None
            return Tapped(0, at, place, card, tag if tag else msgspec.UNSET), ""  # type: ignore[arg-type]
        case sensing.Gone(place, uid, at):
            card, _ = deck.card_on(uid, cards, match.game.slug)
            return Lifted(0, at, place, card), ""  # type: ignore[arg-type]
        case sensing.Buzzed(seat, at, _, origin):
            at = max(at, resumed.at)
            if at < match.started.at or stored(origin):
                return None  # pressed before this match, and told late; or stored already
            return Pressed(0, at, seat), origin
    return None


def left_lying(events: Iterable[Event]) -> dict[str, tuple[str, str]]:
    """Give what the readers had told of, place → card and tag ("" without one), and not told as gone.

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
