"""What a listener understands of stop it!"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.simulated_world import Move
from companion.games.stop_it.cards import DECK, NEGATIVE
from tests.trust.by_ear.hearing import Knowledge, Vocabulary
from tests.trust.by_ear.page import Button

PILES = 5


class StopIt(Knowledge):
    def __init__(self, vocabulary: Vocabulary):
        super().__init__(vocabulary)
        self._tops: dict[int, str | None] = dict.fromkeys(range(1, PILES + 1))
        self._sizes: dict[int, int] = dict.fromkeys(range(1, PILES + 1), 0)
        self._hand: list[str] = []
        self._all = sum(DECK[card].kind != NEGATIVE for cards in vocabulary.cards.values() for card in cards)
        """How many cards there are on all piles at first."""
        self._called: list[str] = []
        self._are_last_calls = False
        card = vocabulary.any_card
        self._pile = re.compile(rf"Pile (\d): {card}")
        self._gone = re.compile(r"Pile (\d) is empty")
        self._shows = re.compile(rf"{vocabulary.anybody} shows? the {card}")
        self._left = re.compile(r"(\d+) left")

    def hear(self, sentence: str) -> None:
        for name in self._names.hand(sentence) and sentence.split(", "):
            self._hand += [card for card in self._names.cards[name] if card not in self._hand + self._called][:1]
        if "Last calls" in sentence or "Any stop card left" in sentence:
            self._are_last_calls = True
        if pile := self._pile.search(sentence):
            self._tops[int(pile[1])] = self._names.cards[pile[2]][0]
        if gone := self._gone.search(sentence):
            self._tops[int(gone[1])] = None
            self._sizes[int(gone[1])] = 0
        if shown := self._shows.search(sentence):
            cards = self._names.cards[shown[2]]
            held = (
                [card for card in cards if card in self._hand]
                if self._names.seats[shown[1]] == self._names.seat
                else []
            )
            self._called.append((held or [card for card in cards if card not in self._called])[0])
            self._hand = [card for card in self._hand if card not in held[:1]]

    def sees(self, moves: Sequence[Move], buttons: Sequence[Button]) -> Mapping[str, Any]:
        for move, button in zip(moves, buttons, strict=True):
            if move.what == "pick" and (left := self._left.search(button.name)):
                self._sizes[move.number] = int(left[1])
                self._tops[move.number] = move.card
        others = len(set(self._names.seats.values())) - 1
        lying = sum(self._sizes.values())
        return {
            "piles": [{"top": self._tops[number], "size": self._sizes[number]} for number in self._tops],
            "hand": self._hand,
            "others": others,
            "elsewhere": self._all - lying - len(self._hand) - len(self._called),
        }

    def table(self, moves: Sequence[Move]) -> Mapping[str, Any]:
        kinds = {move.what for move in moves}
        is_late = "shout" in kinds and "pick" not in kinds and not self._are_last_calls
        return {"phase": "shouted" if is_late else "collecting", "used": self._called}
