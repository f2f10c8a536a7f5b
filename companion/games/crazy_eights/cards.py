"""The ordinary deck as Crazy Eights uses it: what fits on what, and what a card left in a hand is worth."""

from collections.abc import Iterable

from companion.game.playing_cards import DECK

EIGHT = 8
_POINTS_OF_AN_EIGHT = 50
_POINTS_OF_A_COURT_CARD = 10


def suit(card: str) -> str:
    """Return a card's suit."""
    return DECK[card].colour or ""


def rank(card: str) -> int:
    """Return a card's rank, from 1, the ace, to 13, the king."""
    return DECK[card].value or 0


def is_eight(card: str) -> bool:
    """Return whether a card is wild."""
    return rank(card) == EIGHT


def fits(card: str, top: str, named: str) -> bool:
    """Return whether a card may be laid on the top one, while this suit is asked for."""
    return is_eight(card) or suit(card) == named or (rank(card) == rank(top) and not is_eight(top))


def points_of(cards: Iterable[str]) -> int:
    """Return what cards left in a hand are worth: 50 for an eight, 10 for a court card, others their pips."""
    return sum(_POINTS_OF_AN_EIGHT if is_eight(card) else min(rank(card), _POINTS_OF_A_COURT_CARD) for card in cards)
