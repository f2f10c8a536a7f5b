"""How a bot plays stop it!: easy grabs and shouts at random, middle and strong reckon with what others may hold."""

from collections import Counter

from companion.game.simulated_world import Chance, Move, Sight, Strength
from companion.games.stop_it.cards import COLOURS, DECK, OF_A_COLOUR, PLAIN

CALLS_AT = {"middle": 0.0, "strong": 1.0}
"""The likely lead, in cards, with which to call."""


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Return the move to make now, or None for not shouting."""
    picks = [move for move in sight.moves if move.what == "pick"]
    shout = next((move for move in sight.moves if move.what == "shout"), None)
    if not picks and shout is None:
        return max(sight.moves, key=lambda move: _lead(sight, move.card, strength), default=None)
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
    return max(_lead(sight, card, strength) for card in stops) >= CALLS_AT[strength]


def _colours_in_hand(sight: Sight) -> Counter[str | None]:
    return Counter(DECK[card].colour for card in sight.sees["hand"] if DECK[card].kind == PLAIN)


def _counts(sight: Sight, card: str) -> int:
    """Return how many cards this seat counts for a stop."""
    in_hand = _colours_in_hand(sight)
    colour = DECK[card].colour
    return in_hand.total() if colour is None else in_hand[colour]


def _lead(sight: Sight, card: str, strength: Strength) -> float:
    """Return how many more cards this seat likely counts for a stop than each of the others."""
    if not card:
        return 0.0
    held: int = sight.sees["elsewhere"]
    others_in_hand: int = sight.sees["others"]
    return _counts(sight, card) - _likely(sight, DECK[card].colour, held, strength) / others_in_hand


def _likely(sight: Sight, colour: str | None, held: int, strength: Strength) -> float:
    """Return how many of the `held` cards of the others likely count for a stop of this colour, or of all."""
    if colour is None or not held:
        return held
    if strength == "strong":
        return _unaccounted(sight, colour) * held / (held + _face_down(sight))
    return held / len(COLOURS)


def _unaccounted(sight: Sight, colour: str) -> int:
    """Return how many cards of a colour this seat neither holds nor sees on a pile."""
    tops = [DECK[pile["top"]] for pile in sight.sees["piles"] if pile["top"]]
    on_piles = sum(top.kind == PLAIN and top.colour == colour for top in tops)
    return OF_A_COLOUR - _colours_in_hand(sight)[colour] - on_piles


def _face_down(sight: Sight) -> int:
    return sum(pile["size"] - 1 for pile in sight.sees["piles"] if pile["size"])


def _wish(sight: Sight, card: str, strength: Strength) -> float:
    """Return how much this seat wants a card: more of a colour that it lacks, while that can still be called.

    A stop card is never wanted: to pick one up costs the card that could have counted.
    """
    drawn = DECK[card]
    if drawn.kind != PLAIN:
        return -9.0
    left = sum(DECK[used].colour == drawn.colour for used in sight.table["used"]) < 2
    return -float(_colours_in_hand(sight)[drawn.colour]) - (0.0 if left or strength == "middle" else 3.0)
