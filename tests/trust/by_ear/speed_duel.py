"""What a listener understands of Speed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.simulated_world import Move
from companion.games.speed_duel.cards import pile_for, rank, side
from tests.trust.by_ear.hearing import Knowledge, Vocabulary
from tests.trust.by_ear.page import Button


class SpeedDuel(Knowledge):
    def __init__(self, vocabulary: Vocabulary):
        super().__init__(vocabulary)
        self._hand: list[str] = []
        self._tops = ["", ""]
        self._turned = re.compile(rf"turns? up the {vocabulary.any_card}")
        self._laid = re.compile(rf"^{vocabulary.anybody}: {vocabulary.any_card}\.$")
        self._own: list[str] = []

    def hear(self, sentence: str) -> None:
        self._hand += [card for card in self._names.hand(sentence) if card not in self._hand]
        if turned := self._turned.search(sentence):
            (card,) = self._names.cards[turned[1]]
            self._lies(card, side(card))
        if laid := self._laid.search(sentence):
            (card,) = self._names.cards[laid[2]]
            self._lies(card, pile_for(card, self._tops))
        if sentence == "Laid." and self._own:
            card = self._own.pop(0)
            self._lies(card, pile_for(card, self._tops))

    def _lies(self, card: str, place: int | None) -> None:
        if place is not None:
            self._tops[place] = card

    def do(self, move: Move) -> None:
        if move.what == "play":
            self._own.append(move.card)
        if move.card in self._hand:
            self._hand.remove(move.card)

    def sees(self, moves: Sequence[Move], buttons: Sequence[Button]) -> Mapping[str, Any]:
        return {"hand": sorted(self._hand, key=lambda card: (rank(card), card))}

    def table(self, moves: Sequence[Move]) -> Mapping[str, Any]:
        return {"tops": self._tops}
