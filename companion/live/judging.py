"""The state that the judge's thread owns: the log, the match on the table, and the intake of sensings.

Only that thread calls these methods, between two events (`live/table.py`), so nothing here needs a lock or waits for
another thread.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from companion.devices import sensing
from companion.errors import NotKept, NotNow
from companion.events import Elapsed, Event, Pressed, Retracted, Started
from companion.game import Verdict
from companion.judge.match import Match
from companion.judge.refusals import refusal
from companion.live.ailing import KnownAilments
from companion.live.announcement import Announcing
from companion.live.entered_beside import count_where_laid_last, with_meanings
from companion.live.game_code_faults import GameFaults
from companion.live.in_play import InPlay, taken_up
from companion.live.intake import Claim, Intake, Stored
from companion.live.intents import Deed, GoOn
from companion.live.pad_answers import PadAnswers
from companion.live.past_match import end_of, opened
from companion.live.pause import Paused, Why
from companion.live.recorder import Recorder
from companion.live.snapshot import Overtaken, Snapshot, snapshot_of
from companion.live.watermark import HeldBack, Watermark
from companion.live.worker import Sensed
from companion.storage.decisions import Decided
from companion.storage.entries import NOBODYS, Played
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.tags.enrolment_session import Enrolment

LOOKS_AT_LEAST = 60.0
"""Seconds between two checks for what may have run out, even if nothing is due."""
Plan = Callable[[Match, float], Sequence[Event]]
"""(match, time in seconds) → events to enter, with `seq` 0. What it raises reaches the caller."""


class NoMatch(NotNow):
    """Nothing can be entered: no match has been started."""


class BeingPlayed(NotNow):
    """People are playing a match."""


class Judging:
    """A match on the table, recorded and judged."""

    def __init__(
        self,
        log: Log,
        clock: sensing.Clock,
        decks: Decks,
        *,
        simulated: bool,
        press_window: float,
        buttons: Collection[str] | None,
        ailing: KnownAilments,
    ):
        """Go on with the log's last match; see `Live`."""
        self.clock = clock
        self.faults = GameFaults(log.path)
        self.ailing = ailing
        self.simulated = simulated
        self._press_window = press_window
        self.recorder = Recorder(log, clock)
        self.enrolment = Enrolment(decks, clock, sealed=self._sealed)
        self.announcing = Announcing(clock, self._do)
        self.pad_answers = PadAnswers(clock)
        self.intake = Intake(self.enrolment, decks, self.recorder.holds, self.pad_answers)
        self.on_since = clock()
        self.intake.is_about_next_match = lambda press: self.announcing.claims(press, self.played)
        self.intake.announce = lambda press: self.announcing.take(press, self.playing())
        self.intake.act_by_card = lambda card, seat: self.announcing.take_card(card, seat, self.played)
        self.watchers: list[Callable[[], None]] = []
        self.watermark = Watermark(clock, buttons)
        self._held_back = HeldBack(self.watermark, clock, press_window)
        self.played = taken_up(self.recorder, clock, self.faults)
        self._past_changes = 0
        self.show()

    def rest(self, why: Why) -> None:
        """Accept no act from now on. Raises `NoMatch` and `NotKept`."""
        if self.snapshot.pause is Why.CLOSED:
            return
        played = self.playing()
        self.recorder.pause(played.number, self.clock(), why.value)
        played.pause.begin(why)

    def go_on(self) -> None:
        """Accept acts again. Raises `NotKept`, and `Paused` if the match has ended for good."""
        played = self.played
        if played is None or played.pause.why is None:
            return
        if played.pause.why is Why.CLOSED:
            raise Paused(Why.CLOSED)
        self.recorder.pause(played.number, self.clock(), "")
        played.go_on()

    def _sealed(self) -> bool:
        """Whether a match is under way, so that a card that is read may not be named."""
        return self.played is not None and not self.played.match.over

    def due(self) -> float:
        """Return how many seconds may pass before `do_what_is_due` must be called."""
        checked_at = self.clock()
        retry_at = self.recorder.again_at if self.recorder.trouble else None
        lamps_due = self.played.lamps.due() if self.played else None
        own_moments = (
            self._delay_due(),
            self._announcing_due(),
            self.enrolment.ends_at,
            self.recorder.clock_due,
            lamps_due,
            self.pad_answers.due(),
        )
        moments = *self._held_back.due(), *own_moments, retry_at
        return min([LOOKS_AT_LEAST, *(at - checked_at for at in moments if at is not None)])

    def do_what_is_due(self) -> None:
        """Handle delays, retries, announcements, held-back presses and answers that are due."""
        self._elapse()
        if self.recorder.recover():
            self.played = self.played or taken_up(self.recorder, self.clock, self.faults)
            self.show()
        announcing_due = self._announcing_due()
        if announcing_due is not None and self.clock() >= announcing_due and self.announcing.do_what_is_due():
            self.show()
        if self.enrolment.end_if_idle() or self._held_back.is_settled():
            self.show()
        answers_ended = self.pad_answers.forget_ended()
        if self.played is not None:
            answers_ended |= self.played.lamps.forget_ended()
        if answers_ended:
            self._show_unless_held_back()
        clock_due = self.recorder.clock_due
        if clock_due is not None and self.clock() >= clock_due and self.recorder.look_at_the_clock():
            self.show()
        self.note_faults()

    def note_faults(self) -> None:
        """Keep the faults that the game's code has raised so far."""
        if self.played is not None:
            self.faults.note(self.played.match.faults.values())

    def take(self, jobs: Sequence[Sensed]) -> None:
        """Store what sources told, in one transaction; then judge it, then complete the jobs.

        A job without an event succeeds even if the disk fails: told again, it would take effect twice.
        """
        stored: list[Stored] = []
        claims: list[Claim] = []
        eventless: list[Sensed] = []
        for job in jobs:
            claimed: list[Claim] = []
            try:
                events = [
                    event for sensing_told in job.sensings if (event := self._sensed(sensing_told, claimed)) is not None
                ]
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
            # A watermark alone changes nothing on the pages, and sources send several a second.
            elif any(not isinstance(sensing_told, sensing.Passed) for job in jobs for sensing_told in job.sensings):
                self._show_unless_held_back()
        finally:
            for job in eventless:
                job.done.set_result(None)

    def _new(self, events: Sequence[Stored], stored: Sequence[Stored]) -> list[Stored]:
        """Return these events, numbered, without those whose origin already came in this batch."""
        new: list[Stored] = []
        for event, origin in events:
            if not origin or origin not in {origin_known for _, origin_known in (*stored, *new)}:
                new.append((self.playing().numbered(event, len(stored) + len(new)), origin))
        return new

    def _with_meanings(self, stored: Sequence[Stored]) -> Sequence[Stored]:
        """Add what presses mean; not at a simulated table, where every press is meant."""
        return stored if self.simulated else with_meanings(self.playing().match, stored, self.on_since)

    def _sensed(self, sensing_told: sensing.Sensing, claims: list[Claim]) -> Stored | None:
        """Turn a sensing into an event; None if it is none, or already stored. Adds its other effects to `claims`."""
        if isinstance(sensing_told, sensing.Passed):
            self.watermark.hear(sensing_told)
            return None
        return self.intake.take(sensing_told, self.played, claims)

    def enter(self, act: object, plan: Plan, at: float, origin: str) -> tuple[Verdict, ...]:
        """Enter an act, then release the watermark that its entering held."""
        try:
            return self.act(plan, at, origin)
        finally:
            self.watermark.entered(act)

    def act(self, plan: Plan, at: float, origin: str = "") -> tuple[Verdict, ...]:
        """Enter the events that `plan` returns for the match at `at` (seconds); see `Live.act`."""
        if origin and self.recorder.holds(origin):
            return ()
        played = self.playing()
        if played.pause.why is not None and played.pause.why.is_end:
            raise Paused(played.pause.why)
        planned = plan(played.match, at)
        if planned and played.pause.why is not None and not isinstance(planned[0], Retracted):
            raise Paused(played.pause.why)
        events = played.to_record(planned, origin)
        return self._record(events) if events else ()

    def act_afterwards(self, number: int, plan: Plan, names: Collection[str], origin: str) -> tuple[Verdict, ...]:
        """Enter the events that `plan` returns for a match that is over or was ended; see `Live.act_afterwards`."""
        played = self.opened(number)
        if not played.is_stopped:
            return self.act(plan, self.clock(), origin)
        if origin and self.recorder.holds(origin):
            return ()
        events = played.to_record(plan(played.match, end_of(played.match)), origin)
        if not events:
            return ()
        self.recorder.store(number, events, [self.recorder.decision(Decided.PUT_RIGHT, names)])
        verdicts = played.judge([event for event, _ in events])
        self._past_changes += 1
        if played is self.played and played.match.over and played.pause.why is not None:
            with suppress(NotKept):  # a match that is over is not paused, whatever the log says
                self.recorder.pause(number, self.clock(), "")
            played.go_on()
        return verdicts

    def decide(self, number: int, kind: Decided, names: Collection[str]) -> None:
        """Store what people decided about a match. Raises `BeingPlayed` and `NotKept`."""
        if not self.opened(number).is_stopped:
            raise BeingPlayed(f"match {number} is being played")
        self.recorder.decide(number, self.recorder.decision(kind, names))
        self._past_changes += 1

    def take_up(self, number: int, names: Collection[str]) -> None:
        """Go on with a match that is not over; see `Live.take_up`."""
        if self.played is not None and not self.played.is_stopped and not self.played.demo:
            raise BeingPlayed(f"match {self.played.number} is being played")
        played = self.opened(number)
        if played.pause.why is Why.CLOSED and not played.match.over:
            raise Paused(Why.CLOSED)
        self.recorder.take_up(number, self.recorder.decision(Decided.TAKEN_UP, names))
        played.go_on()
        self.played = played
        self._past_changes += 1
        self.enrolment.end()
        self.intake.status.hurried.clear()

    def opened(self, number: int) -> InPlay:
        """Return the match of this number: the one on the table, or else from the log. Raises `NotInLog`."""
        if self.played is not None and self.played.number == number:
            return self.played
        return opened(self.recorder, number, self.clock, self.faults)

    def _record(self, events: Sequence[Stored], claims: Sequence[Claim] = ()) -> tuple[Verdict, ...]:
        """Store events, judge them, carry out the claims, and show the result. Raises `NotKept`."""
        played = self.playing()
        try:
            self.recorder.store(played.number, events)
        except NotKept:
            self.show()
            raise
        verdicts = played.judge([event for event, _ in events])
        laid = [event for event, _ in events]
        count_where_laid_last(played, self.recorder, laid, round(self.clock(), 6))
        for claim in claims:
            claim()
        pressed = [event.at for event, _ in events if isinstance(event, Pressed)]
        game = played.match.game
        options = played.match.options
        self._held_back.add(pressed, game.dead_heat_in(options), game.longest_head_start_in(options))
        self._show_unless_held_back()
        return verdicts

    def begin(self, started: Started, played: Played, upon: Snapshot | None) -> int:
        """Begin a match, and return its number; see `Live.begin`."""
        if upon is not None and self.snapshot.people_play and self.snapshot.in_play != upon.in_play:
            raise Overtaken("people are playing another match by now")
        try:
            match = Match(started)  # before it is stored: a game that can't begin leaves no match in the log
        except Exception as wrong:
            self.faults.keep(started.game, "begin", wrong)
            raise NotNow(f"{started.game} can't begin: a fault in its code ({wrong!r})") from wrong
        try:
            number = self.recorder.begin(played, started)
        except NotKept:
            self.show()
            raise
        self.played = InPlay(number, match, self.clock, demo=played in NOBODYS)
        self.announcing.forget()
        self.enrolment.end()
        self.intake.status.hurried.clear()
        self.show()
        return number

    def playing(self) -> InPlay:
        """Return the match on the table. Raises `NoMatch`."""
        if self.played is None:
            raise NoMatch("no match has been started yet")
        return self.played

    def _delay_due(self) -> float | None:
        """Return when to record the running delay as elapsed (seconds)."""
        due = self.played.due() if self.played else None
        # A press from before its end may still arrive within the window, and is then recorded first.
        return None if due is None else max(due + self._press_window, self.recorder.again_at)

    def _announcing_due(self) -> float | None:
        """Return when the announcement, or a deed that waits for room, is due (seconds)."""
        due = self.announcing.due
        return None if due is None else max(due, self.recorder.again_at)

    def _elapse(self) -> None:
        due = self._delay_due()
        delay = self.played.match.delay if self.played else None
        if due is None or delay is None or self.clock() < due:
            return
        with suppress(NotKept):  # the recorder says so, and it is tried again
            self.act(lambda _, at: (Elapsed(0, at, delay.what),), self.clock())

    def _do(self, deed: Deed) -> bool:
        """Carry out a deed; return whether it counts. Raises `NotNow` and `NotKept`."""
        match deed:
            case Started():
                self._begin_next(deed)
            case Why():
                self.rest(deed)
            case GoOn():
                self.go_on()
            case _:
                verdicts = self.act(lambda _, at: tuple(replace(event, at=at) for event in deed), self.clock())
                return refusal(verdicts) is None
        return True

    def _begin_next(self, announced: Started) -> None:
        """Begin the announced match, unless the last one goes on after all."""
        last = self.played
        if last is not None and not last.demo and last.rests_since is None:
            return
        started = replace(announced, at=round(self.clock(), 6))
        begin = partial(self.begin, started, Played.BY_HAND, None)
        former = started if last is None or last.demo else last.match.started
        self.announcing.next_match.begin(former, started.players, self.recorder.next_number(), begin)

    def _show_unless_held_back(self) -> None:
        if self._held_back.show_at is None:
            self.show()

    def show(self) -> None:
        """Publish a new snapshot, and call the watchers."""
        self._held_back.end()
        table = Snapshot(
            simulated=self.simulated,
            trouble=self.recorder.trouble,
            ailments=self.ailing.known,
            clock=self.recorder.clock_that_counts,
            stickers=self.enrolment.shown,
            pad_answers=self.pad_answers.shown(),
            announced=self.announcing.announced,
            past_changes=self._past_changes,
        )
        self.snapshot: Snapshot = snapshot_of(self.played, self.intake.status, table, self.faults.keep)
        for changed in self.watchers:
            changed()
