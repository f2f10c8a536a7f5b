"""The box of stop it!: seven colours of 17 cards and 2 stops, 2 special stops, 15 negative cards.

The French booklet's list forgets one colour; 150 cards are seven (7 × 19 + 2 + 15).
"""

from typing import Literal, get_args

from companion.game import Card

Colour = Literal["red", "yellow", "green", "violet", "orange", "brown", "blue"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
OF_A_COLOUR = 17
NEGATIVES = 15

PLAIN = "plain"
STOP = "stop"
SPECIAL_STOP = "special-stop"
NEGATIVE = "negative"

DECK = {
    card.id: card
    for card in (
        *(Card(f"{colour}-{value}", PLAIN, colour, value) for colour in COLOURS for value in range(1, OF_A_COLOUR + 1)),
        *(Card(f"{colour}-stop-{copy}", STOP, colour) for colour in COLOURS for copy in (1, 2)),
        *(Card(f"special-stop-{copy}", SPECIAL_STOP) for copy in (1, 2)),
        *(Card(f"negative-{copy}", NEGATIVE) for copy in range(1, NEGATIVES + 1)),
    )
}
