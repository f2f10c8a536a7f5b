"""Feats worth remembering in STOP me GO, from the cards that everybody saw turned up."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.games.stop_me_go.cards import DECK, STRONGEST

MANY = 3


def feats(table: Mapping[str, Any]) -> Mapping[str, list[int]]:
    """Return the feats, and who did them, in the rounds whose token is taken."""
    rounds = table["rounds"]
    captors = Counter(flip["captor"] for entry in rounds for flip in entry["flips"] if flip["captor"] is not None)
    owned = [(int(seat), card) for entry in rounds for seat, card in entry["owned"].items() if card]
    return {
        "strongest": [seat for seat, card in owned if DECK[card].value == STRONGEST],
        "captor": [seat for seat, number in captors.items() if number >= MANY],
        "giant": [entry["won"]["seat"] for entry in rounds if entry["won"] and entry["won"]["over"] is not None],
        "tokens": [int(seat) for seat, number in table["tokens"].items() if number >= MANY],
    }
