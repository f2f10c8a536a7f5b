"""The live table: what happens is stored, then judged, then shown, in this order and in one thread.

Drivers and pages hand in what happened through a bounded queue and wait until it is on disk. What is to be seen is
published as a `Snapshot`; whoever shows it only looks at the newest one, so a slow page costs nobody anything.
"""

import queue
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from companion import tags, views
from companion.decks import Decks
from companion.enrolment import Enrolment, Stickers
from companion.events import Elapsed, Event, Lifted, Player, Pressed, Retracted, Started, Tapped
from companion.game import Observer, Verdict
from companion.log import Log, LogFault
from companion.match import Match, judge
from companion.record import check_started
from companion.table import sensing
from companion.table.sensing import NotKept

WAITING_AT_MOST = 1000
"""Jobs in the queue; a driver waits for room, a page is told to try again."""
TOGETHER_AT_MOST = 64
"""Jobs stored in one transaction."""

T = TypeVar("T")


class NoMatch(Exception):
    """Nothing can be entered: no match has been started."""


class Device(msgspec.Struct, frozen=True):
    """How a reader or a set of buzzers is doing."""

    works: bool
    detail: str


class Snapshot(msgspec.Struct, frozen=True):
    """What may be shown now, complete."""

    match: int | None = None
    """The match's number in the log; None: none was started yet."""
    simulated: bool = False
    views: Mapping[Observer, dict[str, Any]] = {}
    """By seat; None is what the public and the host see."""
    devices: Mapping[str, Device] = {}
    crowded: tuple[str, ...] = ()
    """Places where more than one card lies."""
    read: tuple[str, ...] = ()
    """Places where a card lies that was read: that one lies there everybody sees; which one is not here."""
    trouble: str | None = None
    """Why events can't be stored, while they can't."""
    stickers: Stickers = Stickers()

    @property
    def under_way(self) -> int | None:
        """The number of the match that is played now; None: none is, or it is over."""
        view = self.views.get(None)
        return None if view is None or view["over"] else self.match


