"""People who slip once, and then do only what the table tells them.

They see the cards, know what they meant to do, and read what the table says: to everybody, and at their own seat. They
know nothing of how it judges. What they do about it is:

- a misplay: what its words ask (`told.py`);
- a ruling on what nobody did: undo that line;
- a card that is said to count elsewhere: lay it once more where it belongs;
- a press that the table doubts: press again, if it was meant;
- somebody is waited for who thinks they are done: they do it once more, all of it;
- a number or a hand is shown that is another than theirs: they undo that, and do it once more.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.events import Event, Lifted, Pressed, Retracted, Said, Started, Tapped, place_of, seat_at
from companion.game import Verdict, reads_as_misplay
from companion.game.simulated_world import Move
from companion.judge.contested_cards import Contested
from companion.judge.doubted_presses import doubt_of
from tests.trust.slip.table import Table
from tests.trust.slip.told import Doing, doing
from tests.trust.worlds import kartel, stop_it
from tests.trust.worlds.compared import disagreements
from tests.trust.worlds.truth import Truth

PAUSE = 1.3
"""Seconds from one act to the next: nobody's echo."""
CURES = 3
"""How often people put something right after one slip at most: at each of two seats, and one card laid again."""


AWAITED = {
    "now-counting": "count",
    "now-counting-all": "count",
    "now-hands": "show",
    "now-other-hands": "show",
    "now-series-and-hands": "show",
    "now-series": "series",
}
"""By what the table waits for, what it is that people do once more, where it may not be what they did last."""
FAULTS = ("unsorted", "dropped")
"""Lines of whoever reports a fault: they say nothing of their own cards."""
Done = dict[int, dict[str, tuple[Event, ...]]]
"""By seat, and by the kind of move, what people did last; the latest kind comes last."""


class Lost(Exception):
    """Nothing that the table says leads on, or what it says leads elsewhere."""


@dataclass(frozen=True, slots=True)
class Slip:
    """How an act is done wrongly."""

    kind: str
    events: tuple[Event, ...]
    """What the table senses of it, the wrong and the right."""
    wrong: frozenset[int]
    """Which of them nobody meant, by their place in `events`."""
    seats: frozenset[int]
    """Whom it concerns: whose card, and whose pad."""
    lays_again: bool = False
    """Whether they see it, and lay the card where it belongs before they look at what is said."""
    between_seats: bool = False
    """Whether that is between two seats' pads: then laying it again must be enough, without any undo."""
    instead_of: Tapped | None = None
    """What was meant, if it is not among them: whoever is told that something was wrong does that."""


