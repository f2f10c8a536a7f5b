"""Two tables at which the same happens, but for what is sealed: whoever may not know sees the same, step by step.

An evening is played until something is sealed. Whatever people and cards did then happens once more at two tables, at
the second with other cards where they lie sealed; restarts come at both. Where the rules open something, the comparison
ends.

The pairs that a person thought of (`tests/trust/pairs.py`) happen at two tables as well: sensed, entered by phones, and
with a restart after every step. Nor may one take longer: calls of functions are counted, on any machine alike.
"""

import random
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from companion.acts.act import Act
from companion.acts.decide import Reply
from companion.acts.match_acts import EnterWord
from companion.acts.outcome import ActRefused
from companion.errors import CompanionError
from companion.events import Event, Pressed, Retracted, Said, Tapped, seat_at
from companion.history.charts import charts
from companion.history.souvenir import souvenir
from companion.history.under_other_rules import each
from companion.judge import corrections, views
from companion.kit.random_matches import secrets
from companion.live.lamps import cues
from tests.bottle.broken import Broken
from tests.bottle.club import Club
from tests.bottle.disk import plugged_in
from tests.bottle.evening import Evening
from tests.bottle.machine import running
from tests.bottle.people_steps import entered
from tests.bottle.steps import Step
from tests.bottle.table import Table
from tests.trust.effort import calls_counted, is_unlike
from tests.trust.pairs import HAND, Pair, Side, _differ, _outside, by_hand

Call = tuple[str, tuple[Any, ...]]
"""What happened, by the table's method, and about what."""
Looks = Mapping[int | None, str]
"""By observer, all that they may get."""
_AT = re.compile(rb'"at":[0-9.]+,')
"""When a view was sent, by a clock that goes on from the last event at a start."""
UNLIKE = 1.03
"""So many times as many calls of functions at one table as at the other would show in the time they take."""
WATCHED = ("passes", "press", "lay", "lift", "retell", "do", "answer", "stop", "open")


class _Watched(Table):
    """A table that notes what happens to it, from outside."""

    def __init__(self, folder: Path, lot: int) -> None:
        super().__init__(folder, lot)
        self.calls: list[Call] = []
        self.is_within = False

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name not in WATCHED or self.is_within:
            return found

        def noted(*about: Any) -> Any:
            self.calls.append((name, about))
            self.is_within = True
            try:
                return found(*about)
            finally:
                self.is_within = False

        return noted


def sealed_evening(folder: Path, steps: Sequence[Step]) -> tuple[list[Call], list[Event]] | None:
    """Play until something is sealed; return what happened, and the match's events. None: nothing ever was."""
    evening = Evening(folder, steps[0], _Watched)
    table = evening.table
    assert isinstance(table, _Watched)
    with running(table.machine), plugged_in(table.disk):
        try:
            evening.begin()
            table.calls.clear()
            for step in steps[1:]:
                evening.take(step)
                played = table.live._judging.played
                if played is not None and played.number == 1 and not played.match.over and len(table.calls) > 12:
                    hidden = secrets(played.match.game)
                    if hidden.sealed(played.match) and not hidden.mended(played.match.events):
                        return table.calls, [*played.match.events]
        finally:
            table.gone()
    return None


def disguised(events: list[Event], chance: random.Random) -> list[Event] | None:
    """Return the same match with another secret, as it looks from outside; None: there is none."""
    first: Any = events[0]
    hidden = secrets(_game(first))
    if any(isinstance(event, Retracted) for event in events):
        return None  # what a match was like before cannot be disguised
    who = chance.choice((None, *first.seats))
    for _ in range(8):
        others: list[Event] = hidden.disguised(events, chance, who)
        if others != events and [*map(_outside, others)] == [*map(_outside, events)]:
            return others
    return None


def _game(started: Any) -> Any:
    from companion import games

    return games.known()[started.game]


