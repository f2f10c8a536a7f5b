"""Whole matches by the booklet, at random: it is told here a second time, for people who hold real cards."""

import random

from tests.games.stop_me_go.table import GANGSTERS, Table, colours
from tests.games.table import Spot


class Evening:
    """A match, played as far as `play` has come."""

    def __init__(self, seed: int):
        self.chance = random.Random(seed)
        seats = sorted(self.chance.sample(range(1, 7), self.chance.randint(2, 6)))
        options = {"reshuffle": self.chance.choice(("lazy", "eager")), "allow_change": self.chance.random() < 0.7}
        given = self.chance.random() < 0.5
        self.table = Table(*seats, **options, **({"colours": colours(*seats)} if given else {}))
        self.eager, self.changes = options["reshuffle"] == "eager", options["allow_change"]
        self.known = set(seats) if given else set()
        """Those whose colour the table knows."""
        self.tokens: dict[int, list[int | None]] = {seat: [] for seat in seats}
        self.tagged = self.chance.random() < 0.7
        self.flips: list[int] = []
        """The events that turned cards up."""
        self.pile: set[int] = set()
        self.cards: list[dict[int, str]] = []
        self.lying: list[int] = []
        self.won: list[int] = []
        """The winner of each round."""

    @property
    def third(self) -> list[int]:
        """Whoever has three tokens."""
        return [seat for seat, tokens in self.tokens.items() if len(tokens) == 3]

    @property
    def pool(self) -> int:
        """How many tokens are left."""
        return len(self.tokens) + 2 - sum(map(len, self.tokens.values()))

    def play(self) -> "Evening":
        """Play to the end."""
        while self.pool and not self.third:
            self.round()
        if not self.third and not self.tagged:
            told = {str(seat): [self.chance.randint(0, 3) for _ in had] for seat, had in self.tokens.items()}
            assert not self.table.over
            self.table.say("host", "token-values", told)
            self.tokens = {int(seat): list(values) for seat, values in told.items()}
        return self

    def round(self) -> None:
        self.pile, self.cards, self.lying = set(GANGSTERS), [], []
        discarded: set[int] = set()
        owned: dict[int, int] = {}
        while not owned:
            self.misdeed()
            if self.eager and not self.pile:
                self.pile, discarded = discarded, set()
            self.intervention()
            if len(self.lying) < 4:
                continue
            number, stops = self.flip()
            if len(stops) == 1:
                owned[stops[0]] = number
                continue
            discarded.add(number)
            if not self.pile:
                self.pile, discarded = discarded, set()
        while self.lying:
            number, stops = self.flip()
            if len(stops) == 1:
                assert stops[0] not in owned, "nobody has two STOPs"
                owned[stops[0]] = number
        by_number = {number: seat for seat, number in owned.items()}
        self.reward(by_number[1 if 1 in by_number and 10 in by_number else max(by_number)])

    def misdeed(self) -> None:
        number = self.chance.choice(sorted(self.pile))
        self.pile.remove(number)
        self.table.gangster(number)
        self.lying.append(number)

    def intervention(self) -> None:
        laid: dict[int, str] = {}
        self.cards.append(laid)
        for seat in self.chance.sample(self.table.seats, len(self.table.seats)):
            laid[seat] = self.lays(seat)
            if self.changes and len(laid) < len(self.table.seats) and self.chance.random() < 0.2:
                laid[seat] = self.lays(seat)

    def lays(self, seat: int) -> str:
        hand = [*self.table.hand(seat), *(each for each in [self.cards[-1].get(seat)] if each)]
        stop = [each for each in hand if each.endswith("stop")]
        each = stop[0] if stop and self.chance.random() < 0.4 else self.chance.choice(hand)
        spot: Spot = "centre" if seat in self.known and self.chance.random() < 0.4 else seat
        self.table.lay(seat, each.rpartition("-")[2], spot)
        self.known.add(seat)
        return each

    def flip(self) -> tuple[int, list[int]]:
        """Turn up the oldest; return it, and who laid STOP."""
        table = self.table
        if self.chance.random() < 0.8:
            self.flips.append(table.press(self.chance.choice(table.seats)))
        else:
            self.flips.append(table.say(self.chance.choice([*table.seats, "host"]), "flip"))
        table.turned()
        cards = self.cards.pop(0)
        return self.lying.pop(0), sorted(seat for seat, each in cards.items() if each.endswith("stop"))

    def reward(self, winner: int) -> None:
        self.won.append(winner)
        value = self.chance.randint(0, 3)
        assert self.table.takers == [winner]
        if self.tagged:
            self.table.token(self.chance.choice(("centre", winner)), value)
        else:
            self.table.say(winner, "token")
        self.tokens[winner].append(value if self.tagged else None)
