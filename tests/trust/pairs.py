"""Pairs of histories that differ in nothing but what is sealed: those of the games' shared suite, and some of hand."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion import games
from companion.events import Event, Player, Pressed, Said, Started, Tapped, seat_at
from companion.judge.attribution import doers
from companion.judge.match import Match, judge
from tests.games.matches import NAMES, play
from tests.games.test_every_game import secrets

Side = tuple[Event, ...]


class Pair(NamedTuple):
    """Two histories of one match."""

    name: str
    started: Started
    steps: tuple[tuple[Side, Side], ...]
    """What happens next in one and in the other; what is sealed may come in one alone."""
    differ: frozenset[int]
    """The seats whose own acts are not the same: their own pages may tell them so."""

    @property
    def uneven(self) -> frozenset[int]:
        """The seats on whose reader one history lays more cards at some time than the other."""
        found: set[int | None] = set()
        for mine, his in self.steps:
            one, other = _laid(mine), _laid(his)
            found |= {seat for seat in one | other if one[seat] != other[seat]}
        return frozenset(seat for seat in found if seat)


def _laid(side: Side) -> Counter[int | None]:
    """Count the cards laid on each seat's own reader."""
    return Counter(seat_at(event.place) for event in side if isinstance(event, Tapped))


def pairs(chance: random.Random) -> Iterator[Pair]:
    """Give pairs of every game that seals anything, by turns and without end."""
    sealing = ("stop-it", "stop-me-go", "go")
    while True:
        for slug in sealing:
            yield by_chance(slug, chance)
        for _ in sealing:
            yield by_hand(chance)


def by_chance(slug: str, chance: random.Random) -> Pair:
    """Play until something is sealed, then disguise it, as the games' own tests do."""
    game, hidden = games.known()[slug], secrets(games.known()[slug])
    while True:
        seats = sorted(chance.sample(range(1, 7), chance.randint(3, min(5, game.most_players))))
        events = play(
            game,
            chance,
            chance.choice(hidden.OPTIONS),
            undo=0.0,
            noise=0.05,
            enough=hidden.sealed,
            people=tuple(Player(seat, NAMES[seat - 1]) for seat in seats),
        )
        if not hidden.sealed(judge(events)) or hidden.mended(events):
            continue
        who = chance.choice((None, *seats))
        other = hidden.disguised(events, chance, who)
        if other != events:
            return pair(slug, events, other)


def pair(name: str, one: Sequence[Event], other: Sequence[Event]) -> Pair:
    """Lay two histories beside each other."""
    steps: list[tuple[Side, Side]] = []
    matcher = SequenceMatcher(None, [_outside(event) for event in one], [_outside(event) for event in other], False)
    more: tuple[Side, Side] = (), ()  # what came to one alone, until the next act of both: that may be the same lay
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            for mine, his in zip(one[a:b], other[c:d], strict=True):
                steps.append(((*more[0], mine), (*more[1], his)))
                more = (), ()
        else:
            more = tuple(one[a:b]), tuple(other[c:d])
    if any(more):
        steps.append(more)
    started: Any = one[0]
    return Pair(name, started, tuple(steps[1:]), frozenset(_differ(one, other)))


def _outside(event: Event) -> tuple[Any, ...]:
    """What everybody in the room sees of an act."""
    match event:
        case Tapped(place=place):
            return "tapped", event.at, place
        case Pressed(seat=seat):
            return "pressed", event.at, seat
        case Said(seat=seat, what=what):
            return "said", event.at, seat, what
    return type(event).__name__, event.at


def _differ(one: Sequence[Event], other: Sequence[Event]) -> set[int]:
    """Give the seats whose own acts are not the same in both."""
    acts = [list(_acts(events)) for events in (one, other)]
    seats = {seat for found in acts for seat, _ in found}
    return {seat for seat in seats if [a for s, a in acts[0] if s == seat] != [a for s, a in acts[1] if s == seat]}


