"""Worlds at the judge itself: no reader, no log, nothing but events."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from companion import games
from companion.game import AnyGame
from tests.trust.findings import Finding, small
from tests.trust.worlds import crazy_eights, go, hearts, kartel, speed_duel, speed_snap, stop_it, stop_me_go
from tests.trust.worlds.compared import disagreements
from tests.trust.worlds.people import HOWS, Act, Judge, People
from tests.trust.worlds.truth import Truth

TRUTHS = {
    "kartel": kartel.Kartel,
    "stop-it": stop_it.StopIt,
    "stop-me-go": stop_me_go.StopMeGo,
    "go": go.Go,
    "hearts": hearts.Hearts,
    "crazy-eights": crazy_eights.CrazyEights,
    "speed-snap": speed_snap.SpeedSnap,
    "speed-duel": speed_duel.SpeedDuel,
}
ACTS = 400
CARELESS = 0.25


@dataclass(slots=True)
class World:
    """A world that is played: what came of it."""

    game: AnyGame
    seed: str
    wrong: str = ""
    """The first disagreement."""
    ended: bool = False
    acts: list[Act] = field(default_factory=list)
    people: People | None = None

    def play(self, acts: Sequence[Act]) -> "World":
        chance = random.Random(self.seed)
        seats = tuple(
            sorted(chance.sample(range(1, 7), chance.randint(self.game.fewest_players, self.game.most_players)))
        )
        judge = Judge(self.game, seats)
        truth: Truth = TRUTHS[self.game.slug].begin(seats, chance)
        self.people = people = People(judge, truth)
        for act in acts:
            self.acts.append(act)
            if not people.act(act):
                if people.truth.over:
                    break
                people.wait()
            if people.settled:
                self.wrong = people.refused or next(disagreements(people.truth, judge.match), "")
                if self.wrong:
                    break
            people.refused = ""
        self.ended = people.truth.over
        return self


def acts(chance: random.Random) -> list[Act]:
    """What people will do, come what may."""
    ways = [*HOWS]
    return [
        Act(
            chance.randrange(10**6),
            chance.choice(ways) if chance.random() < CARELESS else "plainly",
            chance.randrange(10**9),
        )
        for _ in range(ACTS)
    ]


def told(game: AnyGame, seed: str, left: Sequence[Act]) -> str:
    """Tell of a few acts, and of what disagrees after them."""
    world = World(game, seed).play(left)
    assert world.people is not None
    lines = [f"{game.slug} {seed!r}: {world.wrong}", *(f"{act}" for act in left)]
    events = world.people.table.match.events
    return "\n".join([*lines, *(str(event) for event in events[-12:])])


def findings(worlds: int) -> Iterator[Finding]:
    """Play so many of each game."""
    for slug, game in games.known().items():
        if slug in TRUTHS:
            yield of_game(game, range(worlds))
        else:
            nobody_knows = f"what is true in it stands nowhere: add tests/trust/worlds/{game.folder.name}.py"
            yield Finding(f"{slug}, worlds with careless people", 0, 0, untried=nobody_knows)


def of_game(game: AnyGame, numbers: range) -> Finding:
    """Play these worlds of a game, each from its number; the first in which something disagrees is made small."""
    broken = ended = done = 0
    example = ""
    few = None
    for number in numbers:
        seed = f"{game.slug} {number}"
        world = World(game, seed).play(acts(random.Random(f"{seed} acts")))
        broken = broken + bool(world.wrong)
        ended = ended + world.ended
        done = done + len(world.acts)
        if world.wrong and few is None:
            left = small(world.acts, partial(_still, game, seed, world.wrong))
            few = len(left)
            example = told(game, seed, left)
    besides = example or f"{done:,} acts; {ended:,} worlds to their end"
    what = f"{game.title}, worlds with careless people: the judge says what is true"
    return Finding(what, len(numbers), broken, besides.replace("|", "/"), events=few)


def _still(game: AnyGame, seed: str, wrong: str, left: Sequence[Act]) -> bool:
    return World(game, seed).play(left).wrong.partition(":")[0] == wrong.partition(":")[0]
