"""What a listener understands of Hearts."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.simulated_world import Move
from companion.games.hearts.cards import in_order
from tests.trust.by_ear.hearing import Knowledge, Vocabulary
from tests.trust.by_ear.page import Button

COUNTED = re.compile(r"The round is over|The round costs you|shoots? the moon|takes all 26")


class Hearts(Knowledge):
    def __init__(self, vocabulary: Vocabulary):
        super().__init__(vocabulary)
        self._hand: list[str] = []
        self._given: list[str] = []
        self._trick: list[str] = []
        self._played: list[str] = []
        card = vocabulary.any_card
        self._lays = re.compile(
            rf"lays? the {card}|breaks? hearts: {card}|leads? the {card}: only|the {card} in the first|before: {card}"
        )
        self._card = re.compile(card)

    def hear(self, sentence: str) -> None:
        if sentence.startswith("All have passed"):
            self._hand = [card for card in self._hand if card not in self._given]
            self._given = []
        self._hand += [card for card in self._names.hand(sentence) if card not in self._hand + self._played]
        if sentence.startswith("Laid aside: "):
            self._given = [self._names.cards[name][0] for name in self._card.findall(sentence)]
        if laid := self._lays.search(sentence):
            (card,) = self._names.cards[next(filter(None, laid.groups()))]
            if card not in self._played:
                self._played.append(card)
                self._trick.append(card)
                self._hand = [held for held in self._hand if held != card]
        if re.search(r"takes? the trick", sentence):
            self._trick = []
        if COUNTED.search(sentence):
            self._hand = []
            self._played = []
            self._trick = []

    def do(self, move: Move) -> None:
        if move.what == "give":
            self._given.append(move.card)
        elif move.what == "keep":
            self._given.remove(move.card)

    def sees(self, moves: Sequence[Move], buttons: Sequence[Button]) -> Mapping[str, Any]:
        return {"hand": in_order(tuple(self._hand)), "given": self._given}

    def table(self, moves: Sequence[Move]) -> Mapping[str, Any]:
        return {
            "phase": "pass" if any(move.what in ("give", "keep") for move in moves) else "play",
            "trick": [{"card": card} for card in self._trick],
            "played": self._played,
            "players": len(set(self._names.seats.values())),
        }
