"""What a bot does: it turns its card, presses when it sees two alike, and, nervous, sometimes for nothing."""

from collections.abc import Sequence

from companion.game.playing_cards import DECK
from companion.game.simulated_world import Chance, Move, Sight, Strength

SEES_IT = {"easy": 0.35, "middle": 0.7, "strong": 1.0}
"""How often a bot sees that two are alike."""
NERVOUS = {"easy": 0.04, "middle": 0.01, "strong": 0.0}
"""How often it presses for nothing."""


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Return the press for two alike, if the bot sees it, else the turn of its card; None: it is another's turn."""
    moves = {move.what: move for move in sight.moves}
    likely = SEES_IT if is_alike(sight.table["top"]) else NERVOUS
    if "press" in moves and chance.random() < likely[strength]:
        return moves["press"]
    return moves.get("turn", moves.get("deal"))


def is_alike(top: Sequence[str]) -> bool:
    """Return whether these are two of one rank."""
    return len(top) == 2 and DECK[top[0]].value == DECK[top[1]].value
