"""Enrolling a deck's stickers: which card is wanted next, and what a tag that was read means.

Pure: a value in, a value out; terminal and page show the same one. Cards are laid on a reader one after the other in
the order of their deck. The sentence of an `Answer` is in `locale/words.pot` under its code.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.devices.sensing import Tag, TagKind, is_recognisable
from companion.tags.deck import Deck, named


class Answer(msgspec.Struct, frozen=True):
    """The message on the last scan or act."""

    code: str
    facts: Mapping[str, Any] = {}
    wrong: bool = False
    """Whether nothing changed, and something must be put right."""


class Enrolling(msgspec.Struct, frozen=True):
    """A deck being enrolled. Mappings are never changed, only replaced."""

    deck: Deck
    wanted: tuple[str, ...]
    """The cards that should have a sticker, in order."""
    others: Mapping[str, tuple[str, str]] = {}
    """uid → (game, card) of all other decks."""
    sealed: bool = False
    """Whether a match is on: then no message names the card of a tag, which may be secret."""
    alone: bool = False
    """Whether only one card is enrolled, and it ends once that has its sticker."""
    at: int = 0
    """Where in `wanted` the search for the next card starts."""
    again: str | None = None
    """A card that has a sticker and gets a new one."""
    history: tuple[tuple[str, str | None], ...] = ()
    """The cards enrolled, each with its uid before."""
    doubtful: str | None = None
    """The uid read last, if it may be a door or bus pass; reading it again confirms it."""
    twice: tuple[str, ...] = ()
    """Cards that were read although they have a sticker."""
    strangers: int = 0
    """Number of reads of something other than a sticker."""
    answer: Answer | None = None

    @property
    def next(self) -> str | None:
        """The card wanted next; None when every card has its sticker."""
        if self.again is not None:
            return self.again
        in_turn = (*self.wanted[self.at :], *self.wanted[: self.at])
        return next((card for card in in_turn if card not in self.deck.tags), None)

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return self.alone and bool(self.history) and self.again is None


def read(enrolling: Enrolling, tag: Tag) -> Enrolling:
    """Process a tag that was laid on a reader."""
    named_card = _named(enrolling, tag.uid)
    if named_card is not None:
        return _read_again(enrolling, *named_card)
    if not is_recognisable(tag.uid, tag.kind):
        return _stranger(enrolling, "phone-read")
    card = enrolling.next
    if card is None:
        return replace(enrolling, answer=Answer("sticker-none-wanted", wrong=True))
    if tag.kind is TagKind.PASS and tag.uid != enrolling.doubtful:
        return replace(_stranger(enrolling, "sticker-pass"), doubtful=tag.uid)
    earlier_tag = enrolling.deck.tags.get(card)
    answer = Answer("sticker-new" if earlier_tag is None else "sticker-renewed", {"card": card})
    deck = enrolling.deck.with_tag(card, tag.uid)
    history = (*enrolling.history, (card, earlier_tag))
    return replace(enrolling, deck=deck, history=history, again=None, doubtful=None, answer=answer)


def skip(enrolling: Enrolling) -> Enrolling:
    """Leave the wanted card for later."""
    card = enrolling.next
    if card is None:
        return replace(enrolling, answer=Answer("sticker-none-wanted", wrong=True))
    answer = Answer("sticker-skipped", {"card": card})
    return replace(enrolling, at=enrolling.wanted.index(card) + 1, again=None, doubtful=None, answer=answer)


def choose(enrolling: Enrolling, card: str) -> Enrolling:
    """Choose the card wanted next; if it has a sticker, a new one replaces it.

    Raises ValueError for a card that is not in the box.
    """
    if card not in enrolling.wanted:
        raise ValueError(f"the box holds no card {card!r}")
    chosen_again = card if card in enrolling.deck.tags else None
    answer = Answer("sticker-chosen" if chosen_again is None else "sticker-again", {"card": card})
    return replace(enrolling, at=enrolling.wanted.index(card), again=chosen_again, doubtful=None, answer=answer)


def take_back(enrolling: Enrolling) -> Enrolling:
    """Undo the latest sticker: its card gets its previous one back, if any, and is wanted next."""
    if not enrolling.history:
        return replace(enrolling, answer=Answer("sticker-nothing-back", wrong=True))
    *history, (card, earlier_tag) = enrolling.history
    return replace(
        enrolling,
        deck=enrolling.deck.with_tag(card, earlier_tag),
        at=enrolling.wanted.index(card),
        again=None if earlier_tag is None else card,
        history=tuple(history),
        doubtful=None,
        answer=Answer("sticker-taken-back", {"card": card}),
    )


def _named(enrolling: Enrolling, uid: str) -> tuple[str, str] | None:
    own_cards = {tag: (enrolling.deck.game, card) for card, tag in enrolling.deck.tags.items()}
    return named(uid, {**enrolling.others, **own_cards})


def _read_again(enrolling: Enrolling, game: str, card: str) -> Enrolling:
    if enrolling.sealed:
        return replace(enrolling, doubtful=None, answer=Answer("sticker-known", wrong=True))
    if game != enrolling.deck.game:
        return replace(enrolling, doubtful=None, answer=Answer("sticker-other-game", {"game": game, "id": card}, True))
    if card == enrolling.again:
        return replace(enrolling, doubtful=None, answer=Answer("sticker-still-old", {"card": card}, True))
    twice = enrolling.twice if card in enrolling.twice else (*enrolling.twice, card)
    return replace(enrolling, doubtful=None, twice=twice, answer=Answer("sticker-twice", {"card": card}, True))


def _stranger(enrolling: Enrolling, code: str) -> Enrolling:
    return replace(enrolling, doubtful=None, strangers=enrolling.strangers + 1, answer=Answer(code, wrong=True))
