"""Trial: slips. In a random match of each game somebody slips once or twice; all do only what the table tells them.

One card goes to a wrong pad, or over a second one, is missed, is read too many or twice, is a wrong one, another game's
or unknown, or comes out of turn; somebody says too early that they are done (`slip/kinds.py`). What people do then
follows from what the live table tells them (`slip/people.py`). In the end the match stands as it would without the
slip, in few steps, and nothing of anybody else was taken back.

    python -m tests.trust --only slips

plays 10,000 matches of each game.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from companion import games
from companion.game import AnyGame
from companion.game.simulated_world import Move
from tests.trust.findings import Finding
from tests.trust.slip.kinds import Act, drawn
from tests.trust.slip.people import Done, Lost, People, Slip, events_of, note
from tests.trust.slip.table import Table, table
from tests.trust.worlds.compared import disagreements
from tests.trust.worlds.judged import TRUTHS
from tests.trust.worlds.people import Judge
from tests.trust.worlds.truth import Truth

MATCHES = 10_000
QUICKLY = 24
BEFORE, AFTER = 60, 12
"""Moves before the slip, at most; and moves at the live table after it, or more if what is wrong is sealed so long."""
LONGEST = 4000
AT_THE_END = 0.15
"""How many slip at the very last act of a match, if at all."""
TWICE = 0.3
"""How many slip once more right afterwards."""
AT: Mapping[str, Sequence[str]] = {
    "stop-it": ("show", "count", "count", "count", "shout", "restart"),
    "stop-me-go": ("set-up", "turn-up", "lay", "lay", "change", "turn-over", "take-token"),
    "go": ("set-up", "take-pile", "take-row", "take-discard", "discard", "call", "show", "show", "show"),
    "kartel": ("set-up", "roll", "take", "take"),
    "hearts": ("give", "lay", "lay", "lay"),
    "crazy-eights": ("deal", "play", "play", "play", "draw", "pass", "suit", "show", "show"),
    "speed-snap": ("deal", "turn", "turn", "turn", "press"),
    "speed-duel": ("turn", "play", "play", "play", "press"),
}
"""At which moves people slip, those with more cards more often."""


def trial(quick: bool) -> Iterator[Finding]:
    """See `findings.Trial`."""
    for slug in TRUTHS:
        game = games.known()[slug]
        if slug in AT:
            yield of_game(game, range(QUICKLY if quick else MATCHES))
        else:
            yield Finding(f"{game.title}, slips", 0, 0, untried="nobody says yet at which moves people slip: add to AT")


def of_game(game: AnyGame, numbers: range) -> Finding:
    """Play these matches of a game, each from its number."""
    broken = 0
    example = ""
    kinds = Counter[str]()
    steps = Counter[int]()
    with table(game) as at:
        for number in numbers:
            played = Played(game, f"{game.slug} {number}")
            wrong = played.play(at)
            kinds.update(played.kinds or ["none"])
            steps[len(played.steps)] += 1
            broken += bool(wrong)
            example = example or (f"{played.seed}, {played.told}: {wrong}" if wrong else "")
    few = ", ".join(f"{times:,} in {number} steps" for number, times in sorted(steps.items()))
    what = f"{game.title}, slips: people do what the table says, and the match ends as without"
    besides = f"{', '.join(f'{kind} {times:,}' for kind, times in kinds.most_common())}; {few}"
    return Finding(what, len(numbers), broken, (example or besides).replace("|", "/"))


class Played:
    """A match with a slip or two."""

    def __init__(self, game: AnyGame, seed: str) -> None:
        self.game = game
        self.seed = seed
        self.kinds: list[str] = []
        self.told = ""
        self.steps: Sequence[str] = ()
        self._chance = random.Random(seed)
        self._done: Done = {}

    def play(self, at: Table) -> str:
        """Return what is other than without the slip; "": nothing."""
        chance = self._chance
        seats = tuple(
            sorted(chance.sample(range(1, 7), chance.randint(self.game.fewest_players, self.game.most_players)))
        )
        truth: Truth = TRUTHS[self.game.slug].begin(seats, chance)
        judge = Judge(self.game, seats)
        now = 100_000_000
        what = chance.choice(AT[self.game.slug])
        before = 0 if what == "set-up" else chance.randrange(BEFORE)
        at_the_end = chance.random() < AT_THE_END
        for _ in range(LONGEST):
            now += 1_300_000
            truth = truth.passed(now)
            moves = truth.moves
            if truth.over or not moves:
                break
            move = chance.choice(moves)
            lot = chance.randrange(10**9)
            is_last = at_the_end and truth.after(move, now, random.Random(lot))[0].over
            if is_last or (not at_the_end and before <= 0 and move.what == what):
                slip = self._slip(Act(self.game, truth, move, events_of(truth, move, now, lot), self._done, chance))
                if slip is not None:
                    return self._go_on(at, judge, truth, move, slip, lot)
            meant = events_of(truth, move, now, lot)
            judge.tell(meant, now)
            note(self._done, move, meant)
            truth, _ = truth.after(move, now, random.Random(lot))
            now += 300_000 * len(meant)
            before -= 1
        return ""

    def _slip(self, act: Act) -> Slip | None:
        slip = drawn(act)
        if slip is not None:
            self.kinds.append(slip.kind)
            self.told += f"{act.move} as {slip.events}; "
        return slip

    def _go_on(self, at: Table, judge: Judge, truth: Truth, move: Move, slip: Slip, lot: int) -> str:
        """Slip at the live table, and play on there for a while."""
        at.take_up(judge.match)
        people = People(at, truth, lot, self._done, hurry=self._chance.random() < 0.5)
        self.steps = people.cures
        again = self._chance.randrange(AFTER) if self._chance.random() < TWICE else None
        enough = AFTER if again is None else again + AFTER
        try:
            people.play(move, slip)
            for number in range(LONGEST):
                if number >= enough and not people.sealed:
                    break
                moves = people.truth.moves
                if people.truth.over or not moves:
                    break
                people.lot = self._chance.randrange(10**9)
                move = self._chance.choice(moves)
                meant = events_of(people.truth, move, round(at.now * 1_000_000), people.lot)
                act = Act(self.game, people.truth, move, meant, self._done, self._chance)
                people.play(move, self._slip(act) if number == again else None)
        except Lost as lost:
            return str(lost)
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
            move = self._chance.choice(moves)
            lot = self._chance.randrange(10**9)
            meant = events_of(truth, move, now, lot)
            judge.tell(meant, now)
            truth, _ = truth.after(move, now, random.Random(lot))
            now += 300_000 * len(meant)
        judge.tell((), now)
        return next(disagreements(truth, judge.match), "")
