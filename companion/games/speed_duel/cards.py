"""The ordinary deck as Speed uses it: whose a card is, and on which pile it fits."""

from collections.abc import Sequence

from companion.game.playing_cards import DECK

RED = ("diamonds", "hearts")
"""The suits of the first seat; the second plays clubs and spades."""
EACH = 26
"""Cards of one player."""
_RANKS = 13


def rank(card: str) -> int:
    """Return a card's rank, from 1, the ace, to 13, the king."""
    return DECK[card].value or 0


def side(card: str) -> int:
    """Return whose a card is: 0 for red, the first seat, or 1 for black.

    >>> side("hearts-7"), side("spades-7")
    (0, 1)
    """
    return 0 if DECK[card].colour in RED else 1


CARDS_OF: tuple[tuple[str, ...], ...] = tuple(tuple(card for card in DECK if side(card) == at) for at in (0, 1))
"""By side, its cards."""


def fits(card: str, top: str) -> bool:
    """Return whether a card's rank is next to the top's: the ace is next to the two and to the king.

    >>> fits("hearts-1", "spades-13"), fits("hearts-1", "spades-2"), fits("hearts-1", "clubs-1")
    (True, True, False)
    """
    return (rank(card) - rank(top)) % _RANKS in (1, _RANKS - 1)


def pile_for(card: str, tops: Sequence[str]) -> int | None:
    """Return on which pile a card goes: where it fits, and if on both, on the lower card. None: it fits on neither.

    >>> pile_for("hearts-7", ("spades-8", "clubs-6")), pile_for("hearts-7", ("spades-8", "clubs-7"))
    (1, 0)
    """
    places = [place for place, top in enumerate(tops) if fits(card, top)]
    return min(places, key=lambda place: rank(tops[place]), default=None)
