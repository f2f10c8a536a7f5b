"""Trial: slips. In a random match of every game somebody slips once, and all do only what the table tells them.

One card goes to a wrong pad, or over a second one, is missed, is read too many, is a wrong one, or comes out of turn.
What people then do follows from what the live table tells them (`slip/people.py`). In the end
the match stands as it would without the slip, in few steps, and nothing of anybody else was taken back.

    python -m tests.trust --only slips

plays 10,000 matches of each game.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from companion import games
from companion.events import Event, Pressed, Tapped, place_of, seat_at
from companion.game import AnyGame
from companion.simulated_world import Move
from tests.trust.findings import Finding
from tests.trust.slip.people import Done, Lost, People, Slip, events_of, note
from tests.trust.slip.table import Table, table
from tests.trust.worlds.compared import disagreements
from tests.trust.worlds.judged import TRUTHS, Judge
from tests.trust.worlds.truth import Truth

MATCHES, QUICKLY = 10_000, 24
BEFORE, AFTER = 60, 12
"""Moves before the slip, at most; and moves at the live table after it."""
LONGEST = 4000
PADS: Mapping[str, Sequence[str]] = {
    "stop-it": ("centre",),
    "stop-me-go": ("centre",),
    "go": ("centre", "row", "discard"),
    "kartel": ("centre", "prison"),
}
"""The pads that all share in each game."""
AT: Mapping[str, Sequence[str]] = {
    "stop-it": ("show", "count", "count", "count", "shout", "restart"),
    "stop-me-go": ("set-up", "turn-up", "lay", "lay", "change", "turn-over", "take-token"),
    "go": ("set-up", "take-pile", "take-row", "take-discard", "discard", "call", "show", "show", "show"),
    "kartel": ("set-up", "roll", "take", "take"),
}
"""At which moves people slip, those with more cards more often."""


def trial(quick: bool) -> Iterator[Finding]:
    """See `findings.Trial`."""
    for slug in TRUTHS:
        yield of_game(games.known()[slug], range(QUICKLY if quick else MATCHES))


def of_game(game: AnyGame, numbers: range) -> Finding:
    """Play these matches of a game, each from its number."""
    broken, example = 0, ""
    kinds, steps = Counter[str](), Counter[int]()
    with table(game) as at:
        for number in numbers:
            played = Played(game, f"{game.slug} {number}")
            wrong = played.play(at)
            kinds[played.kind] += 1
            steps[len(played.steps)] += 1
            broken += bool(wrong)
            example = example or (f"{played.seed}, {played.told}: {wrong}" if wrong else "")
    few = ", ".join(f"{times:,} in {number} steps" for number, times in sorted(steps.items()))
    what = f"{game.title}, one slip: people do what the table says, and the match ends as without"
    besides = f"{', '.join(f'{kind} {times:,}' for kind, times in kinds.most_common())}; {few}"
    return Finding(what, len(numbers), broken, (example or besides).replace("|", "/"))


class Played:
    """A match with one slip."""

    def __init__(self, game: AnyGame, seed: str) -> None:
        self.game, self.seed = game, seed
        self.kind, self.told = "none", ""
        self.steps: Sequence[str] = ()
        self._chance = random.Random(seed)
        self._done: Done = {}

    def play(self, at: Table) -> str:
        """Return what is other than without the slip; "": nothing."""
        chance = self._chance
        seats = tuple(sorted(chance.sample(range(1, 7), chance.randint(2, self.game.most_players))))
        truth: Truth = TRUTHS[self.game.slug].begin(seats, chance)
        judge, now = Judge(self.game, seats), 100_000_000
        what, kinds = chance.choice(AT[self.game.slug]), chance.sample([*KINDS.values()], len(KINDS))
        before = 0 if what == "set-up" else chance.randrange(BEFORE)
        for _ in range(LONGEST):
            now += 1_300_000
            truth = truth.passed(now)
            moves = truth.moves
            if truth.over or not moves:
                break
            move, lot = chance.choice(moves), chance.randrange(10**9)
            meant = events_of(truth, move, now, lot)
            slips = (kind(self, truth, move, meant) for kind in kinds) if before <= 0 and move.what == what else ()
            slip = next((slip for slip in slips if slip is not None), None)
            if slip is not None:
                return self._slip(at, judge, truth, move, slip, lot)
            judge.tell(meant, now)
            note(self._done, move, meant)
            truth, _ = truth.after(move, now, random.Random(lot))
            now += 300_000 * len(meant)
            before -= 1
        return ""

    def _slip(self, at: Table, judge: Judge, truth: Truth, move: Move, slip: Slip, lot: int) -> str:
        self.kind, self.told = slip.kind, f"{move} as {slip.events}"
        at.take_up(judge.match)
        people = People(at, truth, lot, slip.seats | _concerned(truth, move), self._done)
        self.steps = people.cures
        try:
            people.play(move, slip)
            for _ in range(AFTER):
                moves = people.truth.moves
                if people.truth.over or not moves:
                    break
                people.lot = self._chance.randrange(10**9)
                people.play(self._chance.choice(moves))
        except Lost as lost:
            return str(lost)
        # A full hand of ¡Go! can't be told which of its cards is not its own before all are in.
        is_enough = slip.between_seats and self.game.slug != "go"
        if is_enough and any(step.startswith("undo") for step in people.cures):
            return f"laying the card at the right pad was not enough: {people.cures}"
        return people.untouched() or self._to_the_end(judge, people, at)

    def _to_the_end(self, judge: Judge, people: People, at: Table) -> str:
        """The rest is played without the table: it comes to the same, and costs less."""
        judge.match, truth, now = at.match, people.truth, round(at.now * 1_000_000)
        for _ in range(LONGEST):
            now += 1_300_000
            truth = truth.passed(now)
            moves = truth.moves
            if truth.over or not moves:
                break
            move, lot = self._chance.choice(moves), self._chance.randrange(10**9)
            meant = events_of(truth, move, now, lot)
            judge.tell(meant, now)
            truth, _ = truth.after(move, now, random.Random(lot))
            now += 300_000 * len(meant)
        judge.tell((), now)
        return next(disagreements(truth, judge.match), "")

    # Kinds of slips: each returns how this move is done wrongly, or None if it can't be.

    def wrong_pad(self, truth: Truth, move: Move, meant: Sequence[Event]) -> Slip | None:
        """A card goes over another pad first, then over the right one."""
        return self._astray(truth, meant, "over a wrong pad first", lambda tap, astray: (astray, tap), 0)

    def swept(self, truth: Truth, move: Move, meant: Sequence[Event]) -> Slip | None:
        """A card that was laid is swept over another pad."""
        return self._astray(truth, meant, "swept over another pad", lambda tap, astray: (tap, astray), 1)

    def only_there(self, truth: Truth, move: Move, meant: Sequence[Event]) -> Slip | None:
        """A card goes over another pad, and its owner believes that it was the right one."""
        return self._astray(truth, meant, "at a wrong pad only", lambda tap, astray: (astray,), 0)

    def missed(self, truth: Truth, move: Move, meant: Sequence[Event]) -> Slip | None:
        """A card is not read."""
        tap = self._tap(meant)
        if tap is None or move.what == "change":  # that it was changed is sealed, so nobody can be told that it was not
            return None
        left = tuple(event for event in meant if event is not tap)
        return Slip("missed", left, frozenset(), _at(tap))

    def too_many(self, truth: Truth, move: Move, meant: Sequence[Event]) -> Slip | None:
        """A card that nobody meant is read along with the others."""
        tap = self._tap(meant)
        if tap is None:
            return None
        # Which card was laid in secret comes out only when it is turned over: no page can name it until then.
        own = truth.world.hands.get(move.seat, ()) if move.what in ("lay", "change") else ()
        others = [card for card in self.game.deck if card not in own and all(card != _card(event) for event in meant)]
        if not others:
            return None
        at = self._chance.randint(0, len(meant))
        another = replace(tap, card=self._chance.choice(others))
        return Slip(
            "one too many",
            (*meant[:at], another, *meant[at:]),
            frozenset({at}),
            _at(tap) | _owners(truth, another.card),
        )

    def out_of_turn(self, truth: Truth, move: Move, meant: Sequence[Event]) -> Slip | None:
        """Somebody else presses, or lays a card, when it is not their turn."""
        seats = truth.world.seats
        seat = self._chance.choice(seats)
        own = truth.world.hands.get(seat, ()) if move.what in ("lay", "change") else ()
        card = self._chance.choice([card for card in self.game.deck if card not in own])
        press = self._chance.random() < 0.5
        early: Event = Pressed(0, 0.0, seat) if press else Tapped(0, 0.0, place_of(seat), card)  # type: ignore[arg-type]
        kind = "a press out of turn" if press else "a card out of turn"
        return Slip(kind, (early, *meant), frozenset({0}), _concerned(truth, move) | {seat})

    def _astray(
        self,
        truth: Truth,
        meant: Sequence[Event],
        kind: str,
        told: Callable[[Tapped, Tapped], tuple[Event, ...]],
        wrong: int,
    ) -> Slip | None:
        tap = self._tap(meant)
        if tap is None:
            return None
        places = [place_of(seat) for seat in truth.world.seats] + [*PADS[self.game.slug]]
        astray = replace(tap, place=self._chance.choice([place for place in places if place != tap.place]))
        at = meant.index(tap)
        events = (*meant[:at], *told(tap, astray), *meant[at + 1 :])
        concerned = frozenset(seat for seat in map(seat_at, (tap.place, astray.place)) if seat is not None)
        instead_of = None if tap in events else tap
        lays_again = wrong == 0 and tap in events
        between_seats = lays_again and {seat_at(tap.place), seat_at(astray.place)}.isdisjoint({None})
        wrong_ones = frozenset({at + wrong})
        owners = _owners(truth, tap.card)
        return Slip(kind, events, wrong_ones, concerned | owners, lays_again, between_seats, instead_of)

    def _tap(self, meant: Sequence[Event]) -> Tapped | None:
        taps = [event for event in meant if isinstance(event, Tapped)]
        return self._chance.choice(taps) if taps else None


def _concerned(truth: Truth, move: Move) -> frozenset[int]:
    return frozenset({move.seat}) & {*truth.world.seats}


def _at(tap: Tapped) -> frozenset[int]:
    seat = seat_at(tap.place)
    return frozenset() if seat is None else frozenset({seat})


def _owners(truth: Truth, card: str) -> frozenset[int]:
    hands = getattr(truth.world, "hands", {})
    return frozenset(seat for seat, hand in hands.items() if card in hand)


def _card(event: Event) -> str | None:
    return event.card if isinstance(event, Tapped) else None


KINDS: Mapping[str, Callable[[Played, Truth, Move, Sequence[Event]], Slip | None]] = {
    "wrong pad": Played.wrong_pad,
    "swept": Played.swept,
    "only there": Played.only_there,
    "missed": Played.missed,
    "too many": Played.too_many,
    "out of turn": Played.out_of_turn,
}
