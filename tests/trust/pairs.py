"""Pairs of histories that differ in nothing but what is sealed: those of the games' shared suite, and some of hand."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion import games
from companion.events import Event, Player, Pressed, Said, Started, Tapped, seat_at
from companion.game import AnyGame
from companion.judge.attribution import doers
from companion.judge.match import Match, judge
from companion.kit.random_matches import NAMES, play, random_match, renumbered, secrets, under_test


def _seals(game: AnyGame) -> bool:
    """Whether anything is ever sealed in its matches."""
    sealed = secrets(game).sealed
    return any(sealed(judge(random_match(game, seed, undo=0.0, enough=sealed))) for seed in range(4))


@cache
def sealing() -> tuple[str, ...]:
    """Return the games that seal anything: matches are played to find out."""
    return tuple(slug for slug, game in under_test().items() if _seals(game))


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
        for mine, theirs in self.steps:
            one = _laid(mine)
            other = _laid(theirs)
            found |= {seat for seat in one | other if one[seat] != other[seat]}
        return frozenset(seat for seat in found if seat)


def _laid(side: Side) -> Counter[int | None]:
    """Count the cards laid on each seat's own reader."""
    return Counter(seat_at(event.place) for event in side if isinstance(event, Tapped))


def pairs(chance: random.Random) -> Iterator[Pair]:
    """Return pairs of every game that seals anything, by turns and without end."""
    while True:
        for slug in sealing():
            yield by_chance(slug, chance)
        for _ in sealing():
            yield by_hand(*chance.choice(HAND))


def by_chance(slug: str, chance: random.Random) -> Pair:
    """Play until something is sealed, then disguise it, as the games' own tests do."""
    game = games.known()[slug]
    hidden = secrets(game)
    while True:
        seats = sorted(chance.sample(range(1, 7), chance.randint(3, min(5, game.most_players))))
        people = tuple(Player(seat, NAMES[seat - 1]) for seat in seats)
        options = chance.choice(hidden.OPTIONS)
        events = renumbered(play(game, chance, options, undo=0.0, noise=0.05, enough=hidden.sealed, people=people))
        match = judge(events)
        if hidden.sealed(match) and hidden.closed(match) and not hidden.mended(events):
            others = hidden.disguised(events, chance, chance.choice((None, *seats)))
            if others != events:
                return pair(slug, events, others)


def pair(name: str, one: Sequence[Event], other: Sequence[Event]) -> Pair:
    """Lay two histories beside each other."""
    steps: list[tuple[Side, Side]] = []
    matcher = SequenceMatcher(None, [_outside(event) for event in one], [_outside(event) for event in other], False)
    more: tuple[Side, Side] = (), ()  # what came to one alone, until the next act of both: that may be the same lay
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            for mine, theirs in zip(one[a:b], other[c:d], strict=True):
                steps.append(((*more[0], mine), (*more[1], theirs)))
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
    """Return the seats whose own acts are not the same in both."""
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


def by_hand(name: str, started: Started, before: Side, one: Side, other: Side, after: Side) -> Pair:
    """One of those that a person thought of, and `HAND` lists."""
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


def moment(started: Started, *after: Event) -> list[Event]:
    """Have this happen, a second apart."""
    return [started, *(_at(event, seq, started.at + seq) for seq, event in enumerate(after, 2))]


def _at(event: Event, seq: int, at: float) -> Event:
    return replace(event, seq=seq, at=at)


def tap(place: str, *cards: str) -> Side:
    return tuple(Tapped(0, 0.0, place, card) for card in cards)  # type: ignore[arg-type]


def three(*cards: str) -> Side:
    return tap("seat-3", *cards)


def _done(*cards: str) -> Side:
    return (*three(*cards), Pressed(0, 0.0, 3))


def counted(seat: int, cards: int) -> Side:
    return (Said(0, 0.0, seat, "count", cards),)


