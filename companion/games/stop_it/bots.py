"""How a bot plays stop it!: easy grabs and shouts at random, middle and strong reckon with what others may hold."""

from collections import Counter

from companion.game.simulated_world import Chance, Move, Sight, Strength
from companion.games.stop_it.cards import COLOURS, DECK, PLAIN

CALLS_AT = {"middle": 0.0, "strong": 1.0}
"""The likely lead, in cards, with which to call."""


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Return the move to make now, or None for not shouting."""
    picks = [move for move in sight.moves if move.what == "pick"]
    shout = next((move for move in sight.moves if move.what == "shout"), None)
    if not picks and shout is None:
        return max(sight.moves, key=lambda move: _lead(sight, move.card), default=None)
    if sight.table["phase"] == "shouted":
        return None  # somebody was quicker
    if shout is not None and _shouts(sight, strength, chance):
        return shout
    if not picks or strength == "easy":
        return chance.choice(picks) if picks else None
    return max(picks, key=lambda move: _wish(sight, move.card, strength))


def _shouts(sight: Sight, strength: Strength, chance: Chance) -> bool:
    tops = [pile["top"] for pile in sight.sees["piles"] if pile["top"]]
    # Whoever counts nothing pays.
    stops = [card for card in (*tops, *sight.sees["hand"]) if DECK[card].kind != PLAIN and _counts(sight, card)]
    if not stops or strength == "easy":
        return bool(stops) and chance.random() < 0.3
    return max(_lead(sight, card) for card in stops) >= CALLS_AT[strength]


def _mine(sight: Sight) -> Counter[str | None]:
    return Counter(DECK[card].colour for card in sight.sees["hand"] if DECK[card].kind == PLAIN)


def _counts(sight: Sight, card: str) -> int:
    """Return how many cards this seat counts for a stop."""
    mine, colour = _mine(sight), DECK[card].colour
    return mine.total() if colour is None else mine[colour]


def _lead(sight: Sight, card: str) -> float:
    """Return how many more cards this seat likely counts for a stop than each of the others."""
    if not card:
        return 0.0
    likely: float = sight.sees["elsewhere"] / sight.sees["others"]
    return _counts(sight, card) - (likely if DECK[card].colour is None else likely / len(COLOURS))


def _wish(sight: Sight, card: str, strength: Strength) -> float:
    """Return how much this seat wants a card: more of a colour that it lacks, while that can still be called.

    A strong bot picks up a stop of a colour it lacks, too, so that nobody else calls it.
    """
    drawn = DECK[card]
    if drawn.kind != PLAIN:
        return 1.0 if strength == "strong" and _lead(sight, card) < 0 else -9.0
    left = sum(DECK[used].colour == drawn.colour for used in sight.table["used"]) < 2
    return -float(_mine(sight)[drawn.colour]) - (0.0 if left or strength == "middle" else 3.0)
