"""What a listener understands of Speed Snap."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.simulated_world import Move
from tests.trust.by_ear.hearing import Knowledge, Vocabulary

TAKEN = re.compile(r"snaps? \d+ card|takes? the pile|keeps? the pile")


class SpeedSnap(Knowledge):
    def __init__(self, vocabulary: Vocabulary):
        super().__init__(vocabulary)
        self._pile: list[str] = []
        self._is_taken = False
        self._turned = re.compile(rf"turns? the {vocabulary.any_card}")

    def hear(self, sentence: str) -> None:
        if turned := self._turned.search(sentence):
            left = [] if self._is_taken else self._pile
            self._pile = [*left, *self._names.cards[turned[1]]]
            self._is_taken = False
        if TAKEN.search(sentence):
            self._is_taken = True
        if sentence.startswith("All cards are turned"):
            self._pile = []

    def table(self, moves: Sequence[Move]) -> Mapping[str, Any]:
        return {"top": self._pile[-2:]}

    def card_on(self, move: Move, name: str) -> str:
        return ""
