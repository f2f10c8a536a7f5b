"""A world is made again as the log bears it out, however old the log is. What is refused, `tests/live` asks."""

import random
from collections.abc import Iterator

from msgspec.structs import replace

from companion.events import Retracted
from companion.game import AnyGame
from companion.game.simulated_world import SETTING_UP, Move
from companion.judge.taken_back import standing
from companion.kit.simulated_matches import PLAYABLE, Simulated
from companion.live import kept_simulated_world
from companion.live.kept_simulated_world import Done, StoredWorld, acts, made_again
from tests.trust.findings import Finding, Tally

SEED = 23
MATCHES = 120
QUICKLY = 1
MOVES = 80
MOVES_SINCE = 10


def trial(quick: bool) -> Iterator[Finding]:
    """Play by lot, keep every move; then make the world again with logs and files of all kinds."""
    for game in PLAYABLE.values():
        tally = Tally(SEED)
        for number in range(QUICKLY if quick else MATCHES):
            _made(game, random.Random(f"{SEED} {game.slug} {number}"), tally, number)
            _taken_back(game, random.Random(f"{SEED} {game.slug} {number} back"), tally, number)
        yield from tally.findings(f"{game.title}, simulated: {{}}")


class Remembered(Simulated):
    """A match whose world is kept."""

    def __init__(self, game: AnyGame, seats: tuple[int, ...], seed: int):
        self.kept = StoredWorld(1, game.slug, seats, str(seed), {}, dict.fromkeys(seats[-1:], "red"))
        self.worlds: list[object] = []
        """What lay where before each move."""
        super().__init__(game, seats, seed)

    def do(self, move: Move) -> None:
        if move == SETTING_UP:
            self.world = self.kept.dealt()
        self.worlds.append(self.world)
        self.chance, lots = self.kept.chance(len(self.kept.done)), self.chance
        self.kept = replace(self.kept, done=(*self.kept.done, Done(move, len(self.match.events))))
        super().do(move)
        self.chance = lots

    def take_back(self, left: int) -> None:
        """Take back all moves but the first ones."""
        since = [event.seq for event in standing(self.match.events) if event.seq > self.kept.done[left].before]
        first = len(self.match.events) + 1
        self.match.add_all([Retracted(seq, self.now, target) for seq, target in enumerate(since, first)])
        self.kept = replace(self.kept, done=self.kept.done[:left])
        self.worlds, self.world = self.worlds[:left], kept_simulated_world.played(self.kept)


def _played(game: AnyGame, chance: random.Random, number: int) -> Remembered:
    seats = tuple(sorted(chance.sample(range(1, 7), chance.randint(game.fewest_players, game.most_players))))
    played = Remembered(game, seats, number)
    _play(played, chance, MOVES)
    return played


def _play(played: Remembered, chance: random.Random, most: int) -> None:
    for _ in range(most):
        moves = played.moves()
        if not moves:
            break
        played.do(chance.choice(moves))


def _made(game: AnyGame, chance: random.Random, tally: Tally, number: int) -> None:
    played = _played(game, chance, number)
    kept = played.kept
    events = played.match.events
    example = f"match {number}"
    again = made_again(kept, game.slug, played.seats, events)
    tally.note("made again it is the same world", holds=again == (kept, played.world), example=example)
    for done in chance.sample(kept.done, min(8, len(kept.done))):
        older, _ = made_again(kept, game.slug, played.seats, events[: done.before])
        heard = all(
            acts(events[one.before : done.before]) or not _shows(played, at) for at, one in enumerate(older.done)
        )
        same = older.done == kept.done[: len(older.done)] and heard
        tally.note("with an older log it is as far as that tells", holds=same, example=f"{example}, {done.before}")


def _taken_back(game: AnyGame, chance: random.Random, tally: Tally, number: int) -> None:
    """Take moves back, with and without that being written, and play on."""
    played = _played(game, chance, number)
    for _ in range(3):
        shown = [at for at in range(1, len(played.kept.done)) if _shows(played, at)]
        if not shown:
            return
        left = chance.choice(shown)
        unwritten = played.kept
        lay = played.worlds[left]
        played.take_back(left)
        example = f"match {number}, {left}"
        events = played.match.events
        tally.note("taken back it is the world of before", holds=played.world == lay, example=example)
        same = made_again(unwritten, game.slug, played.seats, events) == (played.kept, lay)
        tally.note("what is taken back is not made again", holds=same, example=example)
        _play(played, chance, MOVES_SINCE)
        same = made_again(played.kept, game.slug, played.seats, played.match.events) == (played.kept, played.world)
        tally.note("played on after that it is the same world", holds=same, example=example)


def _shows(played: Remembered, at: int) -> bool:
    _, shown = played.physics.do(played.worlds[at], played.kept.done[at].move, played.kept.chance(at))
    return bool(shown)
