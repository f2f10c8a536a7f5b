"""A simulated table: it knows what lies where, and tells the live table what readers, buzzers and people would.

The world of the match in play is its game's (`companion/game/simulated_world.py`). It is written down before the log
has its match, and every move before it is told, so that the world can be rebuilt after a restart
(`companion/live/kept_simulated_world.py`). A move that was never told is dropped; the deal is told later.
Chance comes from the seed and a move's number, so drawing again after taking back brings the same card.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from msgspec.structs import replace

from companion import games
from companion.acts.putting_right import move_behind, moves_told
from companion.acts.table import DealtThings
from companion.errors import NotKept, NotNow
from companion.events import Event, Player, Retracted
from companion.game import Verdict
from companion.game.simulated_world import SETTING_UP, Move, Sight, Strength
from companion.judge.match import Match
from companion.live import kept_simulated_world, simulated_world_file
from companion.live.judging import Plan
from companion.live.kept_simulated_world import Done, StoredWorld, WorldFault, made_again, played, untold
from companion.live.pause import Paused, Why
from companion.live.simulated_sensors import SimulatedSensors
from companion.live.simulated_sights import NOTHING_LATELY, Lately, Seen, Staged, staged
from companion.live.simulated_world_file import WorldFile
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.storage import files
from companion.storage.ailments import Ailment, AilmentCode

NO_BOTS: Mapping[int, Strength] = {}
NOTHING_CHOSEN: Mapping[int, str] = {}
NO_OPTIONS: Mapping[str, Any] = {}

_journal = logging.getLogger(__name__)


class NotPossible(NotNow):
    """The move can't be made, or no longer can."""


