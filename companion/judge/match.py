"""A match: the state that follows from the events that still stand.

Theory of operation
-------------------
A match is a fold. It begins in the state that the game makes of the `started` event; each event that follows gives the
next state, and verdicts: rulings, or a misplay, which changes nothing. The fold reads no clock and no chance, so the
same events give the same match on every machine, for ever, and a match needs to be stored as its events only.

Three fields of an event order it. `seq` is the order in which the companion learned of it, and the order of judging.
`at` is when it happened, and may go back a little for a press that was told late. `origin`, which only the log knows,
identifies a press of a box for ever, so that one told twice is stored once.

Undo is an event. A retracted event is left out, and so is its retraction; a retraction can be retracted. Retracting an
event thus means judging the match again without it, and what followed may now be a misplay. States are values, so some
are kept along the way (`checkpoints.py`), and only what came since the retracted act is judged again.

A game's `unit` is the lay, count, call or round that is going on, never equal to an earlier one. Two rules depend on
it: within a unit a card read twice is no second act, and a verdict that would betray something sealed is withheld until
the unit is over (`Heard.AFTERWARDS`). So there are two orders of the same verdicts: `verdicts` in the order of the
events, and `told` in the order in which they may be told; `public` is the part of `told` that everybody hears.

What holds in every game is decided before its rules are called: misplays after the end, of empty seats, of cards that
belong to another game or to nobody (`wrong_taps.py`). An exception in a game's code is kept in `faults`, and the event
stays.

>>> from companion.events import Player, Pressed, Retracted, Said, Started
>>> match = Match(Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {}))
>>> match.add(Pressed(2, 1.0, 1))[0].code
'started'
>>> [verdict.code for verdict in match.add(Pressed(3, 4.25, 2))]
['shouted']
>>> match.add(Retracted(4, 5.0, 3)), match.state.phase.value
((), 'collecting')
>>> [(verdict.code, verdict.facts) for verdict in match.add(Said(5, 6.0, 5, "no-stop"))]
[('empty-seat', {'number': 5})]
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, Self, TypeVar

import msgspec

from companion import games
from companion.events import SEATS, UNKNOWN, Event, Lifted, Pressed, Retracted, Said, Started, Tapped, place_of, seat_at
from companion.game import NOBODY, AnyGame, Delay, Heard, Misplay, Outcome, Verdict, reads_as_misplay
from companion.judge import taken_back
from companion.judge.checkpoints import EVERY, Checkpoint, Checkpoints
from companion.judge.felt_twice import is_felt_twice
from companion.judge.game_code_fault import Fault, fault_of, where
from companion.judge.played_time import Away, seconds_played
from companion.judge.wrong_taps import judge_wrong_tap

T = TypeVar("T")


class Match:
    """A match as it stands after `events`. `add` takes the next event; nothing else changes it."""

    def __init__(self, started: Started, away: Sequence[Away] = ()):
        """Begin with the first event, which `record_file.check_started` has accepted. `away`: times at which the match
        was not on the table, which no rule knows of.
        """
        self.started = started
        self._away = away
        self.game: AnyGame = games.known()[started.game]
        self.seats = started.seats
        self.names = {player.seat: player.name for player in started.players}
        self._empty_places = frozenset(place_of(seat) for seat in SEATS if seat not in self.seats)
        self.events: list[Event] = [started]
        self.faults: dict[str, Fault] = {}
        """What the game's code raised, each fault once, by `Fault.where`."""
        self._against: taken_back.Against = {}
        self.latest: tuple[Verdict, ...] = ()
        """The verdicts on the latest event, including those left out as repeats for the same card."""
        self._unknown = Outcome(dict.fromkeys(self.seats), ())
        self.options = msgspec.convert(started.options, self.game.options)
        self.state: Any = self.game.begin(started, self.options)
        self.verdicts: list[Verdict] = []
        """Every verdict, in the order of the events."""
        self.told: list[Verdict] = []
        """Those that may be told, in the order in which they may."""
        self.told_with: list[int] = []
        """The `seq` of the event with which each of them was told."""
        self.public: list[Verdict] = []
        """Those of `told` that everybody hears."""
        self.opened: dict[int, frozenset[str]] = {}
        """By index in `public`, the cards that lay open to everybody from that verdict on."""
        self._open: frozenset[str] = frozenset()
        self._withheld: list[Verdict] = []
        self._last_taps: dict[str, tuple[Any, ...]] = {}
        self._unit: Hashable = self.game.unit(self.state)
        self._unit_began = 1
        self._acts = 0
        self._checkpoints = Checkpoints()
        self._lay(1)

    def seconds_played(self, at: float) -> float:
        """Return for how many seconds people had played by then."""
        return seconds_played(self.started.at, at, self._away)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.state.over)

    @property
    def outcome(self) -> Outcome:
        """Scores as they stand, and the winners once it is over."""
        return self.tried("outcome", self._stands, self._unknown)

    def _stands(self) -> Outcome:
        outcome = self.game.stands(self.state)
        seats = self.names.keys()
        are_whole = all(points is None or type(points) is int for points in outcome.scores.values())
        if not are_whole or outcome.scores.keys() != seats or not seats >= {*outcome.winners}:
            raise TypeError(f"{outcome!r} is no outcome for the seats {self.seats}")
        return outcome

    @property
    def unit(self) -> Hashable:
        """The lay, count, call or round that is going on, never equal to an earlier one."""
        return self._unit

    @property
    def unit_began(self) -> int:
        """The `seq` of the first event that is judged in this unit."""
        return self._unit_began

    @property
    def delay(self) -> Delay | None:
        """The running delay."""
        return self.tried("delay", lambda: self.game.moves.delay(self.state), None)

    @property
    def misplays(self) -> list[Misplay]:
        """The events that broke the rules, in their order."""
        return [verdict for verdict in self.verdicts if isinstance(verdict, Misplay)]

    def tried(self, hook: str, call: Callable[[], T], otherwise: T) -> T:
        """Return what the game's code returns; if it raises, keep the fault and return `otherwise`."""
        try:
            return call()
        except Exception as wrong:
            self.keep_fault(hook, wrong)
            return otherwise

    def keep_fault(self, hook: str, wrong: Exception) -> None:
        """Keep what the game's code raised in this hook."""
        if where(hook, wrong) not in self.faults:  # what fails is called again and again, but its trace is written once
            fault = fault_of(self.game.slug, hook, wrong)
            self.faults[fault.where] = fault

    def add(self, event: Event) -> tuple[Verdict, ...]:
        """Take the next event; return its verdicts."""
        return self.add_all((event,))

    def add_all(self, events: Sequence[Event]) -> tuple[Verdict, ...]:
        """Take the next events; a run of retractions judges the match again only once."""
        verdicts: list[Verdict] = []
        changed: list[int] = []
        for event, following in zip_longest(events, events[1:]):
            self.events.append(event)
            if not isinstance(event, Retracted):
                verdicts += self._judge(event)
                continue
            act = taken_back.count(self._against, self.events, event.target, 1)
            changed += [] if act is None else [act]
            if changed and not isinstance(following, Retracted):
                self._return_to(self._checkpoints.back_to(min(changed) - 1))
                changed = []
        return tuple(verdicts)

    def stands(self, seq: int) -> bool:
        """Whether this event, or this retraction, has not been taken back."""
        return seq not in self._against

    def standing(self, since: int = 1) -> list[Event]:
        """Return the events from this one on that still stand."""
        return taken_back.left(self.events[since - 1 :], self._against)

    def taps_of(self, seat: int, cards: Collection[str] = ()) -> list[int]:
        """Return the seqs of this seat's standing taps in the lay, count, call or round that is going on.

        With `cards`, only the taps of those cards, also if a pad that all share has read them.
        """
        return [
            event.seq
            for event in self.standing(self._unit_began)
            if isinstance(event, Tapped) and _is_of(event, seat, cards)
        ]

    def settled(self, seqs: Iterable[int]) -> int:
        """Return how many of `public` are unaffected when these events are taken back."""
        acts = [self._act(seq) for seq in seqs if seq <= len(self.events)]
        return self._checkpoints.last_before(min(acts, default=len(self.events) + 1) - 1).public

    def _act(self, seq: int) -> int:
        """Return the act that stands or falls by this event: of a retraction of a retraction, the act at its end."""
        while isinstance(event := self.events[seq - 1], Retracted):
            seq = event.target
        return seq

    def before(self, seq: int) -> Self:
        """Return the match before this event, made of only those events that still stand today."""
        return self._forked(self.events[: seq - 1], {**self._against}, seq - 1)

    def as_of(self, length: int) -> Self:
        """Return the match as it stood after its first `length` events."""
        against = {**self._against}
        unchanged = length
        for event in reversed(self.events[length:]):
            if isinstance(event, Retracted):
                act = taken_back.count(against, self.events, event.target, -1)
                unchanged = unchanged if act is None else min(unchanged, act - 1)
        return self._forked(self.events[:length], against, unchanged)

    def _forked(self, events: list[Event], against: taken_back.Against, unchanged: int) -> Self:
        """Return an independent match; the first `unchanged` of its events stand as they do here."""
        fork = type(self)(self.started, self._away)
        fork.events = events
        fork._against = against
        fork.verdicts = [*self.verdicts]
        fork.told = [*self.told]
        fork.told_with = [*self.told_with]
        fork.public = [*self.public]
        fork.opened = {**self.opened}
        fork._checkpoints = self._checkpoints.copy()
        fork._return_to(fork._checkpoints.back_to(unchanged))
        return fork

    def _return_to(self, checkpoint: Checkpoint) -> None:
        """Go back to a checkpoint, and judge again everything after it."""
        del self.verdicts[checkpoint.verdicts :]
        del self.told[checkpoint.told :]
        del self.told_with[checkpoint.told :]
        del self.public[checkpoint.public :]
        # Keys are in ascending order, so popping from the end removes all that were opened after the checkpoint.
        while self.opened and next(reversed(self.opened)) >= checkpoint.public:
            self.opened.popitem()
        self.state = checkpoint.state
        self._unit = checkpoint.unit
        self._unit_began = checkpoint.unit_began
        self._open = checkpoint.open
        self._withheld = [*checkpoint.withheld]
        self._last_taps = {**checkpoint.last_taps}
        self._acts = checkpoint.number * EVERY
        self._judge_from(checkpoint.taken)

    def _judge_from(self, events_taken: int) -> None:
        """Judge the events after the first `events_taken`."""
        for event in taken_back.left(self.events[events_taken:], self._against):
            self._judge(event)

    def _lay(self, events_taken: int) -> None:
        self._checkpoints.lay(
            Checkpoint(
                number=self._acts // EVERY,
                taken=events_taken,
                verdicts=len(self.verdicts),
                told=len(self.told),
                public=len(self.public),
                state=self.state,
                unit=self._unit,
                unit_began=self._unit_began,
                open=self._open,
                withheld=tuple(self._withheld),
                last_taps={**self._last_taps},
            )
        )

    def _judge(self, event: Event) -> tuple[Verdict, ...]:
        unit = self._unit
        public_before = len(self.public)
        self.latest = self._verdicts(event)
        verdicts = self._without_repeats(event) if isinstance(event, Tapped) else self.latest
        for verdict in verdicts:
            self.verdicts.append(verdict)
            if isinstance(verdict, Misplay) and verdict.heard is Heard.AFTERWARDS:
                self._withheld.append(verdict)
            elif verdict.to != NOBODY:
                self._tell(verdict, event.seq)
        # The unit is over, and everything in it is known: the withheld misplays betray nothing any more.
        if self._withheld and self._unit != unit:
            for verdict in self._withheld:
                self._tell(verdict, event.seq)
            self._withheld = []
        if len(self.public) > public_before:
            self._see_what_opened()
        self._acts += 1
        if not self._acts % EVERY:
            self._lay(event.seq)
        return verdicts

    def _see_what_opened(self) -> None:
        lies_open = self.tried("knows", self._lie_open, self._open)
        if lies_open - self._open:
            self.opened[len(self.public) - 1] = lies_open - self._open
        self._open = lies_open

    def _lie_open(self) -> frozenset[str]:
        cards = frozenset(self.game.knows(self.state, None).sees)
        if cards != self._open and not cards <= self.game.deck.keys():
            raise TypeError(f"not all of {set(cards)} are cards of the deck")
        return cards

    def _tell(self, verdict: Verdict, seq: int) -> None:
        self.told.append(verdict)
        self.told_with.append(seq)
        if verdict.to is None:
            self.public.append(verdict)

    def _without_repeats(self, event: Tapped) -> tuple[Verdict, ...]:
        """Return the verdicts on a tap, without its misplays if it repeats the tap before it at this place in the unit.

        A tap elsewhere comes between the two only if everybody was told of it: a sealed one must not show by a misplay
        that is told again. The misplay after a sealed tap is kept for nobody.
        """
        tap = (event.card, event.tag if event.card == UNKNOWN else None)
        taps = self._last_taps
        repeated = tap == taps.get(event.place)
        previous_place = next(reversed(taps)) if repeated else None
        verdicts = self.latest
        if not repeated and taps and any(verdict.to is None for verdict in verdicts):
            taps.clear()
        # Removed first: assigning to an existing key would keep its old place in the dict's order.
        taps.pop(event.place, None)
        taps[event.place] = tap
        if not repeated:
            return verdicts
        if previous_place != event.place:
            misplays = (verdict for verdict in verdicts if isinstance(verdict, Misplay))
            self.verdicts += (msgspec.structs.replace(misplay, to=NOBODY) for misplay in misplays)
        return tuple(verdict for verdict in verdicts if not reads_as_misplay(verdict))

    def _verdicts(self, event: Event) -> tuple[Verdict, ...]:
        state_before = self.state
        try:
            verdicts = self._common(event)
            if verdicts is not None:
                return verdicts
            state, verdicts = self.game.moves.judge(state_before, event)
            for verdict in verdicts:
                if verdict.seq > event.seq or type(verdict.facts) is not dict:
                    raise TypeError(f"{verdict!r} is no verdict on event {event.seq}")
            unit = self._unit if state is state_before else self.game.unit(state)
        except Exception as wrong:
            # The event is on disk already: if a fault in the rules' code escaped, this match could never be judged.
            self.keep_fault("judge", wrong)
            return (Misplay("judge-failed", event.seq),)
        if state is not state_before:
            self.state = state
            if unit != self._unit:
                self._unit = unit
                self._unit_began = event.seq + 1
                self._last_taps.clear()
        return verdicts

    def _common(self, event: Event) -> tuple[Verdict, ...] | None:
        """Return the verdicts that hold in every game, or None if the game's rules must judge."""
        if isinstance(event, Tapped):
            if event.place not in self._empty_places and event.card in self.game.deck and not self.state.over:
                return None
            return judge_wrong_tap(self.game, self.state, self._empty_places, event)
        if isinstance(event, Lifted):
            return ()
        if self.state.over:
            return () if is_felt_twice(event, self.events, self.stands) else (Misplay("match-over", event.seq),)
        if isinstance(event, Pressed | Said) and event.seat not in self.names and event.seat != "host":
            return (Misplay("empty-seat", event.seq, {"number": event.seat}),)
        return None


def _is_of(event: Tapped, seat: int, cards: Collection[str]) -> bool:
    if not cards:
        return seat_at(event.place) == seat
    return event.card in cards and seat_at(event.place) in (seat, None)


def judge(events: Iterable[Event], away: Sequence[Away] = ()) -> Match:
    """Judge a whole record, as `record_file.decode` returns it. `away`: times at which it was not on the table."""
    following = iter(events)
    first = next(following)
    assert isinstance(first, Started)
    match = Match(first, away)
    # The retractions of the whole record are counted first, so that retracted events are never judged.
    match.events.extend(following)
    match._against = taken_back.against(match.events)
    match._judge_from(1)
    return match