COUNT = (Pressed(0, 0.0, 1), Pressed(0, 0.0, 1), *tap("centre", "red-stop-1"))
STOP_IT = Started(1, 100.0, "stop-it", PEOPLE, {})
SMG = Started(1, 100.0, "stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
GO = Started(1, 100.0, "go", PEOPLE, {})
TURNS = Started(1, 100.0, "go", PEOPLE, {"tracking": "turns"})
CALL = (Pressed(0, 0.0, 1), *tap("row", "grey-1"))
EASY = tap("seat-3", *(f"red-{value}" for value in range(1, 12)), "blue-1")
HARD = tap("seat-3", *(f"{colour}-{value}" for colour in ("red", "blue", "green", "pink") for value in (2, 5, 9)))
_ARREST = (*tap("seat-1", "red-go-1"), *three("yellow-go-1"), *tap("seat-5", "blue-go-1"))
ARRESTED = (*tap("centre", "gangster-7"), *_ARREST, *tap("centre", "gangster-3"))
GOES = three("yellow-go-2")
STOPS = three("yellow-stop")
_NEXT = tap("seat-5", "blue-go-2")
OTHERS = (*tap("seat-1", "red-stop"), *tap("seat-5", "blue-go-1"))
_PAD = tap("centre", "blue-go-1", "gangster-3")

_FOUR = tuple(
    tap(place, card)[0]
    for number, gangster in enumerate((7, 3, 2, 5), 1)
    for place, card in (
        ("centre", f"gangster-{gangster}"),
        ("seat-1", f"red-go-{number}"),
        ("seat-5", f"blue-go-{number}"),
        ("seat-3", f"yellow-go-{number}" if number > 2 else "yellow-stop"),
    )
    if (number, place) != (1, "seat-3")
)
"""Four gangsters, and what lies on them but for one card; the last of these may turn the first up."""
OPEN = (*tap("discard", "red-9"), *tap("row", "grey-1"))
_THROWN = (*tap("discard", "blue-1"), *tap("seat-3", "green-1"), *tap("discard", "red-3"))
LAID = (*tap("centre", "gangster-7"), *tap("seat-3", "yellow-go-1"))
_BLUE = tap("centre", "blue-1")
_BLUES = tuple(f"blue-{number}" for number in range(2, 9))
_AGAIN = (*tap("seat-1", "red-3"), *tap("discard", "green-1"), *tap("seat-1", "red-3"))
_SCORED = (*COUNT, *counted(1, 0), *counted(3, 1), *counted(5, 1))
_SECOND = (*_SCORED, *COUNT[:2], *tap("centre", "blue-stop-1"))
_AROUND = (*_BLUE, *three("red-4"), *_BLUE)
_SEVEN = tuple(f"red-{number}" for number in range(2, 9))
HAND: tuple[tuple[str, Started, Side, Side, Side, Side], ...] = (
    ("another count", STOP_IT, COUNT, counted(3, 2), counted(3, 9), ()),
    (
        "a count that can't be, or none",
        STOP_IT,
        COUNT,
        (*three("blue-1"), *counted(3, 99)),
        three("green-2"),
        counted(1, 4),
    ),
    ("a count that can't be, last of all", STOP_IT, COUNT, counted(3, 99), (), ()),
    ("one card or seven, then done", STOP_IT, COUNT, _done("red-1"), _done(*_SEVEN), tap("seat-1", "red-16")),
    ("one card or seven, at the second call", STOP_IT, _SECOND, _done("blue-1"), _done(*_BLUES), ()),
    ("a card another has read, or not", STOP_IT, COUNT, three("red-4"), three("red-5"), tap("seat-1", "red-4")),
    ("a card again, and one elsewhere between", STOP_IT, COUNT, _AROUND, (*_BLUE, *_BLUE), ()),
    ("GO or STOP", SMG, LAID[:1], GOES, STOPS, tap("seat-5", "blue-go-1")),
    (
        "GO or STOP, at the shared pad",
        SMG,
        LAID[:1],
        tap("centre", "yellow-go-2"),
        tap("centre", "yellow-stop"),
        _PAD,
    ),
    ("all have laid: GO or STOP", SMG, (*LAID[:1], *OTHERS), GOES, STOPS, tap("centre", "gangster-2")),
    (
        "one GO or another, turned up",
        SMG,
        _FOUR[:3],
        three("yellow-go-1"),
        three("yellow-go-2"),
        (*_FOUR[3:], Pressed(0, 0.0, 1)),
    ),
    ("a card changed, or read twice", SMG, LAID, STOPS, three("yellow-go-1"), tap("seat-5", "blue-go-1")),
    ("a card changed after another was laid", SMG, (*LAID, *_PAD[:1]), STOPS, three("yellow-go-1"), ()),
    ("an older gangster's card, or another's", SMG, ARRESTED, *map(three, ("yellow-go-1", "red-go-3")), _NEXT),
    (
        "once laid, an older gangster's card, or a change",
        SMG,
        (*ARRESTED, *GOES),
        *map(three, ("yellow-go-1", "yellow-go-3")),
        _NEXT,
    ),
    ("an easy hand or a hard one", GO, CALL, EASY, HARD, tap("seat-1", "red-5", "red-3", "brown-2")),
    ("a card drawn, that another throws away", TURNS, OPEN, tap("seat-1", "red-3"), tap("seat-1", "red-4"), _THROWN),
    ("a card of one's count, laid once more", STOP_IT, COUNT, _done("red-1"), _done("red-2"), three("red-1")),
    ("a card of one's hand, laid once more", GO, CALL, EASY, HARD, three("red-1")),
    ("a card drawn, laid once more", TURNS, OPEN, tap("seat-1", "red-3"), tap("seat-1", "red-4"), _AGAIN),
    ("half a hand", GO, CALL, EASY[:5], HARD[:7], tap("seat-1", "brown-2")),
    ("a card again, or another", GO, (*CALL, *EASY[:3]), three("red-1"), three("brown-4"), ()),
)
"""Name, first event, what happens to both, to the one, to the other, and again to both."""