def compare(folder: Path, steps: Sequence[Step]) -> int:
    """Have it happen at both; return how many looks were compared. Raises `Broken` where two differ."""
    (folder / "first").mkdir()
    found = sealed_evening(folder / "first", steps)
    if found is None:
        return 0
    calls, events = found
    others = disguised(events, random.Random(steps[0].lot))
    if others is None:
        return 0
    differ = _differ(events, others)
    first: Any = events[0]
    observers = [who for who in (None, *first.seats) if who not in differ]
    shown = []
    for name, side in (("one", events), ("other", others)):
        (folder / name).mkdir()
        shown.append([*_played(folder / name, steps[0].lot, calls, side, observers)])
    compared = 0
    for number, (one, other) in enumerate(zip(*shown, strict=False)):
        if one[1] != other[1]:
            break  # by the rules, somebody has been shown what was sealed
        for who in observers:
            compared += 1
            if one[0][who] != other[0][who]:
                raise Broken("who may not know sees the same", (calls[number], who, _where(one[0][who], other[0][who])))
    return compared


def _played(
    folder: Path, lot: int, calls: Sequence[Call], events: Sequence[Event], observers: Sequence[int | None]
) -> Iterator[tuple[Looks, str]]:
    """Have this happen at a table, with these events' cards and words; yield what each may get, and by the rules."""
    table = Table(folder, lot)
    with running(table.machine), plugged_in(table.disk):
        try:
            table.open()
            table.seat_phones()
            table.machine.passes(1.0)
            table.live.begin(table.slug, table.people, table.options)
            for name, about in calls:
                said = _call(table, name, about, events)
                played = table.live._judging.played
                assert played is not None
                rules = repr([views.view(played.match, who) for who in observers])
                yield {who: _looks(table, who, said) for who in observers}, rules
        finally:
            table.gone()


class Way(Enum):
    """How a pair's events happen at a table."""

    SENSED = "sensed"
    BY_PHONE = "entered by the phone of each seat"
    RESTARTED = "sensed, and the companion restarts after every step"


def compare_by_hand(folder: Path, number: int) -> int:
    """Have one of the pairs of hand happen in every way; return how many looks were compared. Raises `Broken`."""
    pair = by_hand(*HAND[number % len(HAND)])
    observers = [who for who in (None, *pair.started.seats) if who not in pair.differ]
    compared = 0
    for way in Way:
        shown = []
        for name, sides in zip(("one", "other"), zip(*pair.steps, strict=True), strict=True):
            inside = folder / f"{way.name}-{name}"
            inside.mkdir()
            shown.append([*_played_by_hand(inside, pair, sides, way, observers)])
        for step, ((one, effort), (other, other_effort)) in enumerate(zip(*shown, strict=True)):
            for who in observers:
                compared += 1
                if one[who] != other[who]:
                    example = pair.name, way.value, step, who, _where(one[who], other[who])
                    raise Broken("who may not know sees the same", example)
            # By then nothing is looked up for the first time.
            if way is Way.RESTARTED and is_unlike((effort, other_effort), UNLIKE):
                raise Broken("no time tells what is sealed", (pair.name, step, effort, other_effort))
    return compared


def _played_by_hand(
    folder: Path, pair: Pair, sides: Sequence[Side], way: Way, observers: Sequence[int | None]
) -> Iterator[tuple[Looks, int]]:
    """Have one history of a pair happen; yield after each step what each observer may get, and how many calls it took,
    0 where one side does more; at last what pages show of the whole match.
    """
    table = Table(folder, 0)
    table.slug = pair.started.game
    table.people = pair.started.players
    table.options = pair.started.options
    table.window = 0.0
    table.club = Club(table.machine, random.Random(0))
    # Everybody saw a card more be laid at an uneven seat in one of the histories; what phones enter nobody sees.
    dark = frozenset[int]() if way is Way.BY_PHONE else pair.uneven
    with running(table.machine), plugged_in(table.disk):
        try:
            table.open()
            table.seat_phones()
            table.machine.passes(1.0)
            table.live.begin(table.slug, table.people, table.options)
            for side, both in zip(sides, pair.steps, strict=True):
                with calls_counted() as calls:
                    for event in side:
                        _happens(table, event, way)
                        table.passes(3.0)
                effort = calls.total() if len({*map(len, both)}) == 1 else 0
                table.passes(3.0 * (max(map(len, both)) - len(side)))
                if way is Way.RESTARTED:
                    table.stop()
                    table.open()
                    table.passes(3.0)
                yield {who: _looks(table, who, "", dark) for who in observers}, effort
            yield dict.fromkeys(observers, _looks_afterwards(table)), 0
        finally:
            table.gone()


