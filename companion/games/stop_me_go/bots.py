"""How a bot plays STOP me GO: easy anything, middle stops high gangsters, strong weighs who else may stop this one."""

from companion.game.simulated_world import Chance, Move, Sight, Strength
from companion.games.stop_me_go.cards import DECK, STOPS, STRONGEST

HIGH = 7
"""What middle bots mostly stop."""
FEW = 3
"""The number of players among whom often only one stops a high gangster."""


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Return what to do now."""
    if not sight.moves or sight.moves[0].what == "change":
        return None  # what is laid stays
    stop = next((move for move in sight.moves if move.card in STOPS), None)
    if strength == "easy" or stop is None or len(sight.moves) == 1:
        return chance.choice(sight.moves)
    go = next(move for move in sight.moves if move is not stop)
    return stop if chance.random() < _eagerness(sight, strength) else go


def _eagerness(sight: Sight, strength: Strength) -> float:
    """Return how likely this seat stops the newest gangster."""
    slots = [slot for slot in sight.table["slots"] if slot]
    values = {slot["gangster"]: DECK[slot["gangster"]].value or 0 for slot in slots}
    newest = next(values[slot["gangster"]] for slot in slots if slot["newest"])
    worth = STRONGEST - 1 if newest == 1 and STRONGEST in values.values() else newest
    if strength == "middle":
        return 0.7 if worth >= HIGH else 0.15
    if len(sight.table["hands"]) > FEW:  # where many stop the high ones, others are captured alone
        return 0.5 if worth >= HIGH else 0.4
    return 0.95 if worth >= STRONGEST - 1 else 0.7 if worth >= HIGH else 0.1