class _Job:
    def __init__(self, items: tuple[sensing.Sensing | Event, ...] = (), call: Callable[[], Any] | None = None):
        self.items = items
        self.call = call
        self.done: Future[Any] = Future()


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
        self._set_aside: set[tuple[str, str]] = set()
        """Places and tags of cards that are laid only to get their sticker."""
        self._hold = hold
        self._apart = apart
        self._jobs: queue.Queue[_Job] = queue.Queue(WAITING_AT_MOST)
        self._stop = threading.Event()
        self._watchers: list[Callable[[], None]] = []
        self._number: int | None = None
        self._match: Match | None = None
        self._devices: dict[str, Device] = {}
        self._crowded: dict[str, None] = {}
        self._lying: dict[str, str] = {}
        self._trouble: str | None = None
        self._resumed_at = 0.0
        """Of a match that was resumed, the last recorded time: what a box has kept since was pressed after it."""
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
            self._number, self._match = number, judge(events)
            self._resumed_at = max(event.at for event in events)

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
        job = _Job(sensings)
        self._jobs.put(job)
        job.done.result()

    def enter(self, *events: Event) -> tuple[Verdict, ...]:
        """Take what people enter (`seq` and `at` are filled in) and give the judge's answer.

        Raises `NoMatch`, `NotKept`, and ValueError for a retraction of what is not there.
        """
        now = round(self.clock(), 6)
        verdicts: tuple[Verdict, ...] = self._put(_Job(tuple(replace(event, at=now) for event in events)))
        return verdicts

    def begin(self, game: str, players: tuple[Player, ...], options: dict[str, Any]) -> int:
        """Start a match; give its number. Raises ValueError where it can't be played so, and `NotKept`.

        A dead heat is never finer than the buttons: a smaller `tie_window` than theirs is widened to it.
        """
        started = Started(1, round(self.clock(), 6), game, players, options)
        wished = check_started(started)
        if getattr(wished, "tie_window", self._apart) < self._apart:
            started = replace(started, options={**options, "tie_window": self._apart})
        return self.ask_any(lambda: self._begin(started))

    def ask(self, question: Callable[[Match], T]) -> T:
        """Have a question about the match answered between two events. Raises `NoMatch`."""
        return self.ask_any(lambda: question(self._playing()))

    def ask_any(self, call: Callable[[], T]) -> T:
        """Run `call` between two events."""
        answer: T = self._put(_Job(call=call))
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

    def _put(self, job: _Job) -> Any:
        try:
            self._jobs.put(job, timeout=5)
        except queue.Full:
            raise NotKept("the table is too busy; try again") from None
        return job.done.result()

    def _run(self) -> None:
        while not (self._stop.is_set() and self._jobs.empty()):
            jobs = self._next_jobs()
            while jobs:
                self._work_off(jobs)
            self._elapse()
            if self._enrolment.end_if_idle():
                self._show()
            if self._show_at is not None and self.clock() >= self._show_at:
                self._show()

    def _next_jobs(self) -> list[_Job]:
        due = [at - self.clock() for at in (self._show_at, self._delay_due()) if at is not None]
        try:
            jobs = [self._jobs.get(timeout=max(0.0, min([0.1, *due])))]
        except queue.Empty:
            return []
        while len(jobs) < TOGETHER_AT_MOST and not self._jobs.empty():
            jobs.append(self._jobs.get_nowait())
        return jobs

    def _work_off(self, jobs: list[_Job]) -> None:
        """Do the first job, or all the first ones that only bring events, in one transaction."""
        first = jobs[0]
        if first.call is not None:
            del jobs[0]
            _answer(first, first.call)
            return
        together = []
        while jobs and jobs[0].call is None:
            together.append(jobs.pop(0))
        try:
            self._record(together)
        except Exception as wrong:
            _unexpected()
            for job in together:
                if not job.done.done():
                    job.done.set_exception(wrong)

    def _record(self, jobs: list[_Job]) -> None:
        """Store the events of these jobs, then judge them, then say so."""
        found: list[tuple[Event, str]] = []
        counts = []
        for job in jobs:
            try:
                events = self._events_of(job, 1 + len(found))
            except LogFault as wrong:
                self._trouble = str(wrong)
                job.done.set_exception(NotKept(self._trouble))
                events = []
            except (NoMatch, ValueError) as wrong:
                job.done.set_exception(wrong)
                events = []
            found += events
            counts.append(len(events))
        if found and not self._store(found):
            for job in jobs:
                if not job.done.done():
                    job.done.set_exception(NotKept(self._trouble))
            return
        verdicts = [self._playing().add(event) for event, _ in found]
        self._show_later(min((event.at for event, _ in found if isinstance(event, Pressed)), default=None))
        for job, count in zip(jobs, counts, strict=True):
            mine, verdicts = verdicts[:count], verdicts[count:]
            if not job.done.done():
                job.done.set_result(tuple(verdict for some in mine for verdict in some))

    def _store(self, events: list[tuple[Event, str]]) -> bool:
        assert self._number is not None
        try:
            self._log.append(self._number, events)
        except LogFault as wrong:
            self._trouble = str(wrong)
            self._show()
            return False
        self._trouble = None
        return True

    def _events_of(self, job: _Job, first: int) -> list[tuple[Event, str]]:
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
            events.append((replace(event, seq=seq, at=round(event.at, 6)), origin))
        return events

    def _sensed(self, told: sensing.Sensing) -> tuple[Event, str] | None:
        """Turn what a driver told into an event; None where it is none, or stored already."""
        self._look(told)
        if self._enrols(told) or self._match is None:
            return None
        match told:
            case sensing.Appeared(place, uid, at):
                card, tag = tags.card_on(uid, self._decks.cards, self._match.game.slug)
                return Tapped(0, at, place, card, tag if tag else msgspec.UNSET), ""  # type: ignore[arg-type]
            case sensing.Gone(place, uid, at):
                card, _ = tags.card_on(uid, self._decks.cards, self._match.game.slug)
                return Lifted(0, at, place, card), ""  # type: ignore[arg-type]
            case sensing.Pressed(seat, at, _, origin):
                at = max(at, self._resumed_at)
                if at < self._match.started.at or self._log.holds(origin):
                    return None  # pressed before this match, and told late; or stored already
                return Pressed(0, at, seat), origin
        return None

    def _enrols(self, told: sensing.Sensing) -> bool:
        """Whether this is none of the match's business: a card laid to get its sticker, or lifted after that."""
        match told:
            case sensing.Appeared(place, uid, _, kind) if self._enrolment.takes(uid):
                self._set_aside.add((place, uid))
                self._enrolment.heard(sensing.Tag(uid, kind))
                return True
            case sensing.Gone(place, uid, _) if (place, uid) in self._set_aside:
                self._set_aside.remove((place, uid))
                return True
        return False

    def _look(self, told: sensing.Sensing) -> None:
        """Keep how the table's own things are: what is no event of a match."""
        match told:
            case sensing.Failed(source, why, _):
                self._devices[source] = Device(False, why)
            case sensing.Working(source, detail, _):
                self._devices[source] = Device(True, detail)
            case sensing.Crowded(place, _):
                self._crowded[place] = None
            case sensing.Uncrowded(place, _):
                self._crowded.pop(place, None)
            case sensing.Appeared(place, uid, _):
                self._lying[place] = uid
            case sensing.Gone(place, uid, _) if self._lying.get(place) == uid:
                del self._lying[place]

    def _begin(self, started: Started) -> int:
        try:
            self._number = self._log.open_match(
                datetime.now().astimezone().isoformat("T", "seconds"), self._simulated, started
            )
        except LogFault as wrong:
            self._trouble = str(wrong)
            self._show()
            raise NotKept(str(wrong)) from wrong
        self._match = Match(started)
        self._resumed_at = 0.0
        self._enrolment.end()
        self._show()
        return self._number

    def _playing(self) -> Match:
        if self._match is None:
            raise NoMatch("no match has been started yet")
        return self._match

    def _delay_due(self) -> float | None:
        delay = self._match.game.delay(self._match.state) if self._match else None
        return max(delay.due / 1_000_000 + self._hold, self._try_again_at) if delay else None

    def _elapse(self) -> None:
        due = self._delay_due()
        if due is None or self.clock() < due:
            return
        match = self._playing()
        delay = match.game.delay(match.state)
        assert delay is not None
        job = _Job((Elapsed(0, self.clock(), delay.what),))
        self._record([job])
        if job.done.exception() is not None:
            self._try_again_at = self.clock() + 1.0

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
            views={who: views.view(match, who) for who in (None, *match.seats)} if match else {},
            devices=dict(self._devices),
            crowded=tuple(self._crowded),
            read=tuple(self._lying),
            trouble=self._trouble,
            stickers=self._enrolment.shown,
        )


def _answer(job: _Job, call: Callable[[], Any]) -> None:
    try:
        job.done.set_result(call())
    except (NoMatch, NotKept, tags.TagsFault, ValueError, LookupError) as wrong:
        job.done.set_exception(wrong)
    except Exception as wrong:
        _unexpected()
        job.done.set_exception(wrong)


def _unexpected() -> None:
    """A fault of the program itself: say it where the owner looks; the table goes on."""
    traceback.print_exc(file=sys.stderr)
