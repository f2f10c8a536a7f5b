"""Whole matches by the booklet, at random, with acts strewn in that break the rules or mean nothing.

The booklet is told here a second time, for people who hold real cards; what the judge makes of it is compared.
"""

import random
from collections.abc import Callable

from companion.events import Tapped
from tests.games.stop_me_go.table import GANGSTERS, Spot, Table, card, colours

Act = Callable[[], int]


class Evening:
    """A match, played as far as `play` has come."""

    def __init__(self, seed: int, strewn: float = 0.0):
        self.chance = random.Random(seed)
        seats = sorted(self.chance.sample(range(1, 7), self.chance.randint(2, 6)))
        options = {"reshuffle": self.chance.choice(("lazy", "eager")), "allow_change": self.chance.random() < 0.7}
        given = self.chance.random() < 0.5
        self.table = Table(*seats, **options, **({"colours": colours(*seats)} if given else {}))
        self.eager, self.changes = options["reshuffle"] == "eager", options["allow_change"]
        self.strewn = strewn
        self.known = set(seats) if given else set()
        """Those whose colour the table knows."""
        self.tokens: dict[int, list[int | None]] = {seat: [] for seat in seats}
        self.tagged = self.chance.random() < 0.7
        self.wrong: list[int] = []
        """Acts that break the rules."""
        self.unclear: list[int] = []
        """Acts that would, were they not perhaps readings twice."""
        self.idle: list[int] = []
        """Acts that mean nothing."""
        self.begun: list[int] = []
        """The first event of each round."""
        self.turned: list[tuple[int, dict[int, str]]] = []
        """Every flip, and the cards that it turned up."""
        self.flipped_at: float | None = None
        """When the last flip by a press was."""
        self.pile: set[int] = set()
        self.cards: list[dict[int, str]] = []
        self.lying: list[int] = []
        self.won: list[int] = []
        """The winner of each round."""
        self.last_token = 0

    @property
    def third(self) -> list[int]:
        """Whoever has three tokens."""
        return [seat for seat, tokens in self.tokens.items() if len(tokens) == 3]

    @property
    def pool(self) -> int:
        """How many tokens are left."""
        return len(self.tokens) + 2 - sum(map(len, self.tokens.values()))

    def round_of(self, seq: int) -> int:
        """In which round, from 0, an event happened; before the first it is the first's."""
        return max(0, sum(begun <= seq for begun in self.begun) - 1)

    def play(self, rounds: int = 8) -> "Evening":
        """Play so many rounds, or to the end."""
        while len(self.won) < rounds and self.pool and not self.third:
            self.round()
        if not self.pool and not self.third and not self.tagged:
            told = {str(seat): [self.chance.randint(0, 3) for _ in had] for seat, had in self.tokens.items()}
            assert not self.table.over
            self.table.say("host", "token-values", told)
            self.tokens = {int(seat): list(values) for seat, values in told.items()}
        return self

    def round(self) -> None:
        self.pile, self.cards, self.lying = set(GANGSTERS), [], []
        discarded: set[int] = set()
        owned: dict[int, int] = {}
        self.begun.append(len(self.table.match.events) + 1)
        while not owned:
            self.misdeed()
            if self.eager and not self.pile:
                self.pile, discarded = discarded, set()
            self.intervention()
            if len(self.lying) < 4:
                self.strew(self.too_soon())
                continue
            number, stops = self.flip()
            if len(stops) == 1:
                owned[stops[0]] = number
                continue
            discarded.add(number)
            if not self.pile:
                self.pile, discarded = discarded, set()
            self.strew(self.too_soon())
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
        if not self.lying:
            self.first = number
        self.table.gangster(number)
        self.lying.append(number)

    def intervention(self) -> None:
        table, laid = self.table, {}
        self.cards.append(laid)
        for seat in self.chance.sample(table.seats, len(table.seats)):
            self.strew([*self.always(), *self.before_the_flip(), lambda: table.press(self.someone())])
            laid[seat] = self.lays(seat)
            if self.changes and len(laid) < len(table.seats) and self.chance.random() < 0.2:
                laid[seat] = self.lays(seat)
            self.linger([lambda: table.tap("centre", f"gangster-{self.lying[-1]}"), *self.again(laid)])

    def lays(self, seat: int) -> str:
        hand = [*self.table.hand(seat), *(each for each in [self.cards[-1].get(seat)] if each)]
        stop = [each for each in hand if each.endswith("stop")]
        each = stop[0] if stop and self.chance.random() < 0.4 else self.chance.choice(hand)
        spot: Spot = "centre" if seat in self.known and self.chance.random() < 0.4 else seat
        self.table.lay(seat, each.rpartition("-")[2], spot)
        self.known.add(seat)
        return each

    def flip(self) -> tuple[int, list[int]]:
        """Turn up the oldest; give it, and who laid STOP."""
        table = self.table
        for _ in range(2):
            self.strew([*self.always(), *self.before_the_flip(), *self.from_the_hand()])
        if self.chance.random() < 0.8:
            table.press(self.chance.choice(table.seats))
            self.flipped_at = table.now
        else:
            table.say(self.chance.choice([*table.seats, "host"]), "flip")
        table.turned()
        cards = self.cards.pop(0)
        self.turned.append((len(table.match.events), cards))
        self.linger([])
        return self.lying.pop(0), sorted(seat for seat, each in cards.items() if each.endswith("stop"))

    def reward(self, winner: int) -> None:
        table, others = self.table, [seat for seat in self.table.seats if seat != winner]
        self.won.append(winner)
        value = self.chance.randint(0, 3)
        token = f"token-{value}-{sum(map(len, self.tokens.values())) + 1}"
        self.strew(
            [
                *self.always(),
                lambda: table.tap(self.chance.choice(others), token),
                lambda: table.say(self.chance.choice(others), "token"),
                lambda: table.tap("centre", f"gangster-{self.chance.choice(sorted(self.pile) or [self.first])}"),
                lambda: table.press(self.someone()),
            ]
        )
        spots = ("centre", winner)
        if self.tagged:
            self.last_token = table.tap(self.chance.choice(spots), token)
            self.linger([lambda: table.tap(self.chance.choice(spots), token)], more=not table.over)
        else:
            self.last_token = table.say(winner, "token")
        self.tokens[winner].append(value if self.tagged else None)

    # What breaks the rules, and what means nothing.

    def someone(self) -> int:
        return self.chance.choice(self.table.seats)

    def always(self) -> list[Act]:
        """What is never right."""
        table, seat = self.table, self.someone()
        acts: list[Act] = [
            lambda: table.tap(seat, "red-7"),
            lambda: table.tap("row", card(seat, "stop")),
            lambda: table.say(seat, "hello"),
            lambda: table.say("host", "token-values", {}),
            lambda: table.elapse("supper"),
        ]
        if len(self.known) > 1:
            one, other = self.chance.sample(sorted(self.known), 2)
            acts.append(lambda: table.tap(one, card(other, self.chance.choice((1, 2, 3, 4, "stop")))))
        return acts

    def before_the_flip(self) -> list[Act]:
        """What comes before its time while the agents lay and until all is turned up."""
        table = self.table
        acts: list[Act] = [
            lambda: table.tap(self.someone(), f"token-{self.chance.randint(0, 3)}-10"),
            lambda: table.say(self.someone(), "token"),
        ]
        if self.pile:
            acts.append(lambda: table.tap("centre", f"gangster-{self.chance.choice(sorted(self.pile))}"))
        older = [each for laid in self.cards[:-1] for each in laid.items()]
        if older:
            seat, each = self.chance.choice(older)
            acts.append(lambda: table.tap(self.chance.choice((seat, "centre")), each))
        return acts

    def too_soon(self) -> list[Act]:
        """What breaks the rules while the next gangster is awaited."""
        table = self.table
        gone = sorted(set(GANGSTERS) - self.pile - {self.lying[-1]})
        acts = [*self.always(), *self.from_the_hand(), lambda: table.press(self.someone())]
        return [*acts, *([lambda: table.tap("centre", f"gangster-{self.chance.choice(gone)}")] if gone else [])]

    def from_the_hand(self) -> list[Act]:
        """A card that lies nowhere, when none is to be laid."""
        seat = self.someone()
        hand = [] if self.table.captured else self.table.hand(seat)
        return [lambda: self.table.tap(seat, self.chance.choice(hand))] if hand else []

    def again(self, laid: dict[int, str]) -> list[Act]:
        seat = self.chance.choice(sorted(laid))
        return [lambda: self.table.tap(self.chance.choice((seat, "centre")), laid[seat])]

    def strew(self, acts: list[Act]) -> None:
        if acts and self.chance.random() < self.strewn:
            before = list(self.table.match.events)
            seq = self.chance.choice(acts)()
            (self.unclear if repeats(before, self.table.match.events[-1]) else self.wrong).append(seq)

    def linger(self, acts: list[Act], more: bool = True) -> None:
        """Let something happen that means nothing."""
        table = self.table
        acts = [*acts, *([lambda: table.lift("centre", "gangster-1")] if more else [])]
        if self.flipped_at is not None and more:
            echo = round(self.flipped_at + self.chance.uniform(-0.5, 0.5), 6)
            acts.append(lambda: table.press(self.someone(), at=echo))
        if acts and self.chance.random() < self.strewn:
            self.idle.append(self.chance.choice(acts)())


def repeats(before: list[object], event: object) -> bool:
    """Whether a tap repeats the tap before it at its place: then nothing is known of it here."""
    if not isinstance(event, Tapped):
        return False
    taps = [other for other in before if isinstance(other, Tapped) and other.place == event.place]
    return bool(taps) and taps[-1].card == event.card