def _happens(table: Table, event: Event, way: Way) -> None:
    act = entered(event) if way is Way.BY_PHONE or isinstance(event, Said) else None
    match event:
        case Tapped(place=place, card=card) if act is None:
            table.lay(place, card)
        case Pressed(seat=seat) if act is None:
            table.press(seat)
        case Tapped() | Pressed() | Said() if act is not None:
            seat = seat_at(event.place) if isinstance(event, Tapped) else event.seat
            with suppress(CompanionError):
                table.do(f"phone-{seat or table.people[0].seat}", act)


def _call(table: Table, name: str, about: tuple[Any, ...], events: Sequence[Event]) -> str:
    """Do it; return what whoever did it is answered."""
    played = table.live._judging.played
    number = len(played.match.events) if played is not None else 0
    event = events[number] if number < len(events) else None
    if name == "lay" and isinstance(event, Tapped) and event.place == about[0]:
        about = about[0], event.card
    if name == "do" and isinstance(about[1], EnterWord) and isinstance(event, Said):
        act: Act = msgspec.structs.replace(about[1], value=event.value)
        about = about[0], act
    if name == "answer":
        question = table.acting.situation().question
        about = about[0], "" if question is None else question.id, about[2]
        assert isinstance(about[2], Reply)
    try:
        done = getattr(table, name)(*about)
    except ActRefused as wrong:
        return f"{wrong.refuse}"
    except CompanionError as wrong:
        return f"{type(wrong).__name__}"
    return f"{getattr(done, 'said', '')}{getattr(done, 'asked', '')}"


def _looks(table: Table, who: int | None, said: str, dark: Collection[int] = ()) -> str:
    """Return all that an observer may get of a table, but for the lamps of the dark seats."""
    snapshot = table.live.snapshot
    played = table.live._judging.played
    assert played is not None
    story = views.passage(played.match, who, slice(None))
    question = table.acting.situation().question
    answer = snapshot.feedback.get(who or 0)
    looks = (
        snapshot.views[who],
        (story.told, story.whole, [at // 60 for at in story.times]),  # no page tells seconds
        {seat: light for seat, light in cues(snapshot).items() if seat not in dark},
        answer and (answer.number, answer.tapped, answer.complete, answer.read, answer.faces, answer.wrong),
        snapshot.crowded,
        snapshot.hurried,
        snapshot.trouble,
        snapshot.misread,
        snapshot.contested,
        snapshot.asked,
        snapshot.pause,
        snapshot.change,
        question and (question.asks, question.quotes, question.asker, question.of),
        table.club and [(topic, _AT.sub(b"", said)) for topic, said in table.club.broker.taken],
    )
    return f"{looks}"


def _looks_afterwards(table: Table) -> str:
    """Return what is asked for now and then: charts, souvenir, other rules, and the cards that can be put right."""
    played = table.live._judging.played
    assert played is not None
    match = played.match
    rules = [*each(match)] if match.over else []
    cards = [[*corrections.cards(match, entry)] for entry in sorted(corrections.offered(match))]
    return f"{charts(match), souvenir(match), rules, cards}"


def _where(one: str, other: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 60) : at + 60]} / {other[max(0, at - 60) : at + 60]}"
