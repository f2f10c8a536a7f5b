"""An ordinary deck of 52 cards in four suits, for games that are played with one.

Such games are declared with `played_with=PLAYING_CARDS`, and share one deck with one set of tags.

>>> DECK["hearts-12"]
Card(id='hearts-12', kind='queen', colour='hearts', value=12)
"""

from pathlib import Path

from companion.game.pieces import Card, Pieces

SUITS = ("clubs", "diamonds", "hearts", "spades")
SIGNS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
_COURT = {1: "ace", 11: "jack", 12: "queen", 13: "king"}

DECK = {
    f"{suit}-{value}": Card(f"{suit}-{value}", _COURT.get(value, "pip"), suit, value)
    for suit in SUITS
    for value in range(1, 14)
}
"""Every card by id; values run from 1, the ace, to 13, the king."""

PLAYING_CARDS = Pieces(
    slug="playing-cards",
    title="♣ ♦ ♥ ♠",  # the same in every language
    folder=Path(__file__).parents[1],  # its words are the companion's own
    deck=DECK,
)
