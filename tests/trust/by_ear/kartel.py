"""What a listener understands of Kartel."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.simulated_world import Move
from tests.trust.by_ear.hearing import Knowledge, Vocabulary


class Kartel(Knowledge):
    def __init__(self, vocabulary: Vocabulary):
        super().__init__(vocabulary)
        self._won: dict[int, list[str]] = {seat: [] for seat in vocabulary.seats.values()}
        self._jailed: list[str] = []
        self._takes = re.compile(rf"{vocabulary.anybody} takes? the {vocabulary.any_card}[:,]")
        colours = {card.partition("-")[0] for cards in vocabulary.cards.values() for card in cards}
        colour = "|".join(colours)
        self._jails = re.compile(rf"jails? the ({colour}) boss|Your (?:\d+ )?({colour}) tokens? lies? face down")

    def hear(self, sentence: str) -> None:
        if taken := self._takes.search(sentence):
            held = [card for cards in self._won.values() for card in cards]
            free = [card for card in self._names.cards[taken[2]] if card not in held]
            self._won[self._names.seats[taken[1]]] += free[:1]
        for jailed in self._jails.finditer(sentence):
            colour = jailed[1] or jailed[2]
            if colour not in self._jailed:
                self._jailed.append(colour)

    def table(self, moves: Sequence[Move]) -> Mapping[str, Any]:
        holdings = {str(seat): {"open": cards, "closed": []} for seat, cards in self._won.items()}
        return {"holdings": holdings, "cells": [{"colour": colour} for colour in self._jailed]}
