"""The live table: what happens is recorded, then judged, then shown, in this order and in one thread.

Theory of operation
-------------------
Sources and pages bring what happened to a `Worker`, and wait until it is on disk. Its one thread owns everything that
changes: the `Recorder` (the log), the match that is `InPlay`, and the `Intake` (who gets what is sensed, and the state
of the devices). So nothing here needs a lock, and whatever is asked about the match is answered between two events.

What sources tell goes through the intake: a walk around the table, the stickers or a pause may claim it, else it
becomes an event. All that sources told while the disk was busy is stored in one transaction, then judged. What a person
does is one call on the worker: `act` is handed the match as it stands, returns the events, and they are recorded and
judged before anything else happens; between deciding and doing the match can't move.

What may be seen is published as a `Snapshot`, a frozen value; a page looks at the newest one only, so that a slow one
costs nobody anything. A press is shown once no source can tell an earlier one any more (`watermark.py`), or `hold`
seconds after it happened.

Nothing that goes wrong may stop this thread. If the disk fails, whoever waits is told (`NotKept`), and it is tried
again once a second. If a game's code raises, the event is stored all the same, and `GameFaults` keeps the fault.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from companion import wall_clock
from companion.devices import sensing
from companion.errors import NotKept, NotNow, WrongInput
from companion.events import Elapsed, Event, Pressed, Retracted, Started
from companion.game import Verdict
from companion.judge.game_code_fault import fault_of
from companion.judge.match import Match
from companion.judge.record_file import check_readable, check_started
from companion.live.ailing import KnownAilments
from companion.live.announcement import Announcing, NextMatch, Players
from companion.live.cards_aloud import Hearing
from companion.live.entered_beside import count_where_laid_last, with_meanings
from companion.live.game_code_faults import GameFaults
from companion.live.in_play import InPlay, taken_up
from companion.live.intake import Claim, Intake, Stored
from companion.live.intents import Deed, GoOn
from companion.live.past_match import end_of, opened
from companion.live.pause import Paused, Why
from companion.live.recorder import Recorder
from companion.live.snapshot import Overtaken, Snapshot, snapshot_of
from companion.live.watermark import HeldBack, Watermark
from companion.live.worker import Sensed, Worker
from companion.storage import dating
from companion.storage.ailments import AilmentCode, Remedy
from companion.storage.decisions import Decided
from companion.storage.entries import NOBODYS, Played
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.tags.enrolment_session import Enrolment, Stickers

LOOKS_AT_LEAST = 60.0
"""Seconds between two checks for what may have run out, even if nothing is due."""

T = TypeVar("T")
Options = dict[str, Any]
Plan = Callable[[Match, float], Sequence[Event]]
"""(the match, the time in seconds) → what to enter, with `seq` 0. Whatever it raises reaches whoever acts."""


class NoMatch(NotNow):
    """Nothing can be entered: no match has been started."""


class BeingPlayed(NotNow):
    """People are playing a match."""


class Live:
    """A table in play. Every method may be called from any thread."""

    def __init__(
        self,
        log: Log,
        clock: sensing.Clock,
        decks: Decks,
        *,
        simulated: bool = False,
        hold: float = 0.0,
        apart: float = 0.0,
        buttons: Collection[str] | None = None,
    ):
        """Go on with the log's last match.

        `hold` is how long (seconds) an earlier press may still be learned of, `buttons` are the names of all sources
        that may tell one (None: not known); this table's buttons can't tell presses closer than `apart` (seconds)
        apart.
        """
        self.clock = clock
        self.faults = GameFaults(log.path)
        self.ailing = KnownAilments(lambda: self._then_show(lambda: None))
        self._simulated = simulated
        self._hold = hold
        self._apart = apart
        self._recorder = Recorder(log, clock)
        self._enrolment = Enrolment(decks, clock, sealed=self._sealed)
        self._announcing = Announcing(clock, self._do)
        self._intake = Intake(self._enrolment, decks, self._recorder.holds)
        self._on_since = clock()
        self._intake.is_about_next_match = lambda press: self._announcing.claims(press, self._played)
        self._intake.announce = lambda press: self._announcing.take(press, self._playing())
        self._intake.act_by_card = lambda card, seat: self._announcing.take_card(card, seat, self._playing())
        self._watchers: list[Callable[[], None]] = []
        self._watermark = Watermark(clock, buttons)
        self._held_back = HeldBack(self._watermark, clock, hold)
        self._played = taken_up(self._recorder, clock, self.faults)
        self._past_changes = 0
        self._show()
        self._worker = Worker(self._take, self._between, self._due)

    @property
    def kept_in(self) -> Path:
        """The log's path; whoever reads it does so beside this table, and never through it."""
        return self._recorder.path

    def start(self) -> None:
        """Begin to take events."""
        self._on_since = self.clock()
        self._note_faults()  # for the first look; the judge may rest for long before its next
        self._worker.start()

    def stop(self) -> None:
        """Finish what is in the queue, then stop."""
        self._worker.stop()

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` (must be quick, comes from another thread) whenever there is a new snapshot."""
        self._watchers.append(changed)

    def withhold_while(self, walking: Callable[[], bool]) -> None:
        """Withhold presses and cards from the match while `walking()`: somebody is walking around the table."""
        self._intake.walking = walking

    def withhold_cards(self, is_club_card: Callable[[str, str], bool], show: Callable[[str, str], None]) -> None:
        """Withhold a tag from the match if `is_club_card(place, uid)`, and no game's; then `show(place, uid)`, once.

        Both are called in the judge's thread.
        """
        self._intake.is_club_card = is_club_card
        self._intake.show_club_card = show

    def ask_who_plays_next(self, next_match: NextMatch) -> None:
        """Have the next match, where people begin it by a press, played by whom this says. It is asked in the judge's
        thread.
        """
        self._announcing.next_match = next_match

    def tell(self, *sensings: sensing.Sensing) -> None:
        """Accept what drivers sense; return when it is on disk. Raises `NotKept`."""
        self._worker.tell(sensings)

    def act(self, plan: Plan, origin: str = "") -> tuple[Verdict, ...]:
        """Enter what `plan` makes of the match as it stands, in one go, and return the verdicts.

        `origin` names an act for good: one that is already in the log is not entered again. In a break only what begins
        by taking something back is entered, and nothing once people have ended the match. Raises what `plan` raises,
        `NoMatch`, `Paused`, `NotKept`, and `WrongInput` for a retraction of what is not there.
        """
        with self._watermark.entering() as (act, now):
            return self.ask_any(lambda: self._entered(act, plan, now, origin))

    def enter(self, *events: Event) -> tuple[Verdict, ...]:
        """Enter these events, whose `seq` and `at` are filled in; returns and raises as `act` does."""
        return self.act(lambda _, now: tuple(replace(event, at=now) for event in events))

    def act_afterwards(self, number: int, plan: Plan, names: Collection[str], origin: str = "") -> tuple[Verdict, ...]:
        """Enter what `plan` makes of a match of the log that is over or was ended; these people have decided to.

        Acts follow the match's last one, whenever they are entered. A match that is being played takes them as `act`
        does. Returns and raises as `act` does; also raises `NotInLog`.
        """
        return self._then_show(lambda: self._act_afterwards(number, plan, names, origin))

    def ask_about(self, number: int, question: Callable[[Match], T]) -> T:
        """Return the answer to a question about a match of the log. Raises `NotInLog`."""
        return self.ask_any(lambda: question(self._opened(number).match))

    def leave_out(self, number: int, names: Collection[str]) -> None:
        """Have a match count nowhere from now on, as these people have decided. Raises `BeingPlayed`, `NotKept`."""
        self._then_show(lambda: self._decide(number, Decided.LEFT_OUT, names))

    def count_again(self, number: int, names: Collection[str]) -> None:
        """Have a match that was left out count again. Raises as `leave_out` does."""
        self._then_show(lambda: self._decide(number, Decided.COUNTS, names))

    def take_up(self, number: int, names: Collection[str]) -> None:
        """Bring a match that is not over back to the table, and go on with it, as these people have decided.

        Raises `BeingPlayed` if people play another, `Paused` if it has ended for good, `NotInLog`, and `NotKept`.
        """
        self._then_show(lambda: self._take_up(number, names))

    def has_entered(self, origin: str) -> bool:
        """Whether an act of this origin is in the log. Raises `NotKept`."""
        return self.ask_any(lambda: self._recorder.holds(origin))

    def pause(self, why: Why, upon: Snapshot | None = None) -> None:
        """Accept no act from now on: people take a break, or end the match early.

        `upon` is what they saw when they decided. Raises `NoMatch`, `NotKept`, and `Overtaken` if another match is in
        play now.
        """

        def paused() -> None:
            if upon is not None and self.snapshot.open_to(why) != upon.open_to(why):
                raise Overtaken("another match is in play, or none")
            self._rest(why)

        self._then_show(paused)

    def close(self, numbers: Collection[int]) -> None:
        """End these matches for good, none of which is played: what is sealed in them leaves the table.

        Raises `BeingPlayed` and `NotKept`.
        """

        def closed() -> None:
            played = self._played
            for number in numbers:
                on_table = played if played is not None and played.number == number else None
                if on_table is not None and not on_table.is_stopped:
                    raise BeingPlayed(f"match {number} is being played")
                self._recorder.close_match(number, self.clock())
                if on_table is not None and not on_table.match.over:
                    on_table.pause.begin(Why.CLOSED)

        self._then_show(closed)

    def go_on(self) -> None:
        """Accept acts again. Raises `NotKept`, and `Paused` if the match has ended for good."""
        self._then_show(self._go_on)

    def object_to(self, announcement: int) -> bool:
        """Object to what is announced, as a press does; return whether it was announced still."""
        return self._then_show(lambda: self._announcing.object_to(announcement))

    def _rest(self, why: Why) -> None:
        if self.snapshot.pause is Why.CLOSED:
            return
        played = self._playing()
        self._recorder.pause(played.number, self.clock(), why.value)
        played.pause.begin(why)

    def _go_on(self) -> None:
        played = self._played
        if played is None or played.pause.why is None:
            return
        if played.pause.why is Why.CLOSED:
            raise Paused(Why.CLOSED)
        self._recorder.pause(played.number, self.clock(), "")
        played.go_on()

    @property
    def local_time(self) -> str:
        """What time it is here, in ISO 8601; "" while nobody knows."""
        return dating.now_by(self.snapshot.clock, wall_clock.read())

    def tell_the_time(self, when: datetime) -> None:
        """Take the time from the host, in local time, for all that was and will be played until the machine stops."""
        self._then_show(lambda: self._recorder.tell_the_time(when))

    def listen(self, act: Callable[[Hearing], None]) -> None:
        """Have seats hear their cards, or play again, between two events, and show that. Raises `NoMatch`."""
        self._then_show(lambda: act(self._playing().hearing))

    def begin(self, game: str, players: Players, options: Options, upon: Snapshot | None = None) -> int:
        """Start a match and return its number.

        `upon` is what people saw when they decided to. Raises `WrongInput` if it can't be played like that, `NotKept`,
        and `Overtaken` if people now play a match that was not in play then: it is not taken from them.
        """
        return self._begun(game, players, options, Played.SIMULATED if self._simulated else Played.BY_HAND, upon)

    def begin_demo(self, game: str, players: Players, options: Options, upon: Snapshot | None = None) -> int:
        """Start a match that plays itself, which counts for nobody; returns and raises as `begin` does."""
        return self._begun(game, players, options, Played.BY_ITSELF, upon)

    def begin_try(self, game: str, players: Players, options: Options, upon: Snapshot | None = None) -> int:
        """Start a match of invented people, which counts for nobody either; returns and raises as `begin` does."""
        return self._begun(game, players, options, Played.TRIED, upon)

    def _begun(self, game: str, players: Players, options: Options, played: Played, upon: Snapshot | None) -> int:
        started = Started(1, round(self.clock(), 6), game, players, options)
        wished = check_started(started)
        if getattr(wished, "tie_window", self._apart) < self._apart:  # a dead heat is never finer than the buttons
            started = replace(started, options={**options, "tie_window": self._apart})
        check_readable(started)
        return self.ask_any(lambda: self._begin(started, played, upon))

    def ask(self, question: Callable[[Match], T]) -> T:
        """Return the answer to a question about the match, asked between two events. Raises `NoMatch`."""
        return self.ask_any(lambda: question(self._playing().match))

    def look(self, question: Callable[[Match | None], T]) -> T:
        """Likewise ask about the match that is on the table, or that there is none."""
        return self.ask_any(lambda: question(self._played.match if self._played is not None else None))

    def ask_any(self, call: Callable[[], T]) -> T:
        """Run `call` between two events."""
        return self._worker.ask(call)

    def enrol(self, act: Callable[[Enrolment], None]) -> Stickers:
        """Change the enrolling between two events, and show that. Raises what `act` raises."""

        def enrolled() -> Stickers:
            act(self._enrolment)
            return self._enrolment.shown

        return self._then_show(enrolled)

    def cure_stickers(self, remedy: Remedy) -> None:
        """Bring the stickers back, or start without any, between two events. Raises `TagsFault`."""
        self._then_show(lambda: self._enrolment.cure(remedy))
        for code in (AilmentCode.STICKERS_LOST, AilmentCode.STICKERS_WRONG):
            self.ailing.forget(code)

    def _then_show(self, call: Callable[[], T]) -> T:
        """Run `call` between two events, and show the result, even if it raised."""

        def done() -> T:
            try:
                return call()
            finally:
                self._show()

        return self.ask_any(done)

    def _sealed(self) -> bool:
        """Whether a match is on, so that no card that is read may be named."""
        return self._played is not None and not self._played.match.over

    def _due(self) -> float:
        """Return how many seconds may pass before anything needs a look."""
        now = self.clock()
        again = self._recorder.again_at if self._recorder.trouble else None
        lamps_due = self._played.lamps.due() if self._played else None
        own = self._delay_due(), self._announcing_due(), self._enrolment.ends_at, self._recorder.clock_due, lamps_due
        moments = *self._held_back.due(), *own, again
        return min([LOOKS_AT_LEAST, *(at - now for at in moments if at is not None)])

    def _between(self) -> None:
        """Handle what runs out by itself."""
        self._elapse()
        if self._recorder.recover():
            self._played = self._played or taken_up(self._recorder, self.clock, self.faults)
            self._show()
        announcing_due = self._announcing_due()
        if announcing_due is not None and self.clock() >= announcing_due and self._announcing.do_what_is_due():
            self._show()
        if self._enrolment.end_if_idle() or self._held_back.is_settled():
            self._show()
        if self._played is not None and self._played.lamps.forget_ended():
            self._show_unless_held_back()
        clock_due = self._recorder.clock_due
        if clock_due is not None and self.clock() >= clock_due and self._recorder.look_at_the_clock():
            self._show()
        self._note_faults()

    def _note_faults(self) -> None:
        if self._played is not None:
            self.faults.note(self._played.match.faults.values())

    def _take(self, jobs: Sequence[Sensed]) -> None:
        """Store what sources told, in one transaction; then judge it, then say so.

        A sensing that makes no event counts whatever the disk does: told again, it would count twice.
        """
        stored: list[Stored] = []
        claims: list[Claim] = []
        eventless: list[Sensed] = []
        for job in jobs:
            claimed: list[Claim] = []
            try:
                events = [event for told in job.sensings if (event := self._sensed(told, claimed)) is not None]
                stored += self._new(events, stored)
            except Exception as wrong:  # one source's fault costs no other's press
                job.done.set_exception(wrong)
                continue
            if events:
                claims += claimed
            else:
                for claim in claimed:
                    claim()
                eventless.append(job)
        try:
            if stored:
                self._record(self._with_meanings(stored), claims)
            elif any(not isinstance(told, sensing.Passed) for job in jobs for told in job.sensings):
                self._show_unless_held_back()
        finally:
            for job in eventless:
                job.done.set_result(None)

    def _new(self, events: Sequence[Stored], before: Sequence[Stored]) -> list[Stored]:
        """Return these, numbered, without those already in the log."""
        new: list[Stored] = []
        for event, origin in events:
            if not origin or origin not in {known for _, known in (*before, *new)}:
                new.append((_numbered(event, self._playing().match, len(before) + len(new)), origin))
        return new

    def _with_meanings(self, stored: Sequence[Stored]) -> Sequence[Stored]:
        """Return these with what presses mean; at a simulated table hands press only when they mean to."""
        return stored if self._simulated else with_meanings(self._playing().match, stored, self._on_since)

    def _sensed(self, told: sensing.Sensing, claims: list[Claim]) -> Stored | None:
        """Turn what a driver told into an event; None if it is none, or already stored. Adds to the claims."""
        if isinstance(told, sensing.Passed):
            self._watermark.hear(told)
            return None
        return self._intake.take(told, self._played, claims)

    def _entered(self, act: object, plan: Plan, now: float, origin: str) -> tuple[Verdict, ...]:
        try:
            return self._act(plan, now, origin)
        finally:
            self._watermark.entered(act)

    def _act(self, plan: Plan, now: float, origin: str = "") -> tuple[Verdict, ...]:
        if origin and self._recorder.holds(origin):
            return ()
        played = self._playing()
        if played.pause.why is not None and played.pause.why.is_end:
            raise Paused(played.pause.why)
        planned = plan(played.match, now)
        if planned and played.pause.why is not None and not isinstance(planned[0], Retracted):
            raise Paused(played.pause.why)
        events = _to_record(planned, played.match, origin)
        return self._record(events) if events else ()

    def _act_afterwards(self, number: int, plan: Plan, names: Collection[str], origin: str) -> tuple[Verdict, ...]:
        played = self._opened(number)
        if not played.is_stopped:
            return self._act(plan, self.clock(), origin)
        if origin and self._recorder.holds(origin):
            return ()
        events = _to_record(plan(played.match, end_of(played.match)), played.match, origin)
        if not events:
            return ()
        self._recorder.store(number, events, [self._recorder.decision(Decided.PUT_RIGHT, names)])
        verdicts = played.judge([event for event, _ in events])
        self._past_changes += 1
        if played is self._played and played.match.over and played.pause.why is not None:
            with suppress(NotKept):  # a match that is over is not paused, whatever the log says
                self._recorder.pause(number, self.clock(), "")
            played.go_on()
        return verdicts

    def _decide(self, number: int, what: Decided, names: Collection[str]) -> None:
        if not self._opened(number).is_stopped:
            raise BeingPlayed(f"match {number} is being played")
        self._recorder.decide(number, self._recorder.decision(what, names))
        self._past_changes += 1

    def _take_up(self, number: int, names: Collection[str]) -> None:
        if self._played is not None and not self._played.is_stopped and not self._played.demo:
            raise BeingPlayed(f"match {self._played.number} is being played")
        played = self._opened(number)
        if played.pause.why is Why.CLOSED and not played.match.over:
            raise Paused(Why.CLOSED)
        self._recorder.take_up(number, self._recorder.decision(Decided.TAKEN_UP, names))
        played.go_on()
        self._played = played
        self._past_changes += 1
        self._enrolment.end()
        self._intake.status.hurried.clear()

    def _opened(self, number: int) -> InPlay:
        """Return the match on the table, if it is that one; else open it. Raises `NotInLog`."""
        if self._played is not None and self._played.number == number:
            return self._played
        return opened(self._recorder, number, self.clock, self.faults)

    def _record(self, events: Sequence[Stored], claims: Sequence[Claim] = ()) -> tuple[Verdict, ...]:
        """Store events, judge them, and show the result, with that of the claims. Raises `NotKept`."""
        played = self._playing()
        try:
            self._recorder.store(played.number, events)
        except NotKept:
            self._show()
            raise
        verdicts = played.judge([event for event, _ in events])
        laid = [event for event, _ in events]
        count_where_laid_last(played, self._recorder, laid, round(self.clock(), 6))
        for claim in claims:
            claim()
        pressed = [event.at for event, _ in events if isinstance(event, Pressed)]
        self._held_back.add(pressed, getattr(played.match.options, "tie_window", 0.0))
        self._show_unless_held_back()
        return verdicts

    def _begin(self, started: Started, played: Played, upon: Snapshot | None) -> int:
        if upon is not None and self.snapshot.people_play and self.snapshot.in_play != upon.in_play:
            raise Overtaken("people are playing another match by now")
        try:
            match = Match(started)
        except Exception as wrong:
            self.faults.note([fault_of(started.game, "begin", wrong)])
            raise NotNow(f"{started.game} can't begin: a fault in its code ({wrong!r})") from wrong
        try:
            number = self._recorder.begin(played, started)
        except NotKept:
            self._show()
            raise
        self._played = InPlay(number, match, self.clock, demo=played in NOBODYS)
        self._announcing.announced = None
        self._enrolment.end()
        self._intake.status.hurried.clear()
        self._show()
        return number

    def _playing(self) -> InPlay:
        if self._played is None:
            raise NoMatch("no match has been started yet")
        return self._played

    def _delay_due(self) -> float | None:
        """Return when to record the running delay."""
        due = self._played.due() if self._played else None
        return None if due is None else max(due + self._hold, self._recorder.again_at)

    def _announcing_due(self) -> float | None:
        """Return when to do what is announced, or waits for room (seconds)."""
        due = self._announcing.due
        return None if due is None else max(due, self._recorder.again_at)

    def _elapse(self) -> None:
        due, delay = self._delay_due(), self._played.match.delay if self._played else None
        if due is None or delay is None or self.clock() < due:
            return
        with suppress(NotKept):  # the recorder says so, and it is tried again
            self._act(lambda _, now: (Elapsed(0, now, delay.what),), self.clock())

    def _do(self, deed: Deed) -> None:
        match deed:
            case Started():
                self._begin_next(deed)
            case Why():
                self._rest(deed)
            case GoOn():
                self._go_on()
            case _:
                self._act(lambda _, now: tuple(replace(event, at=now) for event in deed), self.clock())

    def _begin_next(self, announced: Started) -> None:
        """Begin a match, unless the last one goes on after all."""
        last = self._playing()
        if last.rests_since is None:
            return
        started = replace(announced, at=round(self.clock(), 6))
        begin = partial(self._begin, started, Played.BY_HAND, None)
        self._announcing.next_match.begin(last.match.started, started.players, begin)

    def _show_unless_held_back(self) -> None:
        if self._held_back.show_at is None:
            self._show()

    def _show(self) -> None:
        self._held_back.end()
        table = Snapshot(
            simulated=self._simulated,
            trouble=self._recorder.trouble,
            ailments=self.ailing.known,
            clock=self._recorder.clock_that_counts,
            stickers=self._enrolment.shown,
            act_cards=dict(self._intake.act_cards),
            announced=self._announcing.announced,
            past_changes=self._past_changes,
        )
        self.snapshot: Snapshot = snapshot_of(self._played, self._intake.status, table)
        for changed in self._watchers:
            changed()


def _to_record(planned: Sequence[Event], match: Match, origin: str = "") -> list[Stored]:
    """Return these events as they are recorded, the first with this origin. Raises `WrongInput` if they can't be."""
    events: list[Stored] = []
    for event in planned:
        numbered = _numbered(event, match, len(events))
        if isinstance(numbered, Retracted) and not 1 < numbered.target < numbered.seq:
            raise WrongInput(f"there is no event {numbered.target} to take back")
        events.append((numbered, "" if events else origin))
    return events


def _numbered(event: Event, match: Match, ahead: int) -> Event:
    """Return the event as it is recorded; `ahead` others come before it. Raises `WrongInput` if it can't be."""
    numbered = replace(event, seq=len(match.events) + 1 + ahead, at=round(event.at, 6))
    check_readable(numbered)
    return numbered