@dataclass
class People:
    table: Table
    truth: Truth
    lot: int
    done: Done
    hurry: bool
    """Whether they lay their cards again before somebody has agreed to the undo."""
    cures: list[str] = field(default_factory=list)
    """What they did beside playing."""
    _concerned: frozenset[int] = frozenset()
    _cured: int = 0
    """How many cures there were before the latest slip."""
    _mover: int = 0
    _lays_again: bool = False
    _doubted: Verdict | None = None
    """What was told of the wrong act, and not undone at once."""

    def play(self, move: Move, slip: Slip | None = None) -> None:
        """Do this, and put right what the table shows to be wrong."""
        self.table.pass_until(self.table.now + PAUSE)
        self.truth = self.truth.passed(self._at)
        if self.truth.over:
            return
        meant = events_of(self.truth, move, self._at, self.lot)
        events = slip.events if slip else meant
        if slip is not None:
            self._concerned |= slip.seats
            self._cured = len(self.cures)
            self._doubted = None  # all was as it should be since the slip before
        self._mover = move.seat
        self._lays_again = slip is not None and slip.lays_again
        note(self.done, move, meant)
        done = False
        for number, event in enumerate(events):
            wrong = slip is not None and number in slip.wrong
            if not wrong and not done:
                self._now_true(move)
                done = True
            asked = self._do(event, meant, wrong=wrong)
            if asked and wrong and slip is not None and slip.instead_of is not None:
                self._do(slip.instead_of, meant)
        if not done:
            self._now_true(move)
        self.settle()
        # A full hand of ¡Go! can't be told which of its cards is not its own before all are in.
        is_enough = slip is not None and slip.between_seats and self.table.game.slug != "go"
        if is_enough and any(step.startswith("undo") for step in self.cures[self._cured :]):
            raise Lost(f"laying the card at the right pad was not enough: {self.cures}")

    @property
    def sealed(self) -> bool:
        """Whether the table has read something else than what lies there, or may have, and nobody can see it yet."""
        match = self.table.match
        if isinstance(self.truth, stop_it.StopIt):
            return bool(match.state.tapped)
        return any(_is_sealed(wrong) for wrong in disagreements(self.truth, match))

    def _now_true(self, move: Move) -> None:
        self.truth, _ = self.truth.after(move, self._at, random.Random(self.lot))

    @property
    def _at(self) -> int:
        return round(self.table.now * 1_000_000)

    def _do(self, event: Event, meant: Sequence[Event], *, wrong: bool = False) -> bool:
        """Do one thing, and what the table answers to it; return whether it asks for what was meant instead."""
        asked = False
        told = self.table.sense(event)
        if not wrong and isinstance(event, Pressed) and event.seat in self.table.live.snapshot.asked:
            self.table.pass_until(self.table.now + PAUSE)
            told = self.table.sense(event)
        seq = self.table.match.events[-1].seq if not told else max(verdict.seq for verdict in told)
        for verdict in told:
            if reads_as_misplay(verdict):
                asked = self._hear(verdict, event, meant, wrong=wrong and verdict.seq == seq) or asked
            elif wrong and verdict.to is None and verdict.seq == seq:
                if self._lays_again:
                    self._doubted = verdict
                    continue
                self._undo(verdict)
                return True
        return asked

    def _hear(self, verdict: Verdict, event: Event, meant: Sequence[Event], *, wrong: bool) -> bool:
        asks = doing(self.table.game, verdict.code)
        if asks is Doing.READ_BESIDE:
            self._read_beside(verdict.facts["cards"], meant)
            self._do(event, meant)
        if asks in (Doing.COUNT_AGAIN, Doing.READ_AGAIN) and not wrong:
            seat = _seat_of(event)
            assert seat is not None
            self._again(seat)
        return asks is Doing.AGAIN

    def _read_beside(self, missing: Sequence[str], meant: Sequence[Event]) -> None:
        ring = [event.card for event in meant if isinstance(event, Tapped)]
        self._cure(f"they tap {missing}, each after the one before it", None)
        for token in missing:
            number = ring.index(token)
            for event in meant[max(0, number - 1) : number + 1]:
                self._do(event, meant)
            if number == 0:
                assert isinstance(self.truth, kartel.Kartel)
                self.truth = self.truth.behind_the_first

    def settle(self) -> None:
        """Look at the table, and at what is shown; put right what is not so."""
        for _ in range(CURES + 1):
            wrong = self._seen_to_be_wrong()
            if not wrong:
                return
            if not self._put_right():
                raise Lost(f"nothing that the table says cures: {wrong}")
        raise Lost(f"after {self.cures} still: {self._seen_to_be_wrong()}")

    def _seen_to_be_wrong(self) -> str:
        """Return what is shown and not so; what a hand is thought to hold is sealed, and comes out later."""
        return next((wrong for wrong in disagreements(self.truth, self.table.match) if not _is_sealed(wrong)), "")

    def _put_right(self) -> bool:
        return (
            self._lay_where_it_belongs()
            or self._undo_what_is_doubted()
            or self._take_back_what_is_shown()
            or self._do_what_is_waited_for()
        )

    def _undo_what_is_doubted(self) -> bool:
        verdict = self._doubted
        self._doubted = None
        if verdict is None or not self.table.match.stands(verdict.seq):
            return False
        self._undo(verdict)
        return True

    def _lay_where_it_belongs(self) -> bool:
        done = False
        for card in self._contested:
            owner = next(
                (
                    seat
                    for seat, acts in self.done.items()
                    if any(_card_of(event) == card.card for events in acts.values() for event in events)
                ),
                None,
            )
            if owner is not None and owner in card.seats and owner != card.counts_at:
                self._cure(f"seat {owner} lays {card.card} once more", owner)
                self.table.pass_until(self.table.now + PAUSE)
                self._do(Tapped(0, 0.0, place_of(owner), card.card), ())
                if any((other.card, other.counts_at) == (card.card, card.counts_at) for other in self._contested):
                    raise Lost(f"{card.card} was laid at seat {owner} once more, and still counts elsewhere")
                done = True
        return done

    @property
    def _awaited(self) -> str | None:
        return AWAITED.get(self.table.live.snapshot.views[None]["table"]["now"]["code"])

    @property
    def _contested(self) -> tuple[Contested, ...]:
        return self.table.live.snapshot.contested

    def _do_what_is_waited_for(self) -> bool:
        """Whoever is waited for and is done thinks that something was missed."""
        if self.table.match.over:
            return False
        view = self.table.live.snapshot.views[None]["table"]
        known = self.truth.known
        shown = view["now"].get("seats", ())
        waits_for = self.truth.waits_for or ()
        if not self._mover:
            again = [seat for seat in sorted({0} | self._concerned) if any(self.done.get(seat, {}).values())]
        elif not shown or self._mover in shown or view.get("tops") != known.get("tops"):
            again = [self._mover]  # also whose card isn't on the pile that is shown, where nobody waits for them
        else:
            again = [seat for seat in shown if seat not in waits_for or view["phase"] != known["phase"]]
        for seat in again:
            self._cure(f"seat {seat} does it once more, as the table waits for it", seat)
            self._repeat(seat, self._awaited)
        return bool(again)

    def _take_back_what_is_shown(self) -> bool:
        """Those of whom something is shown that is not so undo it, and do it once more."""
        seats = [*self._shown_wrongly()]
        for seat in seats:
            self._again(seat)
        return bool(seats)

    def _shown_wrongly(self) -> Iterator[int]:
        known = self.truth.known
        view = self.table.live.snapshot.views[None]["table"]
        rounds = known.get("rounds") or ()
        shown = view.get("rounds") or ()
        for true, said in zip(rounds[-1:], shown[-1:], strict=False) if len(rounds) == len(shown) else ():
            for key in ("counts", "divisions"):
                if key in true:
                    yield from (int(seat) for seat in true[key] if not _same(true[key][seat], said[key].get(seat)))
        if known["phase"] == view["phase"]:
            for key in ("counted", "complete"):
                true, said = (_inner(one).get(key, []) for one in (known, view))
                yield from (seat for seat in said if seat not in true)

    def _again(self, seat: int) -> None:
        """Undo what this seat has done last, as far as it was told, and do it once more."""
        match = self.table.match
        rulings = (told for told in reversed(match.public) if not reads_as_misplay(told) and told.code not in FAULTS)
        line = next((told for told in rulings if _seat_of(match.events[told.seq - 1]) == seat), None)
        if line is None:
            raise Lost(f"there is no line of seat {seat} to undo")
        if not self.hurry:
            self._undo(line)
            self._repeat(seat, self._awaited)
            return
        self._cure(f"undo {line.code}, and do it once more before that is agreed to", seat)
        asked = len(match.events)
        self.table.pass_until(self.table.now + PAUSE)
        for event in self._did(seat, self._awaited):
            self.table.sense(event)
        self.table.undo(line, asked)

    def _repeat(self, seat: int, what: str | None) -> None:
        events = self._did(seat, what)
        self.table.pass_until(self.table.now + PAUSE)
        for event in events:
            self._do(event, events)

    def _did(self, seat: int, what: str | None) -> Sequence[Event]:
        """Return what this seat did last, or what it did last of that kind."""
        acts = self.done.get(seat, {})
        return acts.get(what or "", ()) or next(reversed(acts.values()), ())

    def _undo(self, verdict: Verdict) -> None:
        seat = _seat_of(self.table.match.events[verdict.seq - 1])
        self._cure(f"undo {verdict.code}", seat)
        self.table.pass_until(self.table.now + PAUSE)
        self.table.undo(verdict)

    def _cure(self, what: str, seat: int | None) -> None:
        self.cures.append(what)
        if seat and seat not in self._concerned:
            raise Lost(f"{what}: seat {seat} has nothing to do with it")
        if len(self.cures) - self._cured > CURES:
            raise Lost(f"too many steps: {self.cures}")

    def untouched(self) -> str:
        """Return what was taken back of somebody whom the slip does not concern; "": nothing."""
        match = self.table.match
        asked_again = {event.target for event in match.events if isinstance(event, Retracted) and doubt_of(event)}
        for event in match.events:
            if isinstance(event, Started | Retracted | Lifted) or match.stands(event.seq) or event.seq in asked_again:
                continue
            seat = _seat_of(event)
            if seat is not None and seat not in self._concerned:
                return f"of seat {seat}, whom it does not concern, {event} was taken back"
        return ""


