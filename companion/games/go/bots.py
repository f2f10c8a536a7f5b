"""How a bot plays ¡Go!: easy often takes anything and throws away the highest card left over, middle goes by what its
hand is worth, strong by what it may still become, and by how good other hands are by now.
"""

from companion.game.simulated_world import Chance, Move, Sight, Strength
from companion.games.go import best_division
from companion.games.go.cards import COLOUR, DECK, HAND, IDS, bits
from companion.games.go.state import ROW_WITHOUT_PLAYERS

CALLS_AT = {"easy": 15, "middle": 12}
"""The highest penalty with which to call a round."""
PENALTIES = (26, 22, 18, 15, 12, 10, 9, 7, 6, 6, 5)
"""What a hand is worth after one turn, two turns, and so on: the median of 142 rounds of middle bots."""
BETTER = 0.85
"""A strong bot calls if its penalty is at most so much of what other hands likely have by now."""
CARELESS = 0.7
"""How often an easy bot takes anything."""
GUESSES = 16
"""Cards that a strong bot imagines on the pile."""


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Return the move to make now, or None for not calling."""
    moves = [move for move in sight.moves if move.what not in ("call", "not-yet")]
    if len(moves) < len(sight.moves) and _calls(sight, strength):
        return next(move for move in sight.moves if move.what == "call")
    if len(moves) < 2 or moves[0].what == "best":
        return moves[0] if moves else None
    if strength == "easy" and chance.random() < CARELESS:
        left = [move for move in moves if move.what == "discard" and move.card in sight.sees["left"]]
        return max(left, key=lambda move: DECK[move.card].value or 0) if left else chance.choice(moves)
    hand = list(sight.sees["hand"])
    row = COLOUR[sight.sees["row"][-1]]
    if moves[0].what == "discard":
        return min(moves, key=lambda move: _penalty([card for card in hand if card != move.card], row))
    return min(moves, key=lambda move: _penalty_after(move, sight, hand, row, strength, chance))


def _calls(sight: Sight, strength: Strength) -> bool:
    penalty = _penalty(sight.sees["hand"], COLOUR[sight.sees["row"][-1]])
    if strength != "strong":
        return penalty <= CALLS_AT[strength]
    return penalty <= BETTER * PENALTIES[turns(sight)]


def turns(sight: Sight) -> int:
    """Return how many turns everybody has had in this round, by the height of the pile: its place in `PENALTIES`."""
    players: int = sight.sees["others"] + 1
    dealt = (HAND + 1) * players + ROW_WITHOUT_PLAYERS + 1
    drawn: int = len(IDS) - dealt - sight.sees["pile"]
    return min(drawn // players, len(PENALTIES) - 1)


def _penalty_after(move: Move, sight: Sight, hand: list[str], row: int, strength: Strength, chance: Chance) -> float:
    """Return the penalty that a hand has after this take and the best discard, or may have."""
    if move.what == "take-row":
        below = sight.sees["row"][-2:-1]
        return _best([*hand, move.card], COLOUR[below[0]]) if below else 99.0
    if move.what == "take-discard":
        return _best([*hand, move.card], row)
    if strength == "middle":
        return _penalty(hand, row) - 2.0
    seen_cards = {*hand, *sight.sees["row"], *sight.table["turn"]["seen"]}
    guesses = chance.sample([card for card in IDS if card not in seen_cards], GUESSES)
    return sum(_best([*hand, card], row) for card in guesses) / GUESSES


def _best(hand: list[str], row: int) -> int:
    return min(_penalty([card for card in hand if card != thrown_away], row) for thrown_away in hand)


def _penalty(hand: list[str], row: int) -> int:
    return best_division.least(bits(hand), row)
