"""What a listener understands of ¡Go!"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.simulated_world import Move
from companion.games.go.cards import HAND, IDS
from companion.games.go.state import ROW_WITHOUT_PLAYERS
from tests.trust.by_ear.hearing import Knowledge, Vocabulary
from tests.trust.by_ear.page import Button

DRAWS = re.compile(r"draws? from the pile")


class Go(Knowledge):
    asks = re.compile("opens the discard pile")
    """After each deal they ask how things stand: then the whole row is said."""

    def __init__(self, vocabulary: Vocabulary):
        super().__init__(vocabulary)
        self._players = len(set(vocabulary.seats.values()))
        self._hand: list[str] = []
        self._row = ""
        self._below: list[str] = []
        self._pile = 0
        self._seen: set[str] = set()
        self._lying: list[str] = []
        """All of the row, as it was when they asked."""
        card = vocabulary.any_card
        self._deals = re.compile(rf"The {card} opens the discard pile")
        self._opens = re.compile(rf"Face up in the row: {card}")
        self._discards = re.compile(rf"{vocabulary.anybody} (?:discards?|takes?|took) the {card}")
        self._lies = re.compile(r"The row, the open card first: ")
        self._card = re.compile(card)
        self._then = re.compile(r"then (.+) is out")

    def hear(self, sentence: str) -> None:
        self._hand += [card for card in self._names.hand(sentence) if card not in self._hand]
        if dealt := self._deals.search(sentence):
            row = ROW_WITHOUT_PLAYERS + self._players
            self._pile = len(IDS) - HAND * self._players - row - 1
            self._hand = []
            self._seen = {*self._names.cards[dealt[1]]}
        if self._lies.match(sentence):
            self._lying = [card for name in self._card.findall(sentence) for card in self._names.cards[name]]
        if opened := self._opens.search(sentence):
            (self._row,) = self._names.cards[opened[1]]
        if DRAWS.search(sentence):
            self._pile -= 1
        if moved := self._discards.search(sentence):
            (card,) = self._names.cards[moved[2]]
            self._seen.add(card)
            if "discard the" in sentence and card in self._hand:
                self._hand.remove(card)

    def sees(self, moves: Sequence[Move], buttons: Sequence[Button]) -> Mapping[str, Any]:
        below: list[str] = []
        for move, button in zip(moves, buttons, strict=True):
            if move.what == "take-row" and (then := self._then.search(button.name)):
                of_colour = [card for name, (card,) in self._names.cards.items() if name.startswith(f"{then[1]} ")]
                lying = [card for card in self._lying if card in of_colour and card not in self._seen]
                below = (lying or of_colour)[:1]
        hand = sorted(self._hand, key=IDS.index)
        return {"hand": hand, "row": [*below, self._row], "pile": self._pile, "others": self._players - 1}

    def table(self, moves: Sequence[Move]) -> Mapping[str, Any]:
        return {"turn": {"seen": [card for card in IDS if card in {*self._seen, *self._lying}]}}