def note(done: Done, move: Move, meant: Sequence[Event]) -> None:
    """Remember who did what of a move; of what all do together, each their part."""
    for seat in (move.seat,) if move.seat else range(7):
        acts = done.setdefault(seat, {})
        acts.pop(move.what, None)
        acts[move.what] = tuple(event for event in meant if move.seat or (_seat_of(event) or 0) == seat)


def events_of(truth: Truth, move: Move, at: int, lot: int) -> tuple[Event, ...]:
    """Return what a table with readers at the seats senses of a move: cards, not numbers typed into a phone."""
    if isinstance(truth, stop_it.StopIt) and move.what == "count":
        return stop_it.by_cards(truth, move)
    return truth.after(move, at, random.Random(lot))[1]


def _seat_of(event: Event) -> int | None:
    match event:
        case Tapped(place=place):
            return seat_at(place)
        case Pressed(seat=seat):
            return seat
        case Said(seat=seat):
            return seat if isinstance(seat, int) else None
    return None


def _card_of(event: Event) -> str | None:
    return event.card if isinstance(event, Tapped) else None


def _is_sealed(wrong: str) -> bool:
    """Whether this is about what a hand is thought to hold."""
    return " holds [" in wrong


def _same(true: object, said: object) -> bool:
    if isinstance(true, dict) and isinstance(said, dict):
        return all(key in said and true[key] == said[key] for key in true)
    return true == said


def _inner(known: dict) -> dict:
    return known.get("call") or known
