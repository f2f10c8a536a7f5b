"""Every card by its id: what a sticker is put on."""

from companion.game import Card

HIGHEST = 60
DECK = {f"card-{number}": Card(f"card-{number}", "number", value=number) for number in range(1, HIGHEST + 1)}


def value(card: str) -> int:
    """Return what is printed on a card."""
    return DECK[card].value or 0
