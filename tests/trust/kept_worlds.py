"""A world is made again as the log bears it out, or not at all: whatever is in its file, and however old the log is."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from companion.events import Retracted
from companion.game import AnyGame
from companion.game.simulated_world import SETTING_UP, Move
from companion.judge.taken_back import standing
from companion.kit.simulated_matches import PLAYABLE, Simulated
from companion.live import kept_simulated_world, simulated_world_file
from companion.live.kept_simulated_world import Done, StoredWorld, WorldFault, acts, made_again
from companion.live.simulated_world_file import WorldFile
from tests.trust.findings import Finding, Tally

SEED = 23
MATCHES = 120
QUICKLY = 1
MOVES = 80
MOVES_SINCE = 10
TAMPERED = 4000
TAMPERED_QUICKLY = 60


def trial(quick: bool) -> Iterator[Finding]:
    """Play by lot, keep every move; then make the world again with logs and files of all kinds."""
    for game in PLAYABLE.values():
        tally = Tally(SEED)
        for number in range(QUICKLY if quick else MATCHES):
            _made(game, random.Random(f"{SEED} {game.slug} {number}"), tally, number)
            _taken_back(game, random.Random(f"{SEED} {game.slug} {number} back"), tally, number)
        yield from tally.findings(f"{game.title}, simulated: {{}}")
    tally = Tally(SEED)
    _tampered(random.Random(SEED), tally, TAMPERED_QUICKLY if quick else TAMPERED)
    yield from tally.findings("what is kept of a simulated world: {}")


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
        heard = all(acts(events[one.before : done.before]) or not _shows(played, at) for at, one in _told(older))
        same = older.done == kept.done[: len(older.done)] and heard
        tally.note("with an older log it is as far as that tells", holds=same, example=f"{example}, {done.before}")
        shorter = replace(kept, done=kept.done[: kept.done.index(done)])
        if acts(events[done.before :]):
            refused = _is_refused(shorter, played)
            tally.note("of a log that tells more it is refused", holds=refused, example=f"{example}, {done.before}")
    other = replace(kept, seed=f"not {kept.seed}")
    if other.dealt() != played.worlds[0] and acts(events):
        same_acts = _same_acts(other, played)
        tally.note("of another deal it is refused", holds=same_acts or _is_refused(other, played), example=example)


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


def _told(kept: StoredWorld) -> list[tuple[int, Done]]:
    return [*enumerate(kept.done)]


def _shows(played: Remembered, at: int) -> bool:
    _, shown = played.physics.do(played.worlds[at], played.kept.done[at].move, played.kept.chance(at))
    return bool(shown)


def _same_acts(other: StoredWorld, played: Remembered) -> bool:
    """Whether another deal would have shown the same, as where nothing has been shown yet."""
    world = other.dealt()
    try:
        for at, done in enumerate(other.done):
            world, shown = other.physics.do(world, done.move, other.chance(at))
            _, was = played.physics.do(played.worlds[at], done.move, played.kept.chance(at))
            if acts(shown) != acts(was):
                return False
    except (LookupError, ValueError):
        return False
    return True


def _is_refused(kept: StoredWorld, played: Remembered) -> bool:
    try:
        made_again(kept, played.match.game.slug, played.seats, played.match.events)
    except WorldFault:
        return True
    return False


def _tampered(chance: random.Random, tally: Tally, times: int) -> None:
    """Have bytes of the file be others, cut it, write into it what somebody might."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world"
        file = WorldFile(path)
        before = StoredWorld(1, "go", (1, 3), "seed", {3: "easy"})
        file.keep(before)
        file.keep(replace(before, done=(Done(SETTING_UP, 1),)))
        whole = path.read_bytes()
        for _ in range(times):
            at = chance.randrange(len(whole))
            one = bytes([whole[at] ^ chance.randint(1, 255)])
            torn = chance.choice((whole[:at], whole[at:], whole[:at] + one + whole[at + 1 :], whole[:at] + whole))
            path.write_bytes(torn if torn != whole else b"")
            tally.note(
                "damaged it is told, or cut off as it was before", holds=_is_told(path, before), example=(at, torn[:80])
            )


def _is_told(path: Path, before: StoredWorld) -> bool:
    try:
        kept = simulated_world_file.read(path, 1)
    except WorldFault:
        return True
    return kept == before
