"""Who gets each sensing: a walk around the table, the stickers, a club card, the pause, a seat that hears its cards,
the match, in this order.

The stickers come before the pause, because people put them on in a break too.

A card that anything but the match has claimed is withheld from the match until it is lifted again.
"""

from collections.abc import Callable, Mapping
from enum import Enum

import msgspec

from companion.devices import sensing
from companion.events import Event, Lifted, Pressed, Tapped, seat_at
from companion.judge.match import Match
from companion.live.cards_aloud import Hearing
from companion.live.pause import Pause
from companion.live.resumed import Resumed
from companion.tags import deck
from companion.tags.enrolment_session import Enrolment


class Claimant(Enum):
    """Who gets a sensing that is none of the match's business."""

    WALK = "walk"
    """Somebody walks around the table to check that each device is the right one."""
    STICKERS = "stickers"
    """Cards are laid only to get their stickers."""
    OWNER = "owner"
    """Somebody shows who they are, with a club card, not a card of the game."""
    PAUSE = "pause"
    """The match is paused, or was when this happened."""
    HEARING = "hearing"
    """Whoever sits there only wants to hear which card it is."""


class Intake:
    """Decides who gets each sensing, and keeps from the match what it never heard of. Use it from one thread."""

    def __init__(self, enrolment: Enrolment) -> None:
        self.walking: Callable[[], bool] = lambda: False
        """Whether a walk around the table currently claims presses and cards."""
        self.shown: Callable[[str, str], bool] = lambda place, uid: False
        """Whether the tag read at a place identifies its owner, rather than being a card of a game."""
        self._enrolment = enrolment
        self._withheld: dict[tuple[str, str], Claimant] = {}
        """(place, uid) of the cards that lie there, or lay there last, unknown to the match."""

    def claimant(self, told: sensing.Sensing, pause: Pause | None, hearing: Hearing | None = None) -> Claimant | None:
        """Return who gets this before the match, or None."""
        match told:
            case sensing.Gone(place, uid):  # looked up, not removed: it is told again if the disk fails
                return self._withheld.get((place, uid))
            case sensing.Appeared(place, uid, at):
                claimant = self._claimant_of_card(place, uid, at, pause, hearing)
                self._withheld.pop((place, uid), None)
                if claimant is not None:
                    self._withheld[place, uid] = claimant
                return claimant
            case sensing.Buzzed() if self.walking():
                return Claimant.WALK
            case sensing.Buzzed(_, at) if pause is not None and pause.covers(at):
                return Claimant.PAUSE
        return None

    def _claimant_of_card(
        self, place: str, uid: str, at: float, pause: Pause | None, hearing: Hearing | None
    ) -> Claimant | None:
        if self.walking():
            return Claimant.WALK
        if self._enrolment.takes(uid):
            return Claimant.STICKERS
        if self.shown(place, uid):
            return Claimant.OWNER
        if pause is not None and pause.covers(at):
            return Claimant.PAUSE
        return Claimant.HEARING if hearing is not None and hearing.covers(seat_at(place), at) else None


def event_of(
    told: sensing.Sensing,
    match: Match,
    cards: Mapping[str, tuple[str, str]],
    resumed: Resumed,
    stored: Callable[[str], bool],
) -> tuple[Event, str] | None:
    """Return the event (its `seq` is 0) and its origin ("" if none); None if it is not an event, or already stored.

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
                return None  # pressed before this match and told late, or already stored
            return Pressed(0, at, seat), origin
    return None
