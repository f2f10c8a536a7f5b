"""A match in play, with everything that starts afresh with it, so that both are replaced as one."""

from collections.abc import Collection, Sequence

import msgspec
from msgspec.structs import replace

from companion.devices.sensing import Clock
from companion.errors import WrongInput
from companion.events import Event, Retracted, Started, seat_at
from companion.game import Misplay, Observer, Ruling, Verdict
from companion.history.souvenir import Highlight, souvenir
from companion.judge import changed_by_correction, press_meanings, returned, teaching
from companion.judge.attribution import Doer, did, doers
from companion.judge.cards_counted import CardsCounted
from companion.judge.changed_by_correction import Change
from companion.judge.doubted_presses import doubt_of
from companion.judge.laid_last import Moved
from companion.judge.match import Match, judge
from companion.judge.record_file import check_readable
from companion.judge.returned import LastSaid
from companion.judge.teaching import nothing_met
from companion.judge.views import now
from companion.live import seat_feedback
from companion.live.cards_aloud import Hearing
from companion.live.game_code_faults import GameFaults
from companion.live.lamp_answers import LampAnswers
from companion.live.pause import Pause, Why
from companion.live.recorder import Recorder
from companion.live.resumed import Resumed, left_lying
from companion.live.seat_feedback import Feedback
from companion.storage.entries import Pausing


class LatestAct(msgspec.Struct, frozen=True):
    """An act that everybody was told of."""

    entry: int
    """Its entry in the story."""
    seq: int
    by: frozenset[Doer]
    """Those who may have done it, and so may take it back."""


