"""What a bot does, from what its seat knows: it keeps its eights, and the suit of which it has most."""

from collections import Counter

from companion.game.playing_cards import SUITS
from companion.game.simulated_world import Chance, Move, Sight, Strength
from companion.games.crazy_eights.cards import is_eight, points_of, suit

MISTAKES = {"easy": 1.0, "middle": 0.45, "strong": 0.0}
"""How often it moves without thinking; much in this game is luck."""


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Return the move that leaves the best hand; None: it has none."""
    if not sight.moves:
        return None
    if chance.random() < MISTAKES[strength]:
        return chance.choice(sight.moves)
    hand = sight.sees["hand"]
    best = _most_held(hand)
    if sight.moves[0].what == "suit":
        return next(move for move in sight.moves if SUITS[move.number - 1] == best)
    if sight.moves[0].what != "play":
        return sight.moves[0]
    return max(sight.moves, key=lambda move: _worth(move.card, hand))


def _most_held(hand: list[str]) -> str:
    """Return the suit of which most is held, eights aside."""
    held = Counter(suit(card) for card in hand if not is_eight(card))
    return max(SUITS, key=lambda name: held[name])


def _worth(card: str, hand: list[str]) -> tuple[bool, int, int]:
    """Return how good it is to lay this card: others before eights, then long suits, then what would cost most."""
    held = Counter(suit(other) for other in hand if not is_eight(other))
    return not is_eight(card), held[suit(card)], points_of((card,))
