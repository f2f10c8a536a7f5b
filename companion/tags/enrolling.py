"""Putting stickers on a deck: which card is wanted next, and what a tag that was read means.

Pure: a value in, a value out; the terminal and the page show the same one. Cards are laid on a reader one after the
other in the order of their deck. What is said is an `Answer`, whose sentence is in `words.toml` under its code.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.devices.sensing import Tag, TagKind
from companion.tags.deck import Deck, named


class Answer(msgspec.Struct, frozen=True):
    """What is said of the latest act or tag."""

    code: str
    facts: Mapping[str, Any] = {}
    wrong: bool = False
    """Whether nothing changed, and something must be put right."""


class Enrolling(msgspec.Struct, frozen=True):
    """A deck whose cards get their stickers. Mappings are never changed, only replaced."""

    deck: Deck
    wanted: tuple[str, ...]
    """The cards that should have a sticker, in order."""
    others: Mapping[str, tuple[str, str]] = {}
    """uid → (game, card) of all other decks."""
    sealed: bool = False
    """Whether a match is on: then no tag that was read is named by its card, which may be secret."""
    alone: bool = False
    """Whether it is about one card only, and ends once that has its sticker."""
    at: int = 0
    """Where in `wanted` the search for the next card starts."""
    again: str | None = None
    """The card that has a sticker and is getting a new one."""
    history: tuple[tuple[str, str | None], ...] = ()
    """The cards that got one, and the uid each had before."""
    doubtful: str | None = None
    """The uid of the tag read last, if it may belong to a door or a bus: reading it again confirms it."""
    twice: tuple[str, ...] = ()
    """Cards that were read although they have their sticker."""
    strangers: int = 0
    """How often something was read that is not a sticker."""
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


def read(was: Enrolling, tag: Tag) -> Enrolling:
    """Take in a tag that came onto a reader."""
    if tag.kind is TagKind.PHONE:
        return _stranger(was, "phone-read")
    known = _named(was, tag.uid)
    if known is not None:
        return _known(was, *known)
    card = was.next
    if card is None:
        return replace(was, answer=Answer("sticker-none-wanted", wrong=True))
    if tag.kind is TagKind.PASS and tag.uid != was.doubtful:
        return replace(_stranger(was, "sticker-pass"), doubtful=tag.uid)
    before = was.deck.tags.get(card)
    answer = Answer("sticker-new" if before is None else "sticker-renewed", {"card": card})
    deck, history = was.deck.with_tag(card, tag.uid), (*was.history, (card, before))
    return replace(was, deck=deck, history=history, again=None, doubtful=None, answer=answer)


def skip(was: Enrolling) -> Enrolling:
    """Leave the wanted card for later."""
    card = was.next
    if card is None:
        return replace(was, answer=Answer("sticker-none-wanted", wrong=True))
    answer = Answer("sticker-skipped", {"card": card})
    return replace(was, at=was.wanted.index(card) + 1, again=None, doubtful=None, answer=answer)


def choose(was: Enrolling, card: str) -> Enrolling:
    """Want this card next; if it has a sticker, a new one replaces it.

    Raises ValueError for a card that is not in the box.
    """
    if card not in was.wanted:
        raise ValueError(f"the box holds no card {card!r}")
    again = card if card in was.deck.tags else None
    answer = Answer("sticker-chosen" if again is None else "sticker-again", {"card": card})
    return replace(was, at=was.wanted.index(card), again=again, doubtful=None, answer=answer)


def take_back(was: Enrolling) -> Enrolling:
    """Undo the latest sticker: its card gets its previous one back, if any, and is wanted next."""
    if not was.history:
        return replace(was, answer=Answer("sticker-nothing-back", wrong=True))
    *history, (card, before) = was.history
    return replace(
        was,
        deck=was.deck.with_tag(card, before),
        at=was.wanted.index(card),
        again=None if before is None else card,
        history=tuple(history),
        doubtful=None,
        answer=Answer("sticker-taken-back", {"card": card}),
    )


def _named(was: Enrolling, uid: str) -> tuple[str, str] | None:
    own = {known: (was.deck.game, card) for card, known in was.deck.tags.items()}
    return named(uid, {**was.others, **own})


def _known(was: Enrolling, game: str, card: str) -> Enrolling:
    if was.sealed:
        return replace(was, doubtful=None, answer=Answer("sticker-known", wrong=True))
    if game != was.deck.game:
        return replace(was, doubtful=None, answer=Answer("sticker-other-game", {"game": game, "id": card}, True))
    if card == was.again:
        return replace(was, doubtful=None, answer=Answer("sticker-still-old", {"card": card}, True))
    twice = was.twice if card in was.twice else (*was.twice, card)
    return replace(was, doubtful=None, twice=twice, answer=Answer("sticker-twice", {"card": card}, True))


def _stranger(was: Enrolling, code: str) -> Enrolling:
    return replace(was, doubtful=None, strangers=was.strangers + 1, answer=Answer(code, wrong=True))
