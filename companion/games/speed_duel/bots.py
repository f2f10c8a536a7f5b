"""What a bot does: it lays what fits, if it sees it, so that its next card fits too, and else says that it is stuck."""

from collections.abc import Sequence

from companion.game.simulated_world import Chance, Move, Sight, Strength
from companion.games.speed_duel.cards import pile_for

OVERLOOKS = {"easy": 0.45, "middle": 0.22, "strong": 0.0}
"""How often a bot does not see that one of its cards fits."""


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Return what the bot does; None: it has said that it is stuck, and waits."""
    plays = [move for move in sight.moves if move.what == "play"]
    other_moves = [move for move in sight.moves if move.what != "play"]
    if plays and not (other_moves and chance.random() < OVERLOOKS[strength]):
        hand = sight.sees["hand"]
        tops = sight.table["tops"]
        return max(plays, key=lambda move: _following(move.card, hand, tops))
    return other_moves[0] if other_moves else None


def _following(card: str, hand: Sequence[str], tops: Sequence[str]) -> int:
    """Return how many cards of this hand fit once this card is laid."""
    place = pile_for(card, tops)
    tops_after = [card if at == place else top for at, top in enumerate(tops)]
    return sum(other != card and pile_for(other, tops_after) is not None for other in hand)
