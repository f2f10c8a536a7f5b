"""A hand at one place of the table, which lays cards and lifts them as hands do."""

import random
from collections.abc import Callable, Iterator, Mapping

from tests.emulators.pn532 import Chip
from tests.trust.cables.truth import Place

LOOK_S = 0.05


class Hand:
    """Says what it does to the place."""

    def __init__(self, place: Place, chip: Chip, uids: Mapping[str, str], cards: list[str], chance: random.Random):
        """Take the cards that it alone lays."""
        self.events = 0
        """Cards laid or lifted so far."""
        self._place = place
        self._chip = chip
        self._uids = uids
        self._chance = chance
        self._cards = cards
        names = {uid: card for card, uid in uids.items()}
        chip.looked = lambda tags: place.looked(frozenset(names[tag] for tag in tags))

    def play(self, over: Callable[[], bool]) -> Iterator[float]:
        """Return the seconds to wait until it goes on."""
        while not over():
            card, other = self._chance.sample(self._cards, 2)
            match self._chance.random():
                case odds if odds < 0.1:  # it only brushes the reader
                    yield from self._lie(self._chance.uniform(0.0, 0.4), card)
                    yield from self._lie(self._chance.uniform(0.0, 1.0))
                case odds if odds < 0.2:  # one after the other, without a gap
                    yield from self._until_told(card)
                    yield from self._until_told(other)
                    yield from self._until_told()
                case odds if odds < 0.3:  # two at once, of which one is taken away
                    yield from self._until_told(card)
                    yield from self._lie(self._chance.uniform(0.0, 2.0), card, other)
                    yield from self._until_told(self._chance.choice((card, other)))
                    yield from self._until_told()
                case odds if odds < 0.4:  # lifted for a moment
                    yield from self._until_told(card)
                    yield from self._lie(self._chance.uniform(0.0, 0.5))
                    yield from self._until_told(card)
                    yield from self._until_told()
                case _:
                    yield from self._until_told(card)
                    yield from self._lie(self._chance.choice((0.0, 0.0, 5.0)), card)
                    yield from self._until_told()
        yield from self._lie(0.0)

    def _until_told(self, *cards: str) -> Iterator[float]:
        """Let it lie until it must have been told; under a fault, patience has an end."""
        yield from self._lie(0.0, *cards)
        patience = self._chance.choice((0.5, 3.0, 20.0))
        while patience > 0 and not self._place.settled:
            yield LOOK_S
            patience -= LOOK_S

    def _lie(self, seconds: float, *cards: str) -> Iterator[float]:
        now = frozenset(cards)
        if now != self._place.cards:
            self.events += len(now ^ self._place.cards)
            self._place.now_lies(now, lambda: self._change(now))
        yield seconds

    def _change(self, cards: frozenset[str]) -> None:
        before = self._place.cards
        if len(cards) == len(before) == 1:
            self._chip.swap(self._uids[next(iter(cards))])
            return
        for card in before - cards:
            self._chip.take(self._uids[card])
        for card in cards - before:
            self._chip.put(self._uids[card])
