"""The file of a simulated world: one line with the world, then one for each change, each on disk before the next.

The world of a match that is about to begin is appended before the log has the match. A start uses whichever of the two
worlds belongs to the match that it finds on the table.

Each line begins with a digest of itself and all before it. A last line torn by a power cut was never told, so it is
skipped; a whole line whose digest is wrong was altered.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.errors import NotKept
from companion.game.simulated_world import Strength
from companion.live.kept_simulated_world import Done, StoredWorld, WorldFault
from companion.storage import files


class Left(msgspec.Struct, frozen=True, tag=True):
    """Only this many first moves count; later ones were taken back, or never told."""

    moves: int


class TakenOver(msgspec.Struct, frozen=True, tag=True):
    """Which seats bots play from now on."""

    bots: Mapping[int, Strength]


class Prepared(msgspec.Struct, frozen=True, tag=True):
    """The world of a match that is about to begin."""

    world: StoredWorld


Change = Done | Left | TakenOver | Prepared


def read(path: Path, match: int | None) -> StoredWorld | None:
    """Read the world of this match; None if none is kept. Raises `WorldFault`."""
    return next((stored_world for stored_world in _worlds(path) if stored_world.match == match), None)


def _worlds(path: Path) -> Sequence[StoredWorld]:
    """Return the worlds that a file holds; the last may be prepared for a match that has not begun."""
    try:
        lines = files.contents(path).split(b"\n")[:-1]  # without the rest of a line that a power cut tore
        if not lines:
            raise WorldFault(f"{path} is damaged")
        digest = b""
        bodies = []
        for line in lines:
            line_digest, _, body = line.partition(b" ")
            digest = _digest(digest, body)
            if line_digest != digest:
                raise WorldFault(f"{path} is damaged")
            bodies.append(body)
        stored_world = msgspec.json.decode(bodies[0], type=StoredWorld | None)
        changes = [msgspec.json.decode(body, type=Change) for body in bodies[1:]]
        prepared = [change.world for change in changes if isinstance(change, Prepared)]
        return [*([] if stored_world is None else [_after(stored_world, changes)]), *prepared]
    except FileNotFoundError:
        return ()
    except OSError as wrong:
        raise WorldFault(f"can't read {path}: {wrong.strerror}") from wrong
    except (msgspec.MsgspecError, ValueError, RecursionError) as wrong:
        raise WorldFault(f"{path} was written by another companion: {wrong}") from wrong


class WorldFile:
    """Keeps a world in a file that only its owner may read. Use it from one thread at a time."""

    def __init__(self, path: Path):
        self.path = path
        self._kept: StoredWorld | None = None
        """What the file holds, to its last byte; None: unknown."""
        self._digest = b""

    def keep(self, stored_world: StoredWorld) -> None:
        """Make the file hold this alone; after a power cut it holds this or what it held before. Raises `NotKept`."""
        earlier = self._kept
        self._kept = None
        changes = None if earlier is None else _changes(earlier, stored_world)
        with self._writing():
            if changes is None:
                files.replace_private(self.path, self._line(b"", stored_world))
            elif changes:
                files.append(self.path, b"".join(self._line(self._digest, change) for change in changes))
        self._kept = stored_world

    @contextmanager
    def prepared(self, world: StoredWorld) -> Iterator[None]:
        """Store the world of a match that begins within this block, beside the one in the file; drop it if the match
        does not begin. Raises `NotKept`.
        """
        self._kept = None
        earlier = self._other_than(world.match)
        line = self._line(b"", earlier)
        with self._writing():
            files.replace_private(self.path, line + self._line(self._digest, Prepared(world)))
        try:
            yield
        except NotKept:
            raise  # the failing disk may have stored the beginning all the same, so the world stays
        except Exception:
            with suppress(NotKept):
                self._go_back_to(earlier)
            raise

    def _go_back_to(self, earlier: StoredWorld | None) -> None:
        if earlier is not None:
            self.keep(earlier)
            return
        with self._writing():
            self.path.unlink(missing_ok=True)
            files.sync(self.path.parent)

    def _other_than(self, match: int) -> StoredWorld | None:
        """Return the world of another match in the file; None if there is none that can be used."""
        try:
            return next((stored_world for stored_world in _worlds(self.path) if stored_world.match != match), None)
        except WorldFault:
            return None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as wrong:
            raise NotKept(f"can't write {self.path}: {wrong.strerror}") from wrong

    def _line(self, previous_digest: bytes, content: StoredWorld | Change | None) -> bytes:
        body = msgspec.json.encode(content)
        self._digest = _digest(previous_digest, body)
        return self._digest + b" " + body + b"\n"


def _changes(earlier: StoredWorld, later: StoredWorld) -> list[Change] | None:
    """Return the change that leads from one to the other; None if it is another world."""
    if replace(earlier, bots={}, done=()) != replace(later, bots={}, done=()):
        return None
    shared = min(len(earlier.done), len(later.done))
    if earlier.done[:shared] != later.done[:shared]:
        return None
    taken_back: list[Change] = [Left(shared)] if shared < len(earlier.done) else []
    bots: list[Change] = [TakenOver(later.bots)] if earlier.bots != later.bots else []
    return [*taken_back, *later.done[shared:], *bots]


def _after(stored_world: StoredWorld, changes: list[Change]) -> StoredWorld:
    done = [*stored_world.done]
    bots = stored_world.bots
    for change in changes:
        match change:
            case Done():
                done.append(change)
            case Left(moves=moves):
                del done[moves:]
            case TakenOver(bots=bots_now):
                bots = bots_now
    return replace(stored_world, done=tuple(done), bots=bots)


def _digest(previous: bytes, body: bytes) -> bytes:
    return hashlib.sha256(previous + body).hexdigest().encode()
