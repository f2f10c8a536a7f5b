"""A match: the state that follows from the events that still stand.

Theory of operation
-------------------
A match is a fold. It begins in the state that the game makes of the `started` event; each event that follows gives the
next state, and verdicts: rulings, or a misplay, which changes nothing. The fold reads no clock and no chance, so the
same events give the same match on every machine, for ever, and a match needs to be stored as its events only.

An event has three things to do with time. `seq` is the order in which the companion learned of it, and the order of
judging. `at` is when it happened, and may run back a little: a press that was told late. `origin`, which only the log
knows, names a press of a box for good, so that one that is told twice is stored once.

Undo is an event. `standing` leaves out what was retracted, and the retractions; a retraction can be retracted. So
taking something back judges the whole match again without it, and whatever followed may now be a misplay.

A game's `unit` is the lay, count, call or round that is going on, never equal to an earlier one. Two rules hang on it:
within a unit a card read twice is no second act, and what would betray something sealed is withheld until the unit is
over (`Heard.AFTERWARDS`). So there are two orders of the same verdicts: `verdicts` in the order of the events, and
`told` in the order in which they may be told; `public` is what of `told` everybody hears.

Before a game's rules are asked, what holds in every game is decided here: misplays after the end, of empty seats, of
cards that are another game's or nobody's. What a game's code raises is kept in `faults`, and the event stays.

>>> from companion.events import Player, Pressed, Retracted, Said, Started
>>> match = Match(Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {}))
>>> match.add(Pressed(2, 1.0, 1))[0].code
'started'
>>> [verdict.code for verdict in match.add(Pressed(3, 4.25, 2))]
['shouted']
>>> match.add(Retracted(4, 5.0, 3)), match.state.phase.value
((), 'collecting')
>>> match.add(Said(5, 6.0, 5, "no-stop"))[0]
Misplay(code='empty-seat', seq=5, facts={'number': 5}, to=None, heard=<Heard.AT_ONCE: 'at once'>)
"""

import traceback
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from itertools import islice, zip_longest
from typing import Any, TypeVar

import msgspec

from companion import games
from companion.events import (
    PHONE,
    PLACES,
    UNKNOWN,
    Event,
    Lifted,
    Pressed,
    Retracted,
    Said,
    Started,
    Tapped,
    seat_at,
)
from companion.game import AnyGame, Delay, Heard, Misplay, Outcome, Verdict

T = TypeVar("T")


class Fault(msgspec.Struct, frozen=True):
    """Something that a game's code raised. It costs what was asked for, and nothing else."""

    game: str
    what: str
    """What was asked for: "judge", "view" …"""
    where: str
    """What was raised, and at which line: the same fault again has the same."""
    trace: str
    """The traceback, for whoever can mend it."""


def fault_of(game: str, what: str, wrong: Exception) -> Fault:
    """Describe what was raised by the code of this game."""
    return Fault(game, what, _raised(what, wrong), "".join(traceback.format_exception(wrong)))


def _raised(what: str, wrong: Exception) -> str:
    """Return where it was raised, which tells one fault from another: what a template asks for, by the template."""
    frames = traceback.extract_tb(wrong.__traceback__)
    at = ([frame for frame in frames if frame.filename.endswith(".html")] or frames)[-1]
    return f"{what}: {type(wrong).__name__} at {at.filename}:{at.lineno}"


_CENTRAL = frozenset(place for place in PLACES if seat_at(place) is None)


