"""The file of a simulated world: a line that begins it, then a line for each change, each on disk before the next.

A line ends with a digest of itself and all before it. A last line torn by a power cut was never told, so it is skipped;
a whole line whose digest is wrong was altered.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.game.simulated_world import Strength
from companion.live.kept_simulated_world import Done, Kept, WorldFault
from companion.storage import files


class Left(msgspec.Struct, frozen=True, tag=True):
    """Only the first moves count; all since were taken back, or never told."""

    moves: int


class TakenOver(msgspec.Struct, frozen=True, tag=True):
    """Which seats bots play from now on."""

    bots: Mapping[int, Strength]


Change = Done | Left | TakenOver


def read(path: Path) -> Kept | None:
    """Read the world that is kept; None if there is none. Raises `WorldFault`."""
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
        kept = msgspec.json.decode(bodies[0], type=Kept)
        return _after(kept, [msgspec.json.decode(body, type=Change) for body in bodies[1:]])
    except FileNotFoundError:
        return None
    except OSError as wrong:
        raise WorldFault(f"can't read {path}: {wrong.strerror}") from wrong
    except (msgspec.MsgspecError, ValueError, RecursionError) as wrong:
        raise WorldFault(f"{path} was written by another companion: {wrong}") from wrong


class WorldFile:
    """Keeps a world in a file that only its owner may read. Use it from one thread at a time."""

    def __init__(self, path: Path):
        self.path = path
        self._kept: Kept | None = None
        """What the file holds, to its last byte; None: unknown."""
        self._digest = b""

    def keep(self, kept: Kept) -> None:
        """Make the file hold this; after a power cut it holds this or what it held before. Raises OSError."""
        earlier = self._kept
        self._kept = None
        changes = None if earlier is None else _changes(earlier, kept)
        if changes is None:
            line = self._line(b"", kept)
            files.replace_private(self.path, line)
        elif changes:
            files.append(self.path, b"".join(self._line(self._digest, change) for change in changes))
        self._kept = kept

    def _line(self, previous_digest: bytes, content: Kept | Change) -> bytes:
        body = msgspec.json.encode(content)
        self._digest = _digest(previous_digest, body)
        return self._digest + b" " + body + b"\n"


def _changes(earlier: Kept, later: Kept) -> list[Change] | None:
    """Return the change that leads from one to the other; None if it is another world."""
    if replace(earlier, bots={}, done=()) != replace(later, bots={}, done=()):
        return None
    shared = min(len(earlier.done), len(later.done))
    if earlier.done[:shared] != later.done[:shared]:
        return None
    taken_back: list[Change] = [Left(shared)] if shared < len(earlier.done) else []
    bots: list[Change] = [TakenOver(later.bots)] if earlier.bots != later.bots else []
    return [*taken_back, *later.done[shared:], *bots]


def _after(kept: Kept, changes: list[Change]) -> Kept:
    done = [*kept.done]
    bots = kept.bots
    for change in changes:
        match change:
            case Done():
                done.append(change)
            case Left(moves=moves):
                del done[moves:]
            case TakenOver(bots=bots_now):
                bots = bots_now
    return replace(kept, done=tuple(done), bots=bots)


def _digest(previous: bytes, body: bytes) -> bytes:
    return hashlib.sha256(previous + body).hexdigest().encode()
