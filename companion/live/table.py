"""The live table: what happens is recorded, then judged, then shown, in this order and in one thread.

Theory of operation
-------------------
Sources and pages hand what happened to a `Worker`, and block until it is on disk. Its only thread owns everything that
changes, as one value, `Judging`: the `Recorder` (the log), the match that is `InPlay`, and the `Intake` (who gets what
is sensed, and the state of the devices). So nothing needs a lock, and every question about the match is answered
between two events.

What sources tell goes through the intake: a walk around the table, the stickers or a pause may claim it, else it
becomes an event. All that sources told while the disk was busy is stored in one transaction, then judged. What a person
does is one call on the worker: `act` is handed the match as it stands, returns the events, and they are recorded and
judged before anything else happens; between deciding and doing the match can't move.

What may be seen is published as a `Snapshot`, a frozen value. A page reads only the newest one, so a slow page delays
nobody. A press is shown once no source can tell an earlier one any more (`watermark.py`), or `press_window` seconds
after it happened.

No failure may stop this thread. If the disk fails, the caller gets `NotKept`, and storing is retried once a second. If
a game's code raises, the event is stored all the same, and `GameFaults` keeps the fault.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from companion import games, wall_clock
from companion.devices import sensing
from companion.events import Event, Started
from companion.game import Verdict
from companion.judge.match import Match
from companion.judge.record_file import check_readable, check_started
from companion.live.ailing import KnownAilments
from companion.live.announcement import NextMatch, Players
from companion.live.cards_aloud import Hearing
from companion.live.judging import BeingPlayed, Judging, Plan
from companion.live.pause import Why
from companion.live.snapshot import Overtaken, Snapshot
from companion.live.worker import Worker
from companion.storage import dating
from companion.storage.ailments import AilmentCode, Remedy
from companion.storage.decisions import Decided
from companion.storage.entries import Entry, Played
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.tags.enrolment_session import Enrolment, Stickers

T = TypeVar("T")
Options = dict[str, Any]


class Live:
    """A table in play. Every method may be called from any thread."""

    def __init__(
        self,
        log: Log,
        clock: sensing.Clock,
        decks: Decks,
        *,
        simulated: bool = False,
        press_window: float = 0.0,
        apart: float = 0.0,
        buttons: Collection[str] | None = None,
    ):
        """Go on with the log's last match.

        `press_window` are the seconds during which an earlier press may still arrive, `buttons` are the names of all
        sources that may tell one (None: not known); this table's buttons can't tell presses closer than `apart`
        (seconds) apart.
        """
        self.clock = clock
        self.ailing = KnownAilments(lambda: self._then_show(lambda: None))
        self._apart = apart
        self._judging = Judging(
            log, clock, decks, simulated=simulated, press_window=press_window, buttons=buttons, ailing=self.ailing
        )
        self.faults = self._judging.faults
        self._worker = Worker(self._judging.take, self._judging.do_what_is_due, self._judging.due)

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot, a frozen value."""
        return self._judging.snapshot

    @snapshot.setter
    def snapshot(self, snapshot: Snapshot) -> None:
        """Replace the snapshot: tests of pages show states that no match has reached."""
        self._judging.snapshot = snapshot

    @property
    def kept_in(self) -> Path:
        """The log's path; readers open the file themselves."""
        return self._judging.recorder.path

    def start(self) -> None:
        """Begin to take events."""
        self._judging.on_since = self.clock()
        self._judging.note_faults()  # faults of resuming the match; the judge may rest for long before its first round
        self._worker.start()

    def stop(self) -> None:
        """Finish what is in the queue, then stop."""
        self._worker.stop()

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` (must be quick, comes from another thread) whenever there is a new snapshot."""
        self._judging.watchers.append(changed)

    def withhold_while(self, walking: Callable[[], bool]) -> None:
        """Withhold presses and cards from the match while `walking()` returns true."""
        self._judging.intake.walking = walking

    def withhold_cards(self, is_club_card: Callable[[str, str], bool], show: Callable[[str, str], None]) -> None:
        """Withhold a tag that is on no game's card from the match if `is_club_card(place, uid)`, and call
        `show(place, uid)` once. Both are called in the judge's thread.
        """
        self._judging.intake.is_club_card = is_club_card
        self._judging.intake.show_club_card = show

    def ask_who_plays_next(self, next_match: NextMatch) -> None:
        """Ask `next_match` who plays a match that is begun by a press; it is called in the judge's thread."""
        self._judging.announcing.next_match = next_match

    def tell(self, *sensings: sensing.Sensing) -> None:
        """Accept what drivers sense; return when it is on disk. Raises `NotKept`."""
        self._worker.tell(sensings)

    def act(self, plan: Plan, origin: str = "") -> tuple[Verdict, ...]:
        """Enter the events that `plan` returns for the match as it stands, in one step, and return the verdicts.

        `origin` identifies an act for ever: one that is already in the log is not entered again. In a break the first
        event must be a retraction; after an early end nothing is entered. Raises what `plan` raises, `NoMatch`,
        `Paused`, `NotKept`, and `WrongInput` for a retraction of an event that does not exist.
        """
        with self._judging.watermark.entering() as (act, at):
            return self.ask_any(lambda: self._judging.enter(act, plan, at, origin))

    def enter(self, *events: Event) -> tuple[Verdict, ...]:
        """Enter these events, whose `seq` and `at` are filled in; returns and raises as `act` does."""
        return self.act(lambda _, at: tuple(replace(event, at=at) for event in events))

    def act_afterwards(self, number: int, plan: Plan, names: Collection[str], origin: str = "") -> tuple[Verdict, ...]:
        """Enter the events that `plan` returns for a match that is over or was ended, as the people `names` decided.

        They are dated after the match's last act, whenever they are entered. For a match that is being played it does
        what `act` does. Returns and raises as `act` does; also raises `NotInLog`.
        """
        return self._then_show(lambda: self._judging.act_afterwards(number, plan, names, origin))

    def ask_about(self, number: int, question: Callable[[Match], T]) -> T:
        """Return the answer to a question about a past match. Raises `NotInLog`."""
        return self.ask_any(lambda: question(self._judging.opened(number).match))

    def entry(self, number: int) -> Entry | None:
        """Return a match's entry in the log; None if there is none that can be read."""
        return self.ask_any(lambda: self._judging.recorder.entry(number))

    def leave_out(self, number: int, names: Collection[str]) -> None:
        """Have a match count nowhere from now on, as these people have decided. Raises `BeingPlayed`, `NotKept`."""
        self._then_show(lambda: self._judging.decide(number, Decided.LEFT_OUT, names))

    def count_again(self, number: int, names: Collection[str]) -> None:
        """Have a match that was left out count again. Raises as `leave_out` does."""
        self._then_show(lambda: self._judging.decide(number, Decided.COUNTS, names))

    def take_up(self, number: int, names: Collection[str]) -> None:
        """Bring a match that is not over back to the table, and go on with it, as these people have decided.

        Raises `BeingPlayed` if people play another, `Paused` if it has ended for good, `NotInLog`, and `NotKept`.
        """
        self._then_show(lambda: self._judging.take_up(number, names))

    def try_to_store(self) -> None:
        """Make a test write. If it succeeds, an event that could not be stored before is not on disk after all. Raises
        `NotKept`.
        """
        self.ask_any(self._judging.recorder.try_to_store)

    def has_entered(self, origin: str) -> bool:
        """Whether an act of this origin is in the log. Raises `NotKept`."""
        return self.ask_any(lambda: self._judging.recorder.holds(origin))

    def pause(self, why: Why, upon: Snapshot | None = None) -> None:
        """Accept no act from now on: people take a break, or end the match early.

        `upon` is what they saw when they decided. Raises `NoMatch`, `NotKept`, and `Overtaken` if another match is in
        play now.
        """

        def paused() -> None:
            if upon is not None and self.snapshot.open_to(why) != upon.open_to(why):
                raise Overtaken("another match is in play, or none")
            self._judging.rest(why)

        self._then_show(paused)

    def close(self, numbers: Collection[int]) -> None:
        """End these matches for good, none of which is played: what is sealed in them leaves the table.

        Raises `BeingPlayed` and `NotKept`.
        """

        def closed() -> None:
            played = self._judging.played
            for number in numbers:
                on_table = played if played is not None and played.number == number else None
                if on_table is not None and not on_table.is_stopped:
                    raise BeingPlayed(f"match {number} is being played")
                self._judging.recorder.close_match(number, self.clock())
                if on_table is not None and not on_table.match.over:
                    on_table.pause.begin(Why.CLOSED)

        self._then_show(closed)

    def go_on(self) -> None:
        """Accept acts again. Raises `NotKept`, and `Paused` if the match has ended for good."""
        self._then_show(self._judging.go_on)

    def object_to(self, announcement: int) -> bool:
        """Object to what is announced, as a press does; return whether it was announced still."""
        return self._then_show(lambda: self._judging.announcing.object_to(announcement))

    @property
    def local_time(self) -> str:
        """What time it is here, in ISO 8601; "" while nobody knows."""
        return dating.now_by(self.snapshot.clock, wall_clock.read())

    def tell_the_time(self, when: datetime) -> None:
        """Take the local time from the host; it dates everything from the start of the machine to its end."""
        self._then_show(lambda: self._judging.recorder.tell_the_time(when))

    def listen(self, act: Callable[[Hearing], None]) -> None:
        """Change which seats hear their cards, between two events, and publish that. Raises `NoMatch`."""
        self._then_show(lambda: act(self._judging.playing().hearing))

    def begin(self, game: str, players: Players, options: Options, upon: Snapshot | None = None) -> int:
        """Start a match and return its number.

        `upon` is what people saw when they decided to. Raises `WrongInput` if it can't be played like that, `NotKept`,
        and `Overtaken` if people now play a match that was not in play then: it is not taken from them.
        """
        return self._begun(
            game, players, options, Played.SIMULATED if self._judging.simulated else Played.BY_HAND, upon
        )

    def begin_dealt(self, game: str, players: Players, options: Options, upon: Snapshot | None = None) -> int:
        """Start a match whose cards the table itself deals and reads; returns and raises as `begin` does."""
        return self._begun(game, players, options, Played.DEALT, upon)

    def begin_demo(self, game: str, players: Players, options: Options, upon: Snapshot | None = None) -> int:
        """Start a match that plays itself, which counts for nobody; returns and raises as `begin` does."""
        return self._begun(game, players, options, Played.BY_ITSELF, upon)

    def begin_try(self, game: str, players: Players, options: Options, upon: Snapshot | None = None) -> int:
        """Start a match of invented people, which counts for nobody either; returns and raises as `begin` does."""
        return self._begun(game, players, options, Played.TRIED, upon)

    def _begun(self, game: str, players: Players, options: Options, played: Played, upon: Snapshot | None) -> int:
        started = Started(1, round(self.clock(), 6), game, players, options)
        wished = check_started(started)
        brought = games.known()[game]
        # A dead heat is never finer than what the buttons can tell apart.
        if brought.dead_heat and brought.dead_heat_in(wished) < self._apart:
            started = replace(started, options={**options, brought.dead_heat: self._apart})
        check_readable(started)
        number = self.ask_any(lambda: self._judging.begin(started, played, upon))
        self.ailing.forget(AilmentCode.HANDS_LOST)  # that was another match
        return number

    def next_number(self) -> int:
        """Return the number that the next match gets. Raises `NotKept`."""
        return self.ask_any(self._judging.recorder.next_number)

    def ask(self, question: Callable[[Match], T]) -> T:
        """Return the answer to a question about the match, asked between two events. Raises `NoMatch`."""
        return self.ask_any(lambda: question(self._judging.playing().match))

    def look(self, question: Callable[[Match | None], T]) -> T:
        """Ask as `ask` does; without a match the question is called with None."""
        return self.ask_any(lambda: question(self._judging.played.match if self._judging.played is not None else None))

    def ask_any(self, call: Callable[[], T]) -> T:
        """Run `call` between two events."""
        return self._worker.ask(call)

    def enrol(self, act: Callable[[Enrolment], None]) -> Stickers:
        """Change the enrolling between two events, and show that. Raises what `act` raises."""

        def enrolled() -> Stickers:
            act(self._judging.enrolment)
            return self._judging.enrolment.shown

        try:
            return self._then_show(enrolled)
        finally:
            self._tell_of_stickers()

    def cure_stickers(self, remedy: Remedy) -> None:
        """Bring the stickers back, or go on without those that are lacking, between two events. Raises `TagsFault`."""
        self._then_show(lambda: self._judging.enrolment.cure(remedy))
        self._tell_of_stickers()

    def _tell_of_stickers(self) -> None:
        """Publish what ails the stickers' file: it may have been cut short, or cured, since it was last read."""
        ailment = self.ask_any(self._judging.enrolment.ailment)
        for code in (AilmentCode.STICKERS_LOST, AilmentCode.STICKERS_WRONG, AilmentCode.STICKERS_FEWER):
            if ailment is None or code is not ailment.code:
                self.ailing.forget(code)
        if ailment is not None:
            self.ailing.note(ailment)

    def _then_show(self, call: Callable[[], T]) -> T:
        """Run `call` between two events, and publish a snapshot, even if it raised."""

        def done() -> T:
            try:
                return call()
            finally:
                self._judging.show()

        return self.ask_any(done)