class InPlay:
    """A match and what goes with it: its pause, who hears their cards, the answers to its acts, who may undo them.

    Use it from one thread.
    """

    def __init__(
        self,
        number: int,
        match: Match,
        clock: Clock,
        resumed: Resumed | None = None,
        pause: Pause | None = None,
        *,
        demo: bool,
    ) -> None:
        """Begin; `number` is the match's in the log, `resumed` and `pause` say how it stood when the table was switched
        off.

        `demo`: whether it is nobody's match.
        """
        self.number = number
        self.match = match
        self.demo = demo
        self.pause = pause or Pause(clock)
        self.hearing = Hearing(clock)
        self.resumed = resumed or Resumed()
        self.feedback: dict[int, Feedback] = {}
        """By seat, the last answer to its sensors, for its player alone."""
        self.lamps = LampAnswers(clock)
        """The answers that everybody sees."""
        self.lamps.take_up(match, self.resumed.left)
        self.counted = CardsCounted(match)
        """What everybody has seen count of the cards that are laid one by one."""
        self.done: LatestAct | None = None
        """The latest act that everybody was told of."""
        self._highlights: tuple[Highlight, ...] | None = None
        """What the match is remembered for; None: unknown, since it was not over yet or something was taken back."""
        self._met = nothing_met(match.game)
        """The hints met before the newest act, as of the last look."""
        self._returned: frozenset[returned.Said] = frozenset()
        """Verdicts that corrections have brought back to the end of the story."""
        self._change: tuple[Change, int] | None = None
        """What the latest correction changed, and the length of the public story at that time."""

    @property
    def is_stopped(self) -> bool:
        """Whether nobody plays it any more: it is over, or was ended early."""
        return self.match.over or (self.pause.why is not None and self.pause.why.is_end)

    def to_record(self, planned: Sequence[Event], origin: str) -> list[tuple[Event, str]]:
        """Return planned events as the record gets them, with their origins: the first has this one. Raises
        `WrongInput` if they can't be recorded.
        """
        events: list[tuple[Event, str]] = []
        for event in planned:
            numbered = self.numbered(event, len(events))
            if isinstance(numbered, Retracted) and not 1 < numbered.target < numbered.seq:
                raise WrongInput(f"there is no event {numbered.target} to take back")
            events.append((numbered, "" if events else origin))
        return events

    def numbered(self, event: Event, ahead: int) -> Event:
        """Return the event numbered for the record, `ahead` others coming before it. Raises `WrongInput` if it can't be
        recorded.
        """
        numbered = replace(event, seq=len(self.match.events) + 1 + ahead, at=round(event.at, 6))
        check_readable(numbered)
        return numbered

    @property
    def change(self) -> Change | None:
        """What the latest correction changed, until the judge has said something new to everybody."""
        verdicts_told = len(self.match.public)
        return self._change[0] if self._change is not None and self._change[1] == verdicts_told else None

    @property
    def has_returned(self) -> bool:
        """Whether a correction has brought anything back to the end of the story."""
        return bool(self._returned)

    def last_said(self) -> dict[Observer, LastSaid]:
        """Return by observer what pages show as just said; nothing that a correction has brought back is among it."""
        observers = (None, *self.match.seats)
        return {observer: returned.last_said(self.match, observer).without(self._returned) for observer in observers}

    @property
    def rests_since(self) -> float | None:
        """When the match was over, or ended by people, in seconds; None while it is played."""
        if self.match.over:
            # What comes after the end (a card lifted, a press that nobody heeds) prolongs nothing.
            return self.match.events[self.match.public[-1].seq - 1].at
        return self.pause.since if self.is_stopped else None

    @property
    def highlights(self) -> tuple[Highlight, ...]:
        """What the match is remembered for, once it is over.

        Computed once, because it means judging the whole match again. After the end only a retraction changes it, not
        the cards that are cleared away.
        """
        if not self.match.over:
            return ()
        if self._highlights is None:
            self._highlights = souvenir(self.match).highlights
        return self._highlights

    def hints_met(self) -> dict[int, tuple[str, ...]]:
        """Return by seat the hints of the game that have had their time, as everybody was told; none in a
        demonstration, where nobody learns.
        """
        if self.demo:
            return {}
        self._met = teaching.met_before_newest(self.match, self._met)
        return teaching.met_with_newest(self._met, self.match)

    def due(self) -> float | None:
        """Return when the running delay ends (seconds); None if none runs, as in a pause."""
        delay = self.match.delay
        if delay is None or self.pause.why is not None:
            return None
        return delay.due / 1_000_000 + self.pause.put_off(delay.due)

    def go_on(self) -> None:
        """End the pause."""
        delay = self.match.delay
        self.pause.end(delay.due if delay else None)

    def judge(self, events: Sequence[Event]) -> tuple[Verdict, ...]:
        """Have events that came together judged, and note what a correction changed.

        A press that is taken back at once is no correction: nobody has seen it judged.
        """
        verdicts: list[Verdict] = []
        for acts in press_meanings.apart(events):
            if press_meanings.takes_back_at_once(acts[-1]):
                self.match.add_all(acts)
                self.counted.forget()
                doubt = doubt_of(acts[-1])
                seat_feedback.answer_press(self.match, acts[0], doubt, self.feedback)
                if doubt is not None:
                    self.lamps.refuse(acts[0], doubt.code)
            else:
                verdicts += self._judge_acts(acts)
        return tuple(verdicts)

    def _judge_acts(self, events: Sequence[Event]) -> tuple[Verdict, ...]:
        taken_back = [event.target for event in events if isinstance(event, Retracted)]
        if not taken_back:
            return tuple(verdict for event in events for verdict in self._judge(event))
        self._highlights = None
        self._met = nothing_met(self.match.game)
        settled = self.match.settled(taken_back)
        act = self._first_told(taken_back, settled) if len(taken_back) == len(events) else None
        act_of = None if act is None else self._whose(act)
        told_before = changed_by_correction.everybody_told(self.match, settled)
        verdicts_before = [*self.match.told]
        last_before = self.last_said()
        verdicts = self.match.add_all(events)
        self._returned |= returned.brought_back(last_before, self.last_said(), verdicts_before)
        self.lamps.answer_again(self.match)
        self.counted.forget()
        change = changed_by_correction.change(
            told_before, changed_by_correction.everybody_told(self.match, settled), act_of, act
        )
        if change:
            self._change = change, len(self.match.public)
        self.done = None
        return verdicts

    def move(self, moved: Moved) -> None:
        """Have a card count elsewhere, and give the seat whose tap now counts a new answer."""
        if moved.unseen:
            self._move_unseen(moved.retractions)
            return
        self.judge(moved.retractions)
        seat = None if moved.tap is None else seat_at(moved.tap.place)
        answer = None if seat is None else self.feedback.get(seat)
        if seat is not None and answer is not None:
            complete = seat not in now(self.match).seats
            self.feedback[seat] = msgspec.structs.replace(answer, wrong=None, refused=None, complete=complete)

    def _move_unseen(self, retractions: Sequence[Event]) -> None:
        """Judge again before anybody has seen the first result, so that for them nothing has changed."""
        self._highlights = None
        self._met = nothing_met(self.match.game)
        self.match.add_all(retractions)
        self.lamps.answer_again(self.match)
        self.counted.forget()
        if self.done is None:
            return
        entries = [
            entry
            for entry, verdict in enumerate(self.match.public)
            if verdict.seq == self.done.seq and not isinstance(verdict, Misplay)
        ]
        self.done = msgspec.structs.replace(self.done, entry=entries[-1]) if entries else None

    def _first_told(self, taken_back: Collection[int], settled: int) -> Ruling | None:
        """Return the first public ruling on these acts; None: there is none."""
        rulings = (verdict for verdict in self.match.public[settled:] if isinstance(verdict, Ruling))
        return next((ruling for ruling in rulings if ruling.seq in taken_back), None)

    def _whose(self, act: Ruling) -> int | None:
        """Return the seat whose act this was; None if it is nobody's, or several may have done it."""
        nobody: dict[int, frozenset[Doer]] = {}
        doers_by_seq = self.match.tried("whose", lambda: did(self.match, [act.seq]), nobody)
        seats = [doer for doers in doers_by_seq.values() for doer in doers]
        return seats[0] if len(seats) == 1 and isinstance(seats[0], int) else None

    def _judge(self, event: Event) -> tuple[Verdict, ...]:
        """Have an event judged. A sealed or wrong act does not become the latest public act."""
        verdicts_told = len(self.match.public)
        nobody: frozenset[Doer] = frozenset()
        event_doers = self.match.tried("whose", lambda: doers(self.match, event), nobody)
        verdicts, refused = seat_feedback.judged(self.match, event, event_doers, self.feedback)
        self.lamps.answer(event, refused)
        self.counted.take(event, event_doers)
        new_entries = [
            entry
            for entry, verdict in enumerate(self.match.public[verdicts_told:], verdicts_told)
            if not isinstance(verdict, Misplay)
        ]
        if new_entries:
            entry = new_entries[-1]
            is_of_this_act = self.match.public[entry].seq == event.seq
            self.done = LatestAct(entry, event.seq, event_doers) if is_of_this_act else None
        return verdicts


def taken_up(recorder: Recorder, clock: Clock, faults: GameFaults) -> InPlay | None:
    """Resume the match on the table; None if there is none, or if it can't be judged, which is noted as a fault."""
    last = recorder.on_table()
    if last is None:
        return None
    try:
        match = judge(last.events, last.away)
    except Exception as wrong:
        first = last.events[0]
        game = first.game if isinstance(first, Started) else ""
        faults.keep(game, f"match {last.number}", wrong)
        return None
    resumed = Resumed(max(event.at for event in last.events), left_lying(last.events))
    pausing = None if match.over else last.pausing
    pause = _pause_resumed(clock, pausing) if pausing else None
    return InPlay(last.number, match, clock, resumed, pause, demo=last.demo)


def _pause_resumed(clock: Clock, pausing: Pausing) -> Pause:
    """Return a pause as the log has it; one whose reason is unknown is taken for a break."""
    why = next((why for why in Why if why.value == pausing.why), Why.BREAK)
    return Pause(clock, why, min(pausing.at, clock()))  # the clock goes back if no time in the log can be read