class Match:
    """A match as it stands after `events`. `add` takes the next event; nothing else changes it."""

    def __init__(self, started: Started):
        """Begin with the first event, which `record_file.check_started` has found good."""
        self.started = started
        self.game: AnyGame = games.known()[started.game]
        self.seats = tuple(player.seat for player in started.players)
        self.names = {player.seat: player.name for player in started.players}
        self._places = _CENTRAL | {f"seat-{seat}" for seat in self.seats}
        self.events: list[Event] = [started]
        self.faults: dict[str, Fault] = {}
        """What the game's code raised, each fault once, by `Fault.where`."""
        self._begin()

    def _begin(self) -> None:
        options = msgspec.convert(self.started.options, self.game.options)
        self.state: Any = self.game.begin(self.started, options)
        self.verdicts: list[Verdict] = []
        """Everything the judge decided, in the order of the events."""
        self.told: list[Verdict] = []
        """The same in the order in which it may be told."""
        self.told_at: list[float] = []
        """When each of them was told, in seconds on the table's clock."""
        self.public: list[Verdict] = []
        """What was told to everybody."""
        self.opened: dict[int, frozenset[str]] = {}
        """By the number of a public verdict, the cards that lay open to everybody from then on."""
        self._open: frozenset[str] = frozenset()
        self._withheld: list[Verdict] = []
        self._last_taps: dict[str, tuple[Any, ...]] = {}
        self._unit: Hashable = self.game.unit(self.state)
        self._unit_began = 1

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.state.over)

    @property
    def outcome(self) -> Outcome:
        """Scores as they stand, and the winners once it is over."""
        unknown = Outcome(dict.fromkeys(self.seats), ())
        return self.tried("outcome", lambda: self.game.outcome(self.state), unknown)

    @property
    def unit(self) -> Hashable:
        """The lay, count, call or round that is going on, never equal to an earlier one."""
        return self._unit

    @property
    def delay(self) -> Delay | None:
        """The delay that runs."""
        return self.tried("delay", lambda: self.game.delay(self.state), None)

    @property
    def misplays(self) -> list[Misplay]:
        """The events that broke the rules, in their order."""
        misplays = (verdict for verdict in self.verdicts if isinstance(verdict, Misplay))
        return [misplay for misplay in misplays if misplay.heard is not Heard.FEIGNED]

    def tried(self, what: str, call: Callable[[], T], otherwise: T) -> T:
        """Return what the game's code returns; `otherwise`, where that raises, and keep the fault."""
        try:
            return call()
        except Exception as wrong:
            self.keep_fault(what, wrong)
            return otherwise

    def keep_fault(self, what: str, wrong: Exception) -> None:
        """Keep what the game's code raised when it was asked for this."""
        if _raised(what, wrong) not in self.faults:  # what fails is asked again and again: its trace is written once
            fault = fault_of(self.game.slug, what, wrong)
            self.faults[fault.where] = fault

    def add(self, event: Event) -> tuple[Verdict, ...]:
        """Take the next event; give what the judge has to say of it."""
        self.events.append(event)
        if isinstance(event, Retracted):
            self._again()
            return ()
        return self._judge(event)

    def add_all(self, events: Sequence[Event]) -> tuple[Verdict, ...]:
        """Take the next events; what is taken back one after another is judged again once."""
        verdicts: list[Verdict] = []
        for event, following in zip_longest(events, events[1:]):
            if isinstance(event, Retracted) and isinstance(following, Retracted):
                self.events.append(event)
            else:
                verdicts += self.add(event)
        return tuple(verdicts)

    def taps_of(self, seat: int, cards: Collection[str] = ()) -> list[int]:
        """Return the seqs of this seat's standing taps in the lay, count, call or round that is going on.

        With `cards`, only the taps of those cards, also where a pad that all share has read them.
        """
        return [
            event.seq
            for event in standing(self.events[self._unit_began - 1 :])
            if isinstance(event, Tapped) and _is_of(event, seat, cards)
        ]

    def _again(self) -> None:
        self._begin()
        for event in standing(self.events)[1:]:
            self._judge(event)

    def _judge(self, event: Event) -> tuple[Verdict, ...]:
        unit, told = self._unit, len(self.public)
        verdicts = self._judge_tap(event) if isinstance(event, Tapped) else self._verdicts(event)
        for verdict in verdicts:
            self.verdicts.append(verdict)
            if not isinstance(verdict, Misplay) or verdict.at_once:
                self._tell(verdict, event.at)
            elif verdict.heard is Heard.AFTERWARDS:
                self._withheld.append(verdict)
        if self._withheld and self._unit != unit:
            for verdict in self._withheld:
                self._tell(verdict, event.at)
            self._withheld = []
        if len(self.public) > told:
            self._see_what_opened()
        return verdicts

    def _see_what_opened(self) -> None:
        try:
            now = frozenset(self.game.opened(self.state))
        except Exception as wrong:
            self.keep_fault("opened", wrong)
            return
        if now - self._open:
            self.opened[len(self.public) - 1] = now - self._open
        self._open = now

    def _tell(self, verdict: Verdict, at: float) -> None:
        self.told.append(verdict)
        self.told_at.append(at)
        if verdict.to is None:
            self.public.append(verdict)

    def _judge_tap(self, event: Tapped) -> tuple[Verdict, ...]:
        """Judge a tap; one that repeats the tap before it, within the same lay, count, call or round, is no misplay.

        "Before" is what everybody could see: a tap elsewhere of which nobody else is told must not show by making a
        misplay speak again.
        """
        tap = (event.card, event.tag if event.card == UNKNOWN else None)
        repeated = tap == self._last_taps.get(event.place)
        verdicts = self._verdicts(event)
        if not repeated and self._last_taps and any(verdict.to is None for verdict in verdicts):
            self._last_taps.clear()
        self._last_taps[event.place] = tap
        if repeated:
            return tuple(verdict for verdict in verdicts if not isinstance(verdict, Misplay))
        return verdicts

    def _verdicts(self, event: Event) -> tuple[Verdict, ...]:
        before = self.state
        try:
            verdicts = self._common(event)
            if verdicts is not None:
                return verdicts
            state, verdicts = self.game.judge(before, event)
            unit = self._unit if state is before else self.game.unit(state)
        except Exception as wrong:
            # The event is on disk: a fault of the rules' code must not keep the evening from being judged ever again.
            self.keep_fault("judge", wrong)
            return (Misplay("judge-failed", event.seq),)
        if state is not before:
            self.state = state
            if unit != self._unit:
                self._unit, self._unit_began = unit, event.seq + 1
                self._last_taps.clear()
        return verdicts

    def _common(self, event: Event) -> tuple[Verdict, ...] | None:
        """Return what needs no game's rules; None: the game must judge."""
        if isinstance(event, Tapped):
            if event.place in self._places and event.card in self.game.deck and not self.state.over:
                return None
            return self._wrong_tap(event)
        if isinstance(event, Lifted):
            return ()
        if self.state.over:
            return (Misplay("match-over", event.seq),)
        if isinstance(event, Pressed | Said) and event.seat not in self.names and event.seat != "host":
            return (Misplay("empty-seat", event.seq, {"number": event.seat}),)
        return None

    def _wrong_tap(self, event: Tapped) -> tuple[Misplay, ...]:
        if self.state.over:
            return self._after_the_end(event)
        if event.place not in self._places:
            return (Misplay("empty-seat", event.seq, {"number": seat_at(event.place)}),)
        return (self._of_no_use(event),)

    def _after_the_end(self, event: Tapped) -> tuple[Misplay, ...]:
        """Nothing, where the card lies there since an act before it; nor is anything told where that is sealed."""
        over = Misplay("match-over", event.seq)
        if event.place not in self._places or event.card not in self.game.deck:
            return (over,)
        state, verdicts = self.game.judge(self.state, event)
        if state != self.state or not all(map(_is_unheard, verdicts)):
            return (over,)
        return tuple(msgspec.structs.replace(over, heard=Heard.NEVER) for _ in verdicts)

    def _of_no_use(self, event: Tapped) -> Misplay:
        """Return whose card it is: another game's bears its id, or, on a real reader, "?" and the tag `game/card`."""
        seat = seat_at(event.place)
        tag = event.tag if event.card == UNKNOWN and event.tag is not msgspec.UNSET else ""
        if tag == PHONE:
            return Misplay("phone-read", event.seq, {}, to=seat)
        named, *card = tag.split("/", 1)
        owners = (named,) if card and named in games.known() else games.whose(event.card)
        if owners and owners[0] != self.game.slug:
            return Misplay("other-game", event.seq, {"game": owners[0]}, to=seat)
        return Misplay("unknown-card", event.seq, {}, to=seat)


def _is_unheard(verdict: Verdict) -> bool:
    return isinstance(verdict, Misplay) and verdict.heard is Heard.NEVER


def _is_of(event: Tapped, seat: int, cards: Collection[str]) -> bool:
    if not cards:
        return seat_at(event.place) == seat
    return event.card in cards and seat_at(event.place) in (seat, None)


def standing(events: Sequence[Event]) -> list[Event]:
    """Leave out what is taken back, and the taking back. A retraction can itself be retracted."""
    retractions = [event for event in events if isinstance(event, Retracted)]
    if not retractions:
        return list(events)
    gone: set[int] = set()
    for event in reversed(retractions):
        if event.seq not in gone:
            gone.add(event.target)
    return [event for event in events if event.seq not in gone and not isinstance(event, Retracted)]


def judge(events: Iterable[Event]) -> Match:
    """Judge a whole record. The events are as `record_file.decode` gives them."""
    following = iter(events)
    first = next(following)
    assert isinstance(first, Started)
    match = Match(first)
    match.events.extend(following)
    for event in islice(standing(match.events), 1, None):
        match._judge(event)
    return match