def _acts(events: Sequence[Event]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    first: Any = events[0]
    match = Match(first)
    for event in events[1:]:
        card_or_value = getattr(event, "card", getattr(event, "value", None))
        for seat in doers(match, event):
            if isinstance(seat, int):
                yield seat, (*_outside(event), repr(card_or_value))
        match.add(event)


PEOPLE = (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo"))


def by_hand(chance: random.Random) -> Pair:
    """One of those that a person thought of."""
    name, started, before, one, other, after = chance.choice(HAND)
    at = 100.0
    sides: list[list[Event]] = [[started], [started]]
    for common, theirs in ((before, None), ((), (one, other)), (after, None)):
        longest = 0.0
        for side, events in enumerate((common, common) if theirs is None else theirs):
            for number, event in enumerate(events, 1):
                now = at + number
                longest = max(longest, float(number))
                sides[side].append(_at(event, len(sides[side]) + 1, now))
        at += longest
    return pair(name, *sides)


def _at(event: Event, seq: int, at: float) -> Event:
    return replace(event, seq=seq, at=at)


def _tap(place: str, *cards: str) -> Side:
    return tuple(Tapped(0, 0.0, place, card) for card in cards)  # type: ignore[arg-type]


def _three(*cards: str) -> Side:
    return _tap("seat-3", *cards)


def _done(*cards: str) -> Side:
    return (*_three(*cards), Pressed(0, 0.0, 3))


def _counted(seat: int, cards: int) -> Side:
    return (Said(0, 0.0, seat, "count", cards),)


_COUNT = (Pressed(0, 0.0, 1), Pressed(0, 0.0, 1), *_tap("centre", "red-stop-1"))
_STOP_IT = Started(1, 100.0, "stop-it", PEOPLE, {})
_SMG = Started(1, 100.0, "stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
_GO = Started(1, 100.0, "go", PEOPLE, {})
_CALL = (Pressed(0, 0.0, 1), *_tap("row", "grey-1"))
_EASY = _tap("seat-3", *(f"red-{value}" for value in range(1, 12)), "blue-1")
_HARD = _tap("seat-3", *(f"{colour}-{value}" for colour in ("red", "blue", "green", "pink") for value in (2, 5, 9)))
_ARREST = (*_tap("seat-1", "red-go-1"), *_three("yellow-go-1"), *_tap("seat-5", "blue-go-1"))
_ARRESTED = (*_tap("centre", "gangster-7"), *_ARREST, *_tap("centre", "gangster-3"))
_GOES, _STOPS, _NEXT = _three("yellow-go-2"), _three("yellow-stop"), _tap("seat-5", "blue-go-2")
_OTHERS, _PAD = (*_tap("seat-1", "red-stop"), *_tap("seat-5", "blue-go-1")), _tap("centre", "blue-go-1", "gangster-3")

_LAID = (*_tap("centre", "gangster-7"), *_tap("seat-3", "yellow-go-1"))
_SEVEN = tuple(f"red-{number}" for number in range(2, 9))
HAND: tuple[tuple[str, Started, Side, Side, Side, Side], ...] = (
    ("another count", _STOP_IT, _COUNT, _counted(3, 2), _counted(3, 9), ()),
    (
        "a count that can't be, or none",
        _STOP_IT,
        _COUNT,
        (*_counted(3, 99), *_tap("seat-3", "blue-1")),
        (),
        _counted(1, 4),
    ),
    ("one card or seven, then done", _STOP_IT, _COUNT, _done("red-1"), _done(*_SEVEN), _tap("seat-1", "red-16")),
    ("a card another has read, or not", _STOP_IT, _COUNT, _three("red-4"), _three("red-5"), _tap("seat-1", "red-4")),
    ("GO or STOP", _SMG, _LAID[:1], _GOES, _STOPS, _tap("seat-5", "blue-go-1")),
    (
        "GO or STOP, at the shared pad",
        _SMG,
        _LAID[:1],
        _tap("centre", "yellow-go-2"),
        _tap("centre", "yellow-stop"),
        _PAD,
    ),
    ("all have laid: GO or STOP", _SMG, (*_LAID[:1], *_OTHERS), _GOES, _STOPS, _tap("centre", "gangster-2")),
    ("a card changed, or read twice", _SMG, _LAID, _STOPS, _three("yellow-go-1"), _tap("seat-5", "blue-go-1")),
    ("an older gangster's card, or another's", _SMG, _ARRESTED, *map(_three, ("yellow-go-1", "red-go-3")), _NEXT),
    ("an easy hand or a hard one", _GO, _CALL, _EASY, _HARD, _tap("seat-1", "red-5", "brown-2")),
    ("half a hand", _GO, _CALL, _EASY[:5], _HARD[:7], _tap("seat-1", "brown-2")),
    ("a card again, or another", _GO, (*_CALL, *_EASY[:3]), _three("red-1"), _three("brown-4"), ()),
)
"""Name, first event, what happens to both, to the one, to the other, and again to both."""
