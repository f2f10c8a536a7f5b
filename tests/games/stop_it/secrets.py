"""What is sealed in stop it!: two matches that differ in nothing else must look the same to everybody."""

import random
from typing import Any

from msgspec.structs import replace

from companion.events import Event, Pressed, Said, Tapped, place_of
from companion.games.stop_it.cards import DECK, PLAIN
from companion.games.stop_it.state import Phase
from companion.judge.match import Match, judge

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"tie_window": 0.02},
    {"tie_window": 0},
    {"false_call": "penalty"},
    {"cumulative": False},
    {"empty": "end-now"},
    {"colours": ["red", "yellow", "green", "violet", "orange", "brown"]},
    {"negatives": 5},
    {"head_starts": {"1": 0.12, "4": 0.05}},
)

NO_OPTIONS: tuple[dict[str, Any], ...] = (
    *({"tie_window": value} for value in (-0.001, 60, 1e308, "0")),
    *({"colours": value} for value in (["pink"], [], ["red", "red"])),
    {"false_call": "free"},
    {"cumulative": 1},
    *({"negatives": value} for value in (0, 16, 7.5, "9")),
    *({"head_starts": value} for value in ({"1": -0.1}, {"1": 1.1}, {"7": 0.1}, {"1": "0.1"}, [0.1])),
)

DELAYS = ("last-calls",)
"""What may elapse."""

UNEVEN = {"head_starts": {"1": 0.12, "3": 0.05, "5": 0.2}}

SCENES: tuple[dict[str, Any], ...] = (
    {"name": "ready", "at": {"phase": "ready"}, "options": UNEVEN},
    {"name": "collecting", "at": {"phase": "collecting"}, "filled": ("rounds",)},
    {"name": "shouted", "at": {"phase": "shouted"}, "filled": ("rounds",), "options": UNEVEN},
    {"name": "counting", "at": {"phase": "counting"}, "filled": ("rounds", "counted", "faults"), "seed": 12},
    {"name": "scored", "at": {"phase": "scored"}},
    {"name": "over", "at": {"phase": "over"}},
)
"""Where a match is worth a look, by what the public view says there: every page is looked at in each."""
SLIP = "red-1"
"""A card that is tapped where it should not be, now and then."""


def sealed(match: Match) -> bool:
    """Whether enough is sealed right now: as many counts as differ from table to table."""
    return closed(match) and len(match.state.counts) > sum(match.seats) % (len(match.seats) - 1)


def closed(match: Match) -> bool:
    """Whether anything at all is, or would be."""
    return match.state.phase is Phase.COUNTING


def disguised(events: list[Event], chance: random.Random, observer: int | None = None) -> list[Event]:
    """Tell or tap other counts in the count that is going on; everything else stays.

    Everybody sees whether any card was laid before "done" at all, so that stays too.
    """
    match = judge(events)
    shown_at = max(event.seq for event in events if isinstance(event, Tapped) and event.card == match.state.stop)
    changed: list[Event] = []
    laid = {event.place for event in events[shown_at:] if isinstance(event, Tapped)}
    counted_seats = set[object]()
    """Who has told a count: a card that they tap now would be refused, and they told so."""
    for event in events:
        if event.seq <= shown_at:
            changed.append(event)
        elif isinstance(event, Said) and event.what == "count" and type(event.value) is int and 0 <= event.value <= 17:
            changed.append(replace(event, value=chance.randint(0, 17)))
            counted_seats.add(event.seat)
        elif (
            isinstance(event, Pressed)
            and event.seat in match.seats
            and event.seat not in counted_seats
            and place_of(event.seat) in laid
        ):
            changed += [*_more_taps(event, match, chance), event]
        else:
            changed.append(event)
    return [replace(event, seq=seq) for seq, event in enumerate(changed, 1)]


def _more_taps(done: Pressed, match: Match, chance: random.Random) -> list[Event]:
    """Count some cards more before saying "done"."""
    colour = DECK[match.state.stop].colour
    free = [
        card.id
        for card in DECK.values()
        if card.kind == PLAIN and colour in (None, card.colour) and card.id not in match.state.tapped
    ]
    cards = free[done.seat :: 6]
    return [Tapped(0, done.at, f"seat-{done.seat}", card) for card in cards[: chance.randint(0, 2)]]


def mended(events: list[Event]) -> bool:
    """Whether these events hold a count refused for its sum, which other counts could make good."""
    return any(misplay.code == "counts-impossible" for misplay in judge(events).misplays)
