"""What every listener understands: who is meant, which card is named, and which move a button makes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from companion.game import AnyGame
from companion.game.simulated_world import Move
from companion.web.render.words import PageWords
from tests.trust.by_ear.page import Button

NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names of players and cards."""

    seat: int
    """The listener's own."""
    seats: Mapping[str, int]
    cards: Mapping[str, Sequence[str]]
    """By its name, the cards that are called so."""

    @classmethod
    def of(cls, game: AnyGame, seat: int, names: Mapping[int, str]) -> "Vocabulary":
        words = PageWords(game.slug, "en", names)
        cards: dict[str, list[str]] = {}
        for card in game.deck:
            cards.setdefault(words.card(card), []).append(card)
        return cls(seat, {name: at for at, name in names.items()} | {"You": seat}, cards)

    @property
    def any_card(self) -> str:
        """A pattern that finds a card's name, the longest first."""
        return "(" + "|".join(re.escape(name) for name in sorted(self.cards, key=len, reverse=True)) + ")"

    @property
    def anybody(self) -> str:
        return "(" + "|".join(re.escape(name) for name in self.seats) + ")"

    def hand(self, sentence: str) -> list[str]:
        """Return the cards of a sentence that names nothing else."""
        names = sentence.split(", ")
        if not all(name in self.cards for name in names):
            return []
        cards: list[str] = []
        for name in names:
            cards.append(next(card for card in self.cards[name] if card not in cards))
        return cards

    def named_on(self, button: str) -> Sequence[str]:
        """Return the cards that a button's name may mean."""
        found = re.search(rf"\b{self.any_card}\b", button)
        return self.cards[found[1]] if found else ()


class Knowledge:
    """What a listener has understood of a match so far."""

    asks: re.Pattern[str] = NOTHING
    """The news after which they ask how things stand."""

    def __init__(self, vocabulary: Vocabulary):
        self._names = vocabulary

    def hear(self, sentence: str) -> None:
        """Take in one more sentence."""
        raise NotImplementedError

    def do(self, move: Move) -> None:
        """Remember what they did themselves."""

    def sees(self, moves: Sequence[Move], buttons: Sequence[Button]) -> Mapping[str, Any]:
        """Return, as a `Sight` has it, what the listener knows of the things."""
        return {}

    def table(self, moves: Sequence[Move]) -> Mapping[str, Any]:
        """Return, as a `Sight` has it, what they know of the match."""
        return {}

    def card_on(self, move: Move, name: str) -> str:
        """Return the card of a move, as far as its button's name tells; "" if it does not."""
        return move.card if move.card in self._names.named_on(name) else ""


def understood(
    knowledge: Knowledge, offered: Sequence[Move], buttons: Sequence[Button]
) -> tuple[Sequence[Move], Sequence[Button]]:
    """Return the moves that the buttons make, with the cards that their names tell; and these buttons."""
    moves: list[Move] = []
    pressed: list[Button] = []
    for move in offered:
        for button in buttons:
            if is_made_by(move, button):
                moves.append(replace(move, card=knowledge.card_on(move, button.name) if move.card else ""))
                pressed.append(button)
                break
    return moves, pressed


def is_made_by(move: Move, button: Button) -> bool:
    """Return whether pressing this button makes this move."""
    sent = dict(button.fields)
    is_same_thing = (move.what, move.card) == (sent.get("what"), sent.get("card", ""))
    return is_same_thing and str(move.number or "") == sent.get("number", "")
