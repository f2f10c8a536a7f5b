"""What a listener understands of Crazy Eights."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.simulated_world import Move
from tests.trust.by_ear.hearing import Knowledge, Vocabulary
from tests.trust.by_ear.page import Button

DEALS = re.compile(r"The first card is the ")


class CrazyEights(Knowledge):
    def __init__(self, vocabulary: Vocabulary):
        super().__init__(vocabulary)
        self._hand: list[str] = []

    def hear(self, sentence: str) -> None:
        if DEALS.match(sentence):
            self._hand = []
        self._hand += [card for card in self._names.hand(sentence) if card not in self._hand]

    def do(self, move: Move) -> None:
        if move.what == "play":
            self._hand = [card for card in self._hand if card != move.card]

    def sees(self, moves: Sequence[Move], buttons: Sequence[Button]) -> Mapping[str, Any]:
        return {"hand": self._hand}