class Simulation:
    """The world of the match in play. Every method may be called from any thread but the judge's."""

    def __init__(self, live: Live, seed: Callable[[], str] = secrets.token_hex):
        """Play on this table; `seed` returns a new seed for every match."""
        self._live = live
        self.faults = live.faults
        self._seed = seed
        self._file = WorldFile(files.world_of(live.kept_in))
        self._lock = threading.Lock()
        self._watchers: list[Callable[[], None]] = []
        self._sensors = SimulatedSensors(live)
        self._now: tuple[StoredWorld, Any] | None = None
        """What is kept, and the world that follows from it."""
        self._stays = 0
        self._read: Staged | None = None
        """The count that somebody has read."""
        self.lately = NOTHING_LATELY
        """What the latest moves mean for others."""
        self._is_dealt = False
        """Whether the log has all that was laid out, as far as that can be."""
        self.asked_until: Callable[[], float] = lambda: 0.0
        """Returns until when (monotonic seconds) bots wait because people are asked about a move; 0: they do not."""
        self._ears: frozenset[int] = frozenset()
        """The seats of which the pages say that somebody plays there by ear."""
        self._turn = 0
        """Odd while a move is told."""
        self._seen = Seen(None, live.snapshot, live.faults)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` (must be quick) whenever something in the world changes."""
        self._watchers.append(changed)

    def resume(self) -> None:
        """Go on with the world that was kept, if its match is the one on the table.

        If it can't be used, the match is ended, and pages and journal say why; people can go on with it by hand.
        """
        with self._lock:
            try:
                resumed = self._resumed()
                if resumed is None:
                    return
                self._now = resumed
                self._stays = self._laid_out()
                self._is_dealt = False
                with suppress(NotKept, Paused):  # later, then
                    self._deal()
            except (WorldFault, NotPossible) as wrong:
                self._now = None
                if self._live.snapshot.under_way is not None and not self._live.snapshot.demo:
                    says = f"match {self._live.snapshot.match} is ended, as nobody knows its hands: {wrong}"
                    self._live.ailing.note(Ailment(AilmentCode.HANDS_LOST, says))
                    with suppress(NotKept):  # the next start finds the same world, and tries again
                        self._live.pause(Why.ENDED)
        self._changed()

    def _resumed(self) -> tuple[StoredWorld, Any] | None:
        stored_world = simulated_world_file.read(self._file.path, self._live.snapshot.match)
        if stored_world is None:
            return None
        about = self._live.ask(lambda match: (match.started.game, match.seats, tuple(match.events)))
        return made_again(stored_world, *about) if kept_simulated_world.is_of(stored_world, *about) else None

    @property
    def playing(self) -> StoredWorld | None:
        """What is kept of the world of the match on the table; None if it has no world."""
        kept_and_world = self._now  # read once: another thread may replace it
        if kept_and_world is None:
            return None
        stored_world, _ = kept_and_world
        return stored_world if stored_world.match == self._live.snapshot.match else None

    def begin(
        self,
        slug: str,
        players: tuple[Player, ...],
        bots: Mapping[int, Strength],
        chosen: Mapping[int, str] = NOTHING_CHOSEN,
        upon: Snapshot | None = None,
        options: Mapping[str, Any] = NO_OPTIONS,
    ) -> int:
        """Start a match, lay everything out and return its number; `chosen`: players' colours, by seat. The rest, and
        what is raised, is as in `Live.begin`.
        """
        physics = games.known()[slug].physics
        if physics is None:
            raise NotPossible(f"{slug} has no simulated things")
        seats = tuple(player.seat for player in players)
        with self._lock:
            strength = next(iter(bots.values()), self._now[0].strength if self._now else "easy")
            stored_world = StoredWorld(0, slug, seats, self._seed(), dict(bots), dict(chosen), strength=strength)
            with self._played_by(slug):
                world = stored_world.dealt()
            stored_world = replace(stored_world, match=self._live.next_number())
            with self._file.prepared(stored_world):
                number = self._live.begin_dealt(slug, players, {**options, **physics.options}, upon)
            self._sensors.clear()
            self._seen = Seen(None, self._live.snapshot, self.faults)
            self.lately = NOTHING_LATELY
            self._now = replace(stored_world, match=number), world
            self._is_dealt = False
            with suppress(NotKept, Paused):  # later, then: the match has begun
                self._deal()
        self._changed()
        return number

    def deal(self) -> None:
        """Lay out, or tell to its end, what a fault has kept from that. Raises `NotPossible` and `NotKept`."""
        if not self._is_dealt:
            with self._lock:
                self._deal()

    @property
    def stays(self) -> int:
        """How many entries of the public story are about the deal, which is never dealt again."""
        return self._stays if self.playing else 0

    @property
    def seen(self) -> Seen:
        """What pages show: the same value until something changes; while a move is told, as before it.

        What a page says of the world comes from here alone, or it would show half a move.
        """
        turn = self._turn
        kept_and_world = self._now
        snapshot = self._live.snapshot
        if not self._seen.is_of(kept_and_world, snapshot) and not turn % 2 and turn == self._turn:
            self._seen = Seen(kept_and_world, snapshot, self.faults, self.lately.taken_back)
        return self._seen

    @property
    def sights(self) -> Mapping[int, Sight]:
        """What every seat knows and can do."""
        return self.seen.sights

    @property
    def bots(self) -> Mapping[int, Strength]:
        """Which seats bots play in the match on the table."""
        return self.playing.bots if self.playing else NO_BOTS

    @property
    def staged(self) -> Staged | None:
        """What the big screen plays at the end of a unit; None if nothing is news."""
        return staged(self.seen.snapshot) if self.playing else None

    @property
    def reads(self) -> bool:
        """Whether people are reading a count and it is up to a bot to go on: it waits until somebody has read it."""
        staged = self.staged
        if staged is None or not staged.stage.is_read or staged == self._read:
            return False
        able = {seat for seat, sight in self.sights.items() if sight.moves}
        return bool(able) and able <= self.bots.keys()

    def have_read(self) -> None:
        """Let the bots go on: somebody has read the count."""
        self._read = self.staged
        self._changed()

    def play(self, move: Move) -> None:
        """Make a move. Raises `NotPossible`, `Paused` and `NotKept`."""
        with self._lock:
            why = self._live.snapshot.pause
            if why is not None:
                raise Paused(why)
            sight = self.sights.get(move.seat)
            if sight is None or move not in sight.moves:
                raise NotPossible("this can't be done now")
            everybody = all(replace(move, seat=seat) in other_sight.moves for seat, other_sight in self.sights.items())
            self._do(move)
            is_anybodys = everybody and not (move.is_raced_for or move.takes)
            self.lately = replace(self.lately, anybodys=move if is_anybodys else None)

    def take_over(self, seat: int) -> None:
        """Have a person play for this seat, as the phones' rights say. Raises `NotPossible` if no bot plays it."""
        with self._lock:
            stored_world = self.playing
            if stored_world is None or seat not in stored_world.bots or self._now is None:
                raise NotPossible("no bot plays there")
            self._go_on_with(
                replace(
                    stored_world, bots={bot: strength for bot, strength in stored_world.bots.items() if bot != seat}
                )
            )
        self._changed()

    def hand_over(self, seat: int) -> None:
        """Have a bot play for this seat, as well as the others here. Raises `NotPossible` if nobody is to replace."""
        with self._lock:
            stored_world = self.playing
            if stored_world is None or not self.is_a_persons(seat):
                raise NotPossible("no person plays there")
            self._go_on_with(replace(stored_world, bots={**stored_world.bots, seat: stored_world.strength}))
        self._changed()

    def is_a_persons(self, seat: int) -> bool:
        """Whether somebody plays there for whom a bot could play on."""
        return self.playing is not None and seat in self.sights and seat not in self.playing.bots

    def follow(self, held: Collection[int], left: Collection[int]) -> None:
        """Have people play the seats that phones hold, and bots those that their players have left: the phones' rights
        are stored first, and the world may lack what came last.
        """
        for seat in self.bots.keys() & set(held):
            self.take_over(seat)
        for seat in set(left).difference(held):
            if self.is_a_persons(seat):
                self.hand_over(seat)

    def look(self) -> None:
        """Have whoever watches look again: people are asked about something else, or nothing any more."""
        self._changed()

    def plays_by_ear(self, seat: int, *, is_by_ear: bool) -> None:
        """Note whether this seat's player listens instead of looking."""
        with self._lock:
            earlier = self._ears
            self._ears = earlier | {seat} if is_by_ear else earlier - {seat}
        if self._ears != earlier:
            self._changed()

    @property
    def by_ear(self) -> frozenset[int]:
        """The seats of people who play the match on the table by ear: bots wait for them."""
        return frozenset(seat for seat in self._ears if self.is_a_persons(seat))

    @property
    def dealt(self) -> DealtThings | None:
        """The world of the match on the table, as far as it decides who may take back what; None: it has no world."""
        stored_world = self.playing
        return stored_world.things(self._stays) if stored_world else None

    def take_back(self, plan: Plan, origin: str = "") -> tuple[Verdict, ...]:
        """Enter what `plan` makes of the match, as `Live.act` does: with what it takes back, the world goes back, too.

        Whoever made another move since, of which nobody was told, sees that it is gone.
        """
        taken_back: list[int] = []
        told_numbers: set[int] = set()
        with self._lock:
            dealt = self.dealt

            def watched(match: Match, at: float) -> Sequence[Event]:
                events = plan(match, at)
                taken_back.extend(event.target for event in events if isinstance(event, Retracted))
                if dealt is not None and taken_back:
                    told_numbers.update(moves_told(dealt, match, move_behind(dealt.moves, min(taken_back))))
                return events

            with self._telling():
                # Told before it is written: what the log has taken back is not made again after a restart.
                verdicts = self._live.act(watched, origin)
                stored_world = self.playing
                if stored_world is not None and dealt is not None and taken_back:
                    first = move_behind(dealt.moves, min(taken_back))
                    former_world = replace(stored_world, done=stored_world.done[:first])
                    self._now = former_world, played(former_world)
                    self._go_on_with(former_world)
                    unheard = set(range(first + 1, len(dealt.moves))) - told_numbers
                    self.lately = Lately(taken_back=frozenset(dealt.moves[number].seat for number in unheard))
        return verdicts

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Mark a move as under way, so that pages wait for its end, however it ends."""
        self._turn += 1
        try:
            yield
        finally:
            self._turn += 1
            self._changed()

    @contextmanager
    def _played_by(self, slug: str) -> Iterator[None]:
        """Raise `NotPossible` if the code of this game fails, and keep the fault."""
        try:
            yield
        except Exception as wrong:
            self.faults.keep(slug, "simulated world", wrong)
            raise NotPossible(f"a fault in the code of {slug} ({type(wrong).__name__})") from wrong

    def _deal(self) -> None:
        """Lay everything out, or tell the rest of the latest move, unless the log has all; in a break that waits."""
        stored_world = self.playing
        if self._is_dealt or stored_world is None or self._live.snapshot.pause is not None:
            return
        self._is_dealt = True
        try:
            if not stored_world.done:
                self._do(SETTING_UP)
            else:
                with self._telling():
                    events_left = self._live.ask(lambda match: untold(stored_world, match.events))
                    self._sensors.tell(stored_world.game, events_left, bots=self.bots)
        except (NotKept, Paused):
            self._is_dealt = False
            raise
        self._stays = self._laid_out()

    def _do(self, move: Move) -> None:
        with self._telling():
            self._make(move)

    def _make(self, move: Move) -> None:
        """Write a move down, then tell it; raise if nothing of it was heard."""
        assert self._now is not None
        stored_world, world = self._now
        with self._played_by(stored_world.game):
            world_after, events = stored_world.physics.do(world, move, stored_world.chance(len(stored_world.done)))
        events_before = self._live.ask(lambda match: len(match.events))
        self._keep(replace(stored_world, done=(*stored_world.done, Done(move, events_before))))
        try:
            self._sensors.tell(stored_world.game, events, bots=self.bots)
        except Exception:
            if not self._heard_since(events_before):
                self._go_on_with(stored_world)
                raise
            _journal.exception("A part of a move was heard, so it was made; the rest is told later")
            self._is_dealt = False
        if events and not self._heard_since(events_before):
            self._go_on_with(stored_world)
            raise NotPossible("the table did not hear of it")
        self.lately = self.lately.after(move, self._seen.sights)  # seen as before the move
        self._now = self._now[0], world_after

    def _go_on_with(self, stored_world: StoredWorld) -> None:
        """Go on with this much of the world: without what was not heard, or is taken back, or with other bots.

        If that can't be written, the next move writes it, or the next start finds it out.
        """
        assert self._now is not None
        self._now = stored_world, self._now[1]
        with suppress(NotKept):
            self._keep(stored_world)

    def _laid_out(self) -> int:
        since = self._now[0].done[1:] if self._now is not None else ()
        end = since[0].before if since else None
        return self._live.ask(lambda match: sum(end is None or verdict.seq <= end for verdict in match.public))

    def _heard_since(self, events_before: int) -> bool:
        return self._live.ask(lambda match: bool(kept_simulated_world.acts(match.events[events_before:])))

    def _keep(self, stored_world: StoredWorld) -> None:
        assert self._now is not None
        self._file.keep(stored_world)
        self._now = stored_world, self._now[1]

    def _changed(self) -> None:
        for changed in self._watchers:
            changed()
