"""What owners declare about their box of stop it!: the colours it holds."""

import msgspec

from companion.games.stop_it.cards import COLOURS, DECK, Colour


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The booklet's list forgets one colour; some boxes lack one too."""

    colours: tuple[Colour, ...] = COLOURS

    def __post_init__(self) -> None:
        if not self.colours or len(set(self.colours)) < len(self.colours):
            raise ValueError("colours must be some of the box's, each once")


def wanted(box: Box) -> tuple[str, ...]:
    """Return the cards of a box, colour by colour, then those without a colour."""
    of_colours = {
        colour: [card.id for card in DECK.values() if card.colour == colour] for colour in (*box.colours, None)
    }
    return tuple(card for cards in of_colours.values() for card in cards)
