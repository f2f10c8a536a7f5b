"""The box of Kartel: seven gangs, each a boss, a money token and four tokens of gangsters: 42 tokens."""

from companion.game import Card

COLOURS = ("red", "orange", "yellow", "green", "blue", "violet", "turquoise")
CELLS = 5
"""Bosses that fit into the prison."""
DIE = (2, 3, 4)
BRIBE = 3
"""What money is worth while its boss is free."""

BOSS = "boss"
MONEY = "money"
GANGSTERS = "gangsters"

DECK = {
    card.id: card
    for colour in COLOURS
    for card in (
        Card(f"{colour}-boss", BOSS, colour),
        Card(f"{colour}-money", MONEY, colour),
        Card(f"{colour}-1", GANGSTERS, colour, 1),
        Card(f"{colour}-2a", GANGSTERS, colour, 2),
        Card(f"{colour}-2b", GANGSTERS, colour, 2),
        Card(f"{colour}-3", GANGSTERS, colour, 3),
    )
}
TOKENS = tuple(DECK)
TOKENS_WITHOUT_MONEY = tuple(card.id for card in DECK.values() if card.kind != MONEY)
"""The variant for young players."""
