"""What a listener understands of STOP me GO."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.simulated_world import Move
from companion.games.stop_me_go.cards import STOPS
from tests.trust.by_ear.hearing import Knowledge, Vocabulary

MIDDLING = "gangster-5"
"""What they reckon with if they have heard of none."""
BEGINS = re.compile(r"Round \d+ (?:starts|begins) with gangster (\d+)")
COMES = re.compile(r"Here comes gangster (\d+)")
GONE = re.compile(
    r"(?:captures? the|gangster) (\d+)(?:!| gets away| is captured)|The (\d+) gets away|captures? the (\d+)"
)


class StopMeGo(Knowledge):
    def __init__(self, vocabulary: Vocabulary):
        super().__init__(vocabulary)
        self._out: list[str] = []

    def hear(self, sentence: str) -> None:
        if begins := BEGINS.search(sentence):
            self._out = [f"gangster-{begins[1]}"]
        elif comes := COMES.search(sentence):
            if f"gangster-{comes[1]}" not in self._out:
                self._out.append(f"gangster-{comes[1]}")
        elif gone := GONE.search(sentence):
            value = next(filter(None, gone.groups()))
            self._out = [card for card in self._out if card != f"gangster-{value}"]

    def table(self, moves: Sequence[Move]) -> Mapping[str, Any]:
        lying = self._out or [MIDDLING]
        slots = [{"gangster": card, "newest": card == lying[-1]} for card in lying]
        return {"slots": slots, "hands": {str(seat): 0 for seat in self._names.seats.values()}}

    def card_on(self, move: Move, name: str) -> str:
        says = "STOP" if move.card in STOPS else "GO"
        return move.card if re.search(rf"\b{says}\b", name) else move.card if "cards on" in name else ""
