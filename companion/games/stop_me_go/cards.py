"""The box of STOP me GO: six colours of 4 GO and 1 STOP, gangsters 1 to 10, ten reward tokens worth 0 to 3.

The booklet does not say how many tokens there are of each value, so an owner may register up to ten of each.
"""

from typing import Literal, get_args

from companion.game import Card

Colour = Literal["red", "orange", "yellow", "green", "blue", "violet"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
GOS = 4
HAND = GOS + 1
SLOTS = 4
"""Gangsters around the pile when an arrest comes: then everybody has one card left."""
STRONGEST = 10
MOST_ALIKE = 10
"""Reward tokens of one value."""

GO = "go"
STOP = "stop"
GANGSTER = "gangster"
TOKEN = "token"

DECK = {
    card.id: card
    for card in (
        *(Card(f"{colour}-go-{copy}", GO, colour) for colour in COLOURS for copy in range(1, GOS + 1)),
        *(Card(f"{colour}-stop", STOP, colour) for colour in COLOURS),
        *(Card(f"gangster-{value}", GANGSTER, None, value) for value in range(1, STRONGEST + 1)),
        *(Card(f"token-{value}-{copy}", TOKEN, None, value) for value in range(4) for copy in range(1, MOST_ALIKE + 1)),
    )
}
STOPS = frozenset(card.id for card in DECK.values() if card.kind == STOP)
GANGSTERS = frozenset(card.id for card in DECK.values() if card.kind == GANGSTER)


def of_colour(colour: str) -> tuple[str, ...]:
    """Return the five Action cards of a colour."""
    return tuple(card.id for card in DECK.values() if card.colour == colour)
