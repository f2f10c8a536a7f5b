"""How a bot plays Kartel: easy often takes any token, middle looks at the points now, strong at how they may end."""

import math
from collections.abc import Mapping
from typing import Any

from companion.game.simulated_world import Chance, Move, Sight, Strength
from companion.games.kartel.cards import BOSS, BRIBE, CELLS, COLOURS, DECK, MONEY

CARELESS = 0.4
"""How often an easy bot takes any token."""
TIE_BREAK = 100
"""More than there are tokens: the weight of a point against one token."""
ENDS = 100.0
"""More than any lead: the worth of ending the match as its winner."""


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Return the move to make now."""
    if not sight.moves:
        return None
    if len(sight.moves) == 1 or (strength == "easy" and chance.random() < CARELESS):
        return chance.choice(sight.moves)
    hands = {int(seat): [*holding["open"], *holding["closed"]] for seat, holding in sight.table["holdings"].items()}
    jailed = [cell["colour"] for cell in sight.table["cells"]]
    return max(sight.moves, key=lambda move: _lead_after(sight.seat, move.card, hands, jailed, strength))


def _lead_after(seat: int, token: str, hands: Mapping[int, list[str]], jailed: list[Any], strength: Strength) -> float:
    """Return by how much this seat would then lead the best of the others."""
    card = DECK[token]
    if card.kind == BOSS:
        jailed = [*jailed, card.colour]
    else:
        hands = {**hands, seat: [*hands[seat], token]}
    likely = _likely(jailed) if strength == "strong" else 0.0
    points = {
        player: math.fsum(_worth(held_token, jailed, likely) for held_token in tokens)
        for player, tokens in hands.items()
    }
    if len(jailed) < CELLS:
        return points[seat] - max(points[player] for player in points if player != seat)
    # That ends the match: whoever would lose by it leaves it there, whoever would win takes it. Fewer tokens break
    # ties.
    final = {player: points[player] - len(tokens) / TIE_BREAK for player, tokens in hands.items()}
    lead = final[seat] - max(final[player] for player in final if player != seat)
    return lead + math.copysign(ENDS, lead)


def _likely(jailed: list[Any]) -> float:
    """Return how likely it is that a free boss still goes to prison."""
    return (CELLS - len(jailed)) / (len(COLOURS) - len(jailed))


def _worth(token: str, jailed: list[Any], likely: float) -> float:
    card = DECK[token]
    if card.colour in jailed:
        return card.value or 0
    if card.kind == MONEY:
        return BRIBE * (1 - likely)
    return (card.value or 0) * (2 * likely - 1)
