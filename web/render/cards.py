"""Cards as a page offers them, sorted by colour."""

from collections.abc import Iterable, Mapping

from companion.game import Pieces
from companion.web.render.words import PageWords

Suits = Mapping[str | None, list[tuple[str, str]]]
"""Cards by colour (None: those without one): each card's id, and the text of its chip."""


def by_colour(pieces: Pieces, ids: Iterable[str], words: PageWords) -> Suits:
    """Sort these cards by colour."""
    suits: dict[str | None, list[tuple[str, str]]] = {}
    for card in (pieces.deck[card_id] for card_id in ids):
        chip = words.card(card.id) if card.value is None else str(card.value)
        suits.setdefault(card.colour, []).append((card.id, chip))
    return suits
