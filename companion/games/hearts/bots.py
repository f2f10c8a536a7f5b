"""What a bot does, from what its seat knows: it ducks, sheds what is dangerous, and counts what was played."""

from companion.game.simulated_world import Chance, Move, Sight, Strength
from companion.games.hearts.cards import QUEEN, points_of, rank, suit

MISTAKES = {"easy": 0.5, "middle": 0.15, "strong": 0.0}
"""How often it moves without thinking."""


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Return the move that seems the least dangerous."""
    if not sight.moves:
        return None
    if len(sight.moves) == 1:
        return sight.moves[0]
    if chance.random() < MISTAKES[strength]:
        return chance.choice([move for move in sight.moves if move.what != "keep"])
    if sight.table["phase"] == "pass":
        gives = [move for move in sight.moves if move.what == "give"]
        return max(gives, key=lambda move: _burden(move.card, sight.sees["hand"]))
    trick = [play["card"] for play in sight.table["trick"]]
    if not trick:
        return min(sight.moves, key=lambda move: _risk_of_leading(move.card, sight))
    led = suit(trick[0])
    if suit(sight.moves[0].card) != led:
        return max(sight.moves, key=lambda move: _burden(move.card, sight.sees["hand"]))
    return _following(sight, trick)


def _burden(card: str, hand: list[str]) -> float:
    """Return how dangerous it is to hold this card."""
    spades = [other_card for other_card in hand if suit(other_card) == "spades"]
    if card == QUEEN:
        return 100.0
    if suit(card) == "spades" and rank(card) > rank(QUEEN) and len(spades) < 5:
        return 50.0 + rank(card)
    alone = sum(suit(other_card) == suit(card) for other_card in hand)
    return rank(card) + (6 if suit(card) == "hearts" else 0) - alone


def _risk_of_leading(card: str, sight: Sight) -> float:
    """Return how likely, roughly, this card takes the trick, and with what."""
    played = sight.table["played"]
    hand = sight.sees["hand"]
    beaten_by = [rank(other_card) for other_card in hand + played if suit(other_card) == suit(card)]
    higher = 14 - rank(card) - sum(value > rank(card) for value in beaten_by)
    risk = rank(card) - 2.0 * higher
    if suit(card) == "spades" and QUEEN not in hand and QUEEN not in played:
        return risk + (20 if rank(card) >= rank(QUEEN) else -6)
    return risk + (100 if card == QUEEN else 0)


def _following(sight: Sight, trick: list[str]) -> Move:
    """Duck as high as one can; take it as cheaply as one must."""
    led = suit(trick[0])
    highest = max(rank(card) for card in trick if suit(card) == led)
    under = [move for move in sight.moves if rank(move.card) < highest]
    if under:
        return max(under, key=lambda move: (move.card == QUEEN, rank(move.card)))
    last = len(trick) == sight.table["players"] - 1
    harmless = [move for move in sight.moves if move.card != QUEEN] or [*sight.moves]
    if last and not points_of(trick):
        return max(harmless, key=lambda move: rank(move.card))
    return min(harmless, key=lambda move: rank(move.card))
