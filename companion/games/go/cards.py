"""The box of ¡Go!: ten colours of eleven values, one card each, and sets of them as the bits of a number.

A number holds a card if its bit is set; bits are in the order of the deck, eleven to a colour. So a hand is checked for
completeness, compared and divided without looking at its cards one by one.
"""

from collections.abc import Iterable
from functools import lru_cache

from companion.game import Card

COLOURS = ("pink", "violet", "blue", "lightblue", "grey", "brown", "red", "orange", "yellow", "green")
HIGHEST = 11
HAND = 12
"""Cards in a hand at the end of a turn."""

DECK = {
    card.id: card
    for card in (
        Card(f"{colour}-{value}", "plain", colour, value) for colour in COLOURS for value in range(1, HIGHEST + 1)
    )
}
IDS = tuple(DECK)
BIT = {card: 1 << place for place, card in enumerate(IDS)}
COLOUR = {card: place // HIGHEST for place, card in enumerate(IDS)}
"""A card's colour as its index in `COLOURS`."""


def bits(cards: Iterable[str]) -> int:
    """Return these cards as a number."""
    held = 0
    for card in cards:
        held |= BIT[card]
    return held


def ids(held: int) -> list[str]:
    """Return the cards of a number, in the order of the deck."""
    return [*_ids(held)]


@lru_cache(maxsize=4096)
def _ids(held: int) -> tuple[str, ...]:
    """Cached because everybody's page shows hands and scored rounds again after every act."""
    cards = []
    while held:
        lowest = held & -held
        cards.append(IDS[lowest.bit_length() - 1])
        held ^= lowest
    return tuple(cards)
