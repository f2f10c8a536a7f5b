"""The ordinary deck as Hearts uses it: what counts, what beats what, and which cards are left in the box."""

import functools
from collections.abc import Iterable

from companion.game.playing_cards import DECK

ACE = 14
QUEEN = "spades-12"
ALL_POINTS = 26


def suit(card: str) -> str:
    """Return a card's suit."""
    return DECK[card].colour or ""


def rank(card: str) -> int:
    """Return how high a card is within its suit; the ace is the highest."""
    value = DECK[card].value or 0
    return ACE if value == 1 else value


@functools.cache
def cards_in_the_box(players: int) -> tuple[str, ...]:
    """Return the cards that so many players leave in the box: the lowest ones, until all get as many."""
    return ("diamonds-2", "clubs-2")[: len(DECK) % players]


@functools.cache
def cards_in_play(players: int) -> tuple[str, ...]:
    """Return the cards that so many players use."""
    return tuple(card for card in DECK if card not in cards_in_the_box(players))


@functools.cache
def lowest_club(players: int) -> str:
    """Return the card that leads the first trick."""
    return min((card for card in cards_in_play(players) if suit(card) == "clubs"), key=rank)


def in_order(cards: Iterable[str]) -> list[str]:
    """Return cards as people hold them: by suit, red ones between black ones, the highest first."""
    suits = ("spades", "hearts", "clubs", "diamonds")
    return sorted(cards, key=lambda card: (suits.index(suit(card)), -rank(card)))


def points_of(cards: Iterable[str]) -> int:
    """Return what cards cost: one for each heart, 13 for the queen of spades."""
    return sum(13 if card == QUEEN else suit(card) == "hearts" for card in cards)


@functools.cache
def better_cards(
    card: str, led: str | None, players: int, *, is_first_trick: bool, hearts_broken: bool
) -> frozenset[str]:
    """Return the cards that must be played rather than this one, if they are held.

    Empty: it may be played whatever is held. `led` is the suit of the trick; None: the card leads it.
    """
    deck = cards_in_play(players)
    if led is None:
        if suit(card) != "hearts" or hearts_broken:
            return frozenset()
        return frozenset(deck_card for deck_card in deck if suit(deck_card) != "hearts")
    if suit(card) == led:
        return frozenset()
    if is_first_trick and points_of((card,)):
        return frozenset(deck_card for deck_card in deck if suit(deck_card) == led or not points_of((deck_card,)))
    return frozenset(deck_card for deck_card in deck if suit(deck_card) == led)
