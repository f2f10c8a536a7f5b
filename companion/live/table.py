"""The live table: what happens is stored, then judged, then shown, in this order and in one thread.

Drivers and pages hand in what happened through a bounded queue and wait until it is on disk. What is to be seen is
published as a `Snapshot`; whoever shows it only looks at the newest one, so a slow page costs nobody anything.
"""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.devices import sensing
from companion.devices.withheld import Aside
from companion.errors import NotKept, NotNow
from companion.events import Elapsed, Event, Player, Pressed, Retracted, Started
from companion.game import Delay, Observer, Verdict
from companion.judge import changes, corrections, views
from companion.judge.match import Match, judge
from companion.judge.record import check_readable, check_started
from companion.live import feedback
from companion.live.feedback import Feedback
from companion.live.intake import Resumed, event_of, left_lying
from companion.live.pause import Halt, Why
from companion.live.snapshot import Snapshot
from companion.live.status import Surroundings
from companion.live.worker import Job, Jobs, unexpected
from companion.storage.log import Log, LogFault
from companion.tags.deck_file import Decks
from companion.tags.session import Enrolment, Stickers

T = TypeVar("T")


class NoMatch(NotNow):
    """Nothing can be entered: no match has been started."""


class Halted(NotKept):
    """Nothing is entered: the match rests."""

    def __init__(self, why: Why):
        super().__init__(f"nothing is entered: {why.value}")
        self.why = why


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
    ):
        """Go on with the log's last match.

        `hold` is how long (seconds) an earlier press may still be learned of; two presses closer than `apart` (seconds)
        can't be told apart by this table's buttons.
        """
        self.clock = clock
        self._log = log
        self._decks = decks
        self._enrolment = Enrolment(decks, clock, sealed=lambda: self._match is not None and not self._match.over)
        self._unmarked = Aside()
        """Cards that are laid only to get their sticker."""
        self._hold = hold
        self._apart = apart
        self._jobs = Jobs()
        self._stop = threading.Event()
        self._watchers: list[Callable[[], None]] = []
        self._number: int | None = None
        self._match: Match | None = None
        self._halt = Halt(clock)
        self._change: tuple[changes.Change, int] | None = None
        """What the latest correction changed, and how much had been told to everybody by then."""
        self._around = Surroundings()
        self._answers: dict[int, Feedback] = {}
        self._trouble: str | None = None
        self._resumed = Resumed()
        self._go_on()
        self._simulated = simulated
        self._show_at: float | None = None
        self._try_again_at = 0.0
        self.snapshot = self._seen()
        self._thread = threading.Thread(target=self._run, name="judge")

    def _go_on(self) -> None:
        """Take up the last match; where it can't be read, say so and wait for the next one."""
        try:
            number = self._log.latest()
            events = self._log.events(number) if number else ()
        except LogFault as wrong:
            self._trouble = str(wrong)
            return
        if number:
            match = judge(events)
            try:
                _views(match)
            except Exception as wrong:
                self._trouble = f"match {number} can't be shown ({wrong!r}); it is kept as it is. Start a new one"
                return
            self._number, self._match = number, match
            self._resumed = Resumed(max(event.at for event in events), left_lying(events))

    @property
    def kept_in(self) -> Path:
        """Where the log is; whoever reads it does so beside this table, and never through it."""
        return self._log.path

    def start(self) -> None:
        """Begin to take events."""
        self._thread.start()

    def stop(self) -> None:
        """Finish what is in the queue, then stop."""
        self._stop.set()
        self._thread.join()

    def watch(self, changed: Callable[[], None]) -> None:
        """Have `changed` called, quickly and from another thread, whenever there is a new snapshot."""
        self._watchers.append(changed)

    def tell(self, *sensings: sensing.Sensing) -> None:
        """Take what drivers sense; return when it is on disk. Raises `NotKept`."""
        self._jobs.bring(Job(sensings), room_within=None)

    def enter(self, *events: Event) -> tuple[Verdict, ...]:
        """Take what people enter (`seq` and `at` are filled in) and give the judge's answer.

        Raises `NoMatch`, `NotKept`, while the match rests `Halted` for all but retractions, and ValueError for a
        retraction of what is not there.
        """
        if self._halt.why is not None and not all(isinstance(event, Retracted) for event in events):
            raise Halted(self._halt.why)
        now = round(self.clock(), 6)
        verdicts: tuple[Verdict, ...] = self._jobs.bring(Job(tuple(replace(event, at=now) for event in events)))
        return verdicts

    def correct(self, correction: Callable[[Match, float], Sequence[Event]]) -> bool:
        """Enter what follows from the match as it stands and from the time; say whether that was anything.

        It is all judged before anything else happens, also while the match rests. Raises as `enter` does.
        """

        def corrected() -> bool:
            job = Job(tuple(correction(self._playing(), round(self.clock(), 6))))
            if job.items:
                self._record([job])
                job.done.result()
            return bool(job.items)

        return self.ask_any(corrected)

    def rest(self, why: Why) -> None:
        """Take no act from now on: people take a break, or end the match before its end. Raises `NoMatch`."""

        def rested() -> None:
            self._playing()
            self._halt.rest(why)
            self._show()

        self.ask_any(rested)

    def go_on(self) -> None:
        """Take acts again."""

        def gone_on() -> None:
            delay = self._delay()
            self._halt.go_on(delay.due if delay else None)
            self._show()

        self.ask_any(gone_on)

    def begin(self, game: str, players: tuple[Player, ...], options: dict[str, Any]) -> int:
        """Start a match; give its number. Raises ValueError where it can't be played so, and `NotKept`.

        A dead heat is never finer than the buttons: a smaller `tie_window` than theirs is widened to it.
        """
        started = Started(1, round(self.clock(), 6), game, players, options)
        wished = check_started(started)
        if getattr(wished, "tie_window", self._apart) < self._apart:
            started = replace(started, options={**options, "tie_window": self._apart})
        check_readable(started)
        return self.ask_any(lambda: self._begin(started))

    def ask(self, question: Callable[[Match], T]) -> T:
        """Have a question about the match answered between two events. Raises `NoMatch`."""
        return self.ask_any(lambda: question(self._playing()))

    def ask_any(self, call: Callable[[], T]) -> T:
        """Run `call` between two events."""
        answer: T = self._jobs.bring(Job(call=call))
        return answer

    def enrol(self, act: Callable[[Enrolment], None]) -> Stickers:
        """Have something done to the enrolling between two events, and show it. Raises what it raises."""

        def enrolled() -> Stickers:
            try:
                act(self._enrolment)
            finally:
                self._show()
            return self._enrolment.shown

        return self.ask_any(enrolled)

    def _run(self) -> None:
        while not (self._stop.is_set() and self._jobs.none):
            due = [at - self.clock() for at in (self._show_at, self._delay_due()) if at is not None]
            jobs = self._jobs.next(max(0.0, min([0.1, *due])))
            while jobs:
                self._work_off(jobs)
            self._elapse()
            self._recover()
            if self._enrolment.end_if_idle():
                self._show()
            if self._show_at is not None and self.clock() >= self._show_at:
                self._show()

    def _work_off(self, jobs: list[Job]) -> None:
        """Do the first job, or all the first ones that only bring events, in one transaction."""
        first = jobs[0]
        if first.call is not None:
            del jobs[0]
            first.make()
            return
        together = []
        while jobs and jobs[0].call is None:
            together.append(jobs.pop(0))
        try:
            self._record(together)
        except Exception as wrong:
            unexpected()
            for job in together:
                job.fail(wrong)

    def _record(self, jobs: list[Job]) -> None:
        """Store the events of these jobs, then judge them, then say so."""
        found: list[tuple[Event, str]] = []
        counts = []
        for job in jobs:
            try:
                events = self._events_of(job, 1 + len(found))
            except LogFault as wrong:
                self._fail(wrong)
                job.fail(NotKept(self._trouble))
                events = []
            except (NoMatch, ValueError) as wrong:
                job.fail(wrong)
                events = []
            found += events
            counts.append(len(events))
        if found and not self._store(found):
            for job in jobs:
                job.fail(NotKept(self._trouble))
            return
        told, at = [], 0
        for count in counts:
            told.append(self._judged([event for event, _ in found[at : at + count]]))
            at += count
        self._show_later(min((event.at for event, _ in found if isinstance(event, Pressed)), default=None))
        for job, verdicts in zip(jobs, told, strict=True):
            if not job.done.done():
                job.done.set_result(verdicts)

    def _judged(self, events: Sequence[Event]) -> tuple[Verdict, ...]:
        """Have what came together judged. What a correction changed is kept; nothing else goes into that."""
        if not events:
            return ()
        match = self._playing()
        if not any(isinstance(event, Retracted) for event in events):
            return tuple(told for event in events for told in feedback.judged(match, event, self._answers))
        before = changes.told(match)
        verdicts = match.add_all(events)
        change = changes.change(before, changes.told(match))
        if change:
            self._change = change, len(match.public)
        return verdicts

    def _store(self, events: list[tuple[Event, str]]) -> bool:
        assert self._number is not None
        try:
            self._log.append(self._number, events)
        except LogFault as wrong:
            self._fail(wrong)
            return False
        self._trouble = None
        return True

    def _events_of(self, job: Job, first: int) -> list[tuple[Event, str]]:
        events: list[tuple[Event, str]] = []
        for item in job.items:
            if isinstance(item, sensing.Sensing):
                sensed = self._sensed(item)
                if sensed is None or any(sensed[1] and sensed[1] == origin for _, origin in events):
                    continue
                event, origin = sensed
            else:
                event, origin = item, ""
            seq = len(self._playing().events) + first + len(events)
            if isinstance(event, Retracted) and not 1 < event.target < seq:
                raise ValueError(f"there is no event {event.target} to take back")
            event = replace(event, seq=seq, at=round(event.at, 6))
            check_readable(event)
            events.append((event, origin))
        return events

    def _sensed(self, told: sensing.Sensing) -> tuple[Event, str] | None:
        """Turn what a driver told into an event; None where it is none, or stored already."""
        self._around.look(told)
        # What was laid while the match rested is gone when it is lifted, whatever goes on then.
        if self._halt.keeps(told) or self._enrols(told) or self._match is None:
            return None
        return event_of(told, self._match, self._decks.cards, self._resumed, self._log.holds)

    def _enrols(self, told: sensing.Sensing) -> bool:
        """Whether this is none of the match's business: a card laid to get its sticker, or lifted after that."""
        appearing = isinstance(told, sensing.Appeared) and self._enrolment.takes(told.uid)
        if isinstance(told, sensing.Appeared) and appearing:
            self._enrolment.heard(sensing.Tag(told.uid, told.kind))
        return self._unmarked.takes(told, appearing)

    def _begin(self, started: Started) -> int:
        try:
            self._number = self._log.open_match(
                datetime.now().astimezone().isoformat("T", "seconds"), self._simulated, started
            )
        except LogFault as wrong:
            self._fail(wrong)
            raise NotKept(str(wrong)) from wrong
        self._match = Match(started)
        self._trouble = None
        self._answers = {}
        self._resumed = Resumed()
        self._change = None
        self._halt.begin()
        self._enrolment.end()
        self._show()
        return self._number

    def _playing(self) -> Match:
        if self._match is None:
            raise NoMatch("no match has been started yet")
        return self._match

    def _delay(self) -> Delay | None:
        return self._match.game.delay(self._match.state) if self._match else None

    def _delay_due(self) -> float | None:
        """Give when the delay that runs is over; none runs while the match rests."""
        delay = self._delay()
        if delay is None or self._halt.why is not None:
            return None
        return max(delay.due / 1_000_000 + self._halt.put_off(delay.due) + self._hold, self._try_again_at)

    def _elapse(self) -> None:
        due = self._delay_due()
        if due is None or self.clock() < due:
            return
        delay = self._delay()
        assert delay is not None
        self._record([Job((Elapsed(0, self.clock(), delay.what),))])

    def _fail(self, wrong: LogFault) -> None:
        """Say that nothing can be stored now."""
        self._trouble = str(wrong)
        self._try_again_at = self.clock() + 1.0
        self._show()

    def _recover(self) -> None:
        """Once a second while nothing can be stored, see whether it can be again: then the table goes on by itself."""
        if self._trouble is None or self.clock() < self._try_again_at:
            return
        self._try_again_at = self.clock() + 1.0
        before, self._trouble = self._trouble, None
        try:
            self._log.try_to_write()
        except LogFault as wrong:
            self._trouble = str(wrong)
        else:
            if self._match is None:
                self._go_on()
        if self._trouble != before:
            self._show()

    def _show_later(self, pressed: float | None) -> None:
        """Tell of a press only when an earlier one can't be learned of any more."""
        if self._show_at is not None:
            return
        if pressed is None or not self._hold:
            self._show()
        else:
            self._show_at = pressed + self._hold

    def _show(self) -> None:
        self._show_at = None
        self.snapshot = self._seen()
        for changed in self._watchers:
            changed()

    def _seen(self) -> Snapshot:
        match = self._match
        return Snapshot(
            match=self._number,
            simulated=self._simulated,
            views=_views(match) if match else {},
            devices=dict(self._around.devices),
            crowded=tuple(self._around.crowded),
            read=tuple(self._around.lying),
            answers=dict(self._answers),
            trouble=self._trouble,
            stickers=self._enrolment.shown,
            misread=corrections.offered(match) if match else frozenset(),
            halt=self._halt.why,
            change=self._change[0] if match and self._change and self._change[1] == len(match.public) else None,
        )


def _views(match: Match) -> dict[Observer, dict[str, Any]]:
    return {who: views.view(match, who) for who in (None, *match.seats)}
