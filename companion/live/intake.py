"""Who gets each sensing: a walk around the table, the stickers, an act card, a club card, the next match, the pause,
a seat that hears its cards, the match, in this order.

The stickers come before the pause, because people put them on in a break too.

A card that anything but the match has claimed is withheld from the match until it is lifted again.
"""

from collections.abc import Callable
from enum import Enum
from functools import partial

import msgspec

from companion import act_cards
from companion.devices import sensing
from companion.events import Event, Lifted, Pressed, Seat, Tapped, seat_at
from companion.live.cards_aloud import Hearing
from companion.live.device_status import Status
from companion.live.in_play import InPlay
from companion.live.pad_answers import A_STICKER, PadAnswers
from companion.live.pause import Pause
from companion.tags.deck import card_on, named
from companion.tags.deck_file import Decks
from companion.tags.enrolment_session import Enrolment

Stored = tuple[Event, str]
"""An event with its origin ("" if none)."""
Claim = Callable[[], None]
"""The effect of a sensing outside the match; called only once it is certain that the source won't tell it again."""


class Claimant(Enum):
    """Who gets a sensing that does not concern the match."""

    WALK = "walk"
    """Somebody walks around the table to check that each device is the right one."""
    STICKERS = "stickers"
    """Stickers are being put on, and cards are laid only for that."""
    ACT_CARD = "act card"
    """One of the table's own cards was laid."""
    OWNER = "owner"
    """A club card was laid, which identifies its owner."""
    ANNOUNCEMENT = "announcement"
    """A press announces the next match, or objects to an announcement."""
    PAUSE = "pause"
    """The match is paused, or was when this happened."""
    HEARING = "hearing"
    """The seat only hears which card it is."""


