"""What pages and bots know of a simulated world: what every seat knows and can do, and what lies open."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.game import Staging
from companion.game.simulated_world import DEAL, Move, Sight
from companion.judge import views
from companion.judge.views import UNSHOWN
from companion.live.game_code_faults import GameFaults
from companion.live.kept_simulated_world import StoredWorld
from companion.live.snapshot import Snapshot

NO_SIGHTS: Mapping[int, Sight] = {}
"""Where nothing is simulated."""
NO_SHOWN: Mapping[str, Any] = {}


class Staged(msgspec.Struct, frozen=True):
    """What the big screen plays."""

    match: int
    entry: int
    """Index of the ruling in the public story."""
    stage: Staging


def staged(snapshot: Snapshot) -> Staged | None:
    """Return what the big screen plays at the end of a unit; None if nothing is news."""
    view = snapshot.views.get(None)
    newest = views.newest(view) if view else None
    if newest is None or not newest.fresh or snapshot.match is None:
        return None
    stage = newest.kind.stage
    return Staged(snapshot.match, newest.entry, stage) if stage and stage.ends_unit else None


class Lately(msgspec.Struct, frozen=True):
    """What the latest moves mean for others."""

    anybodys: Move | None = None
    """The latest move, if it was offered to everybody, and it makes no difference who makes it."""
    overtaken: Mapping[Move, Move] = {}
    """By a move that could be made until somebody else moved: the move that they made."""
    taken_back: frozenset[int] = frozenset()
    """The seats that have not moved since something that they had done unseen was taken back."""

    def after(self, move: Move, sights: Mapping[int, Sight]) -> "Lately":
        """Return what holds after this move: it may take away each move that another seat could make until now.

        What could be made earlier keeps the move that took it away, until its own seat moves; `sights` are those until
        now.
        """
        now_overtaken = {other: move for seat, sight in sights.items() if seat != move.seat for other in sight.moves}
        overtaken = {other: by for other, by in self.overtaken.items() if other.seat != move.seat} | now_overtaken
        return replace(self, overtaken=overtaken, taken_back=self.taken_back - {move.seat})


NOTHING_LATELY = Lately()


class Seen:
    """A snapshot with what every seat knew of its world, and what lay open.

    Where the game's code fails to show a part of its world, that part is empty; a seat without a sight can't move.
    """

    def __init__(
        self,
        kept_and_world: tuple[StoredWorld, Any] | None,
        snapshot: Snapshot,
        faults: GameFaults,
        taken_back: Collection[int] = (),
    ):
        """Work it out; seats in `taken_back` have lost something that they had done unseen."""
        self._now = kept_and_world
        self.snapshot = snapshot
        self.sights = NO_SIGHTS
        self.shown = NO_SHOWN
        self.dealer: int | None = None
        """The seat that has dealt all cards again, until two players have moved since."""
        self.deals: tuple[Move, ...] = ()
        """The moves by which anybody may deal, while nobody can do anything else, as everybody sees."""
        if kept_and_world is None or kept_and_world[0].match != snapshot.match:
            return
        stored_world, world = kept_and_world
        if not stored_world.done:  # nothing is laid out yet
            return
        self.dealer = _latest_dealer(stored_world)
        self.sights = {
            seat: faults.tried(
                stored_world.game,
                "simulated world",
                partial(_sight, stored_world, world, snapshot, seat, seat in taken_back),
                partial(Sight, seat, {}, UNSHOWN, ()),
            )
            for seat in stored_world.seats
        }
        moves = [move for sight in self.sights.values() for move in sight.moves]
        self.deals = tuple(moves) if all(move.what == DEAL for move in moves) else ()
        shows = partial(stored_world.physics.shows, world)
        self.shown = faults.tried(stored_world.game, "simulated world", shows, lambda: dict(NO_SHOWN))

    def is_of(self, kept_and_world: tuple[StoredWorld, Any] | None, snapshot: Snapshot) -> bool:
        """Whether this was worked out from these very objects (by identity, not by content)."""
        return self._now is kept_and_world and self.snapshot is snapshot


def _latest_dealer(stored_world: StoredWorld) -> int | None:
    """Return who has dealt all cards again, if no more than one player has moved since."""
    moved: set[int] = set()
    for done in reversed(stored_world.done):
        if done.move.what == DEAL:
            return done.move.seat
        moved.add(done.move.seat)
        if len(moved) > 1:
            return None
    return None


def _sight(stored_world: StoredWorld, world: Any, snapshot: Snapshot, seat: int, taken_back: bool) -> Sight:
    """Return what a seat knows and can do; nothing while its game fails to show the table."""
    view = snapshot.views[seat]
    table = view["table"]
    stands_still = view["over"] or snapshot.pause is not None or table is UNSHOWN
    moves = () if stands_still else stored_world.physics.can(world, table, seat)
    deals = sum(done.move.what == DEAL for done in stored_world.done)
    return Sight(seat, stored_world.physics.sees(world, seat), table, moves, taken_back, deals)