class Intake:
    """Decides who gets each sensing, and withholds from the match the lifting of cards it never saw. Use it from one
    thread.
    """

    def __init__(self, enrolment: Enrolment, decks: Decks, stored: Callable[[str], bool], answers: PadAnswers) -> None:
        """Take the table's decks; `stored` returns whether the log holds a press of this origin already.

        Cards that are laid beside the match are answered in `answers`.
        """
        self.walking: Callable[[], bool] = lambda: False
        """Whether a walk around the table currently claims presses and cards."""
        self.is_club_card: Callable[[str, str], bool] = lambda place, uid: False
        """Whether the tag read at a place, which has a number of its own and is on no card of a game, identifies its
        owner."""
        self.show_club_card: Callable[[str, str], None] = lambda place, uid: None
        """Handle such a card at a place."""
        self.act_by_card: Callable[[str, Seat | None], bool] = lambda card, seat: False
        """Handle one of the table's own cards at a seat, or on a shared pad (None); return whether it counts."""
        self.is_about_next_match: Callable[[sensing.Buzzed], bool] = lambda press: False
        """Whether a press announces the next match, or objects to it."""
        self.announce: Callable[[sensing.Buzzed], None] = lambda press: None
        """Handle such a press."""
        self.status = Status()
        """The state of the devices; not updated during a walk."""
        self._enrolment = enrolment
        self._decks = decks
        self._stored = stored
        self._answers = answers
        self._withheld: dict[tuple[str, str], Claimant] = {}
        """(place, uid) of cards that lie there, or lay there last, and were withheld from the match."""

    def take(self, reading: sensing.Sensing, played: InPlay | None, claims: list[Claim]) -> Stored | None:
        """Return the event that a sensing is in the match, with `seq` 0; None if it is none, or already stored.

        Its other effects are added to `claims`, not carried out: if the events told with it can't be stored, the source
        tells all of them again, and no effect may happen twice.
        """
        claimant = self.claimant(reading, *((played.pause, played.hearing) if played else (None, None)))
        if claimant is not Claimant.WALK:
            claims.append(partial(self.status.look, reading))
        match claimant, reading:
            case Claimant.ACT_CARD, sensing.Appeared(place, uid, already=False):
                _, card = named(uid, self._decks.cards) or ("", "")
                claims.append(partial(self._take_act_card, place, card))
            case Claimant.ACT_CARD | Claimant.STICKERS, sensing.Gone(place):
                claims.append(partial(self._answers.lift, place))
            case Claimant.OWNER, sensing.Appeared(place, uid):
                claims.append(partial(self.show_club_card, place, uid))
            case Claimant.ANNOUNCEMENT, sensing.Buzzed():
                claims.append(partial(self.announce, reading))
            case Claimant.STICKERS, sensing.Appeared(place, uid, kind=kind):
                claims.append(partial(self._put_sticker_on, place, sensing.Tag(uid, kind)))
            case Claimant.HEARING, sensing.Appeared(place, uid) if played is not None:
                card, _ = card_on(uid, self._decks.cards, played.match.game.slug)
                claims.append(partial(played.hearing.hear, played.match, seat_at(place), card))
        return None if claimant is not None or played is None else self._event(reading, played)

    def claimant(self, reading: sensing.Sensing, pause: Pause | None, hearing: Hearing | None) -> Claimant | None:
        """Return who gets this before the match, or None."""
        match reading:
            case sensing.Gone(place, uid):  # looked up, not removed: it is told again if the disk fails
                return self._withheld.get((place, uid))
            case sensing.Appeared(place, uid):
                claimant = self._of_card(reading, pause, hearing)
                self._withheld.pop((place, uid), None)
                if claimant is not None:
                    self._withheld[place, uid] = claimant
                return claimant
            case sensing.Buzzed() if self.walking():
                return Claimant.WALK
            case sensing.Buzzed() if self.is_about_next_match(reading):
                return Claimant.ANNOUNCEMENT
            case sensing.Buzzed(_, at) if pause is not None and pause.covers(at):
                return Claimant.PAUSE
        return None

    def _of_card(self, card: sensing.Appeared, pause: Pause | None, hearing: Hearing | None) -> Claimant | None:
        if self.walking():
            return Claimant.WALK
        if self._enrolment.takes(card.uid):
            return Claimant.STICKERS
        named_card = named(card.uid, self._decks.cards)
        if named_card is not None and named_card[0] == act_cards.SLUG:
            return Claimant.ACT_CARD
        is_recognisable = sensing.is_recognisable(card.uid, card.kind)
        if named_card is None and is_recognisable and self.is_club_card(card.place, card.uid):
            return Claimant.OWNER
        if pause is not None and pause.covers(card.at):
            return Claimant.PAUSE
        return Claimant.HEARING if hearing is not None and hearing.covers(seat_at(card.place), card.at) else None

    def _take_act_card(self, place: str, card: str) -> None:
        self._answers.answer(place, card, counts=self.act_by_card(card, seat_at(place)))

    def _put_sticker_on(self, place: str, tag: sensing.Tag) -> None:
        self._answers.answer(place, A_STICKER, counts=self._enrolment.read(tag))

    def _event(self, reading: sensing.Sensing, played: InPlay) -> Stored | None:
        match reading:
            case sensing.Appeared(origin=origin) if origin and self._stored(origin):
                return None
            case sensing.Appeared(place, uid, at, _, already, origin):
                card, tag = card_on(uid, self._decks.cards, played.match.game.slug)
                if already and played.resumed.left.get(place) == (card, tag or ""):
                    return None
                return Tapped(0, at, place, card, tag if tag else msgspec.UNSET), origin
            case sensing.Gone(place, uid, at):
                card, _ = card_on(uid, self._decks.cards, played.match.game.slug)
                return Lifted(0, at, place, card), ""
            case sensing.Buzzed(seat, at, _, origin):
                # A press that a box kept while the table was off came after all that was recorded before.
                at = max(at, played.resumed.at)
                if at < played.match.started.at or self._stored(origin):
                    return None  # pressed before this match and told late, or already stored
                return Pressed(0, at, seat), origin
        return None
