"""What is sealed in STOP me GO: two matches that differ in nothing else must look the same to everybody."""

import random
import zlib
from typing import Any

from msgspec.structs import replace

from companion.events import Event, Tapped, seat_at
from companion.games.stop_me_go.cards import COLOURS, DECK, TOKEN, of_colour
from companion.games.stop_me_go.state import Phase, State
from companion.judge import record_file
from companion.judge.match import Match, judge

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"reshuffle": "eager"},
    {"allow_change": False, "target": 2},
    {"colours": {"1": "red", "2": "orange", "3": "yellow", "4": "green", "5": "blue", "6": "violet"}},
    {"colours": {"2": "violet", "5": "red"}, "allow_change": False},
)

NO_OPTIONS: tuple[dict[str, Any], ...] = (
    *({"colours": value} for value in ({"1": "pink"}, {"1": "red", "2": "red"}, {"7": "red"}, {"Ana": "red"}, ["red"])),
    {"allow_change": 1},
    *({"target": value} for value in (1, 4, "2", True)),
    {"reshuffle": "never"},
)


Renaming = dict[str, str]

SCENES: tuple[dict[str, Any], ...] = (
    {"name": "ready", "at": {"phase": "ready"}},
    {"name": "misdeed", "at": {"phase": "misdeed"}, "filled": ("flips",)},
    {"name": "intervention", "at": {"phase": "intervention"}, "filled": ("laid", "rounds")},
    {"name": "arrest", "at": {"phase": "arrest"}, "filled": ("flips",)},
    {"name": "reward", "at": {"phase": "reward"}},
    {"name": "values", "at": {"phase": "values"}},
    {"name": "over", "at": {"phase": "over"}, "noise": 0.02},
)
"""Where a match is worth a look, by what the public view says there: every page is looked at in each."""
SLIP = "blue-stop"
"""A card that is tapped where it should not be, now and then."""


def sealed(match: Match) -> bool:
    """Whether something is sealed right now; looked at after a different number of events in every match."""
    return len(match.events) >= 3 + zlib.crc32(record_file.encode(match.events[:4])) % 100 and closed(match)


def closed(match: Match) -> bool:
    """Whether anything at all is sealed."""
    state: State = match.state
    face_down = bool(state.laying) or any(out.laid for out in state.round.out)
    return face_down or (state.values is None and any(token for held in state.tokens.values() for token in held))


def disguised(events: list[Event], chance: random.Random, observer: int | None = None) -> list[Event]:
    """Lay other cards wherever they are never turned up, change some once more, and take other tokens.

    A card that lay on an older gangster is still one that lies there, and one that comes twice still comes twice.
    Where cards are turned up later, a GO is laid for another GO: nobody can tell them apart.
    """
    end: State = judge(events).state
    face_up = end.lays - len(end.round.out)
    first: Any = events[0]
    old = Match(first)
    new = Match(first)
    tokens = _shuffled([card.id for card in DECK.values() if card.kind == TOKEN], chance) if end.values is None else {}
    cards: Renaming = _other_hands(old.state, new.state, chance)
    turned_up = False
    for event in events[1:]:
        copied = event
        if isinstance(event, Tapped):
            copied = replace(event, card=tokens.get(event.card) or cards.get(event.card) or event.card)
        new.add(replace(copied, seq=len(new.events) + 1))
        lays = old.state.lays
        old.add(event)
        if old.state.lays > lays:
            turned_up = old.state.lays <= face_up
            cards = _other_hands(old.state, new.state, chance, alike=turned_up)
        elif isinstance(copied, Tapped) and not turned_up and chance.random() < 0.3:
            _change(new, copied, cards, chance)
    return new.events


def mended(events: list[Event]) -> bool:
    """Whether the host told values that other tokens could make good."""
    return any(misplay.code == "values-disagree" for misplay in judge(events).misplays)


def _other_hands(old: State, new: State, chance: random.Random, *, alike: bool = False) -> Renaming:
    """Choose for every card of a hand another one of that hand, or one that looks alike.

    What lies on a gangster stands for what lies there.
    """
    renaming: Renaming = {}
    for colour in COLOURS:
        own_colour = of_colour(colour)
        lying = {}
        for out, new_out in zip(old.round.out, new.round.out, strict=True):
            lying |= {card: new_out.laid[seat] for seat, card in out.laid.items() if card in own_colour}
        free = [card for card in own_colour if card not in lying]
        left = [card for card in own_colour if card not in lying.values()]
        chance.shuffle(left)
        if alike:
            free.sort(key=_kind)
            left.sort(key=_kind)
        renaming |= lying | dict(zip(free, left, strict=True))
    return renaming


def _change(match: Match, tap: Tapped, cards: Renaming, chance: random.Random) -> None:
    """Lay yet another card instead, where a changed card and one that is read twice look the same."""
    state: State = match.state
    if state.phase is not Phase.INTERVENTION or not state.options.allow_change:
        return
    seat = next((seat for seat, card in state.laying.items() if card == tap.card), None)
    colour = DECK[tap.card].colour if seat else None
    if colour is None or seat_at(tap.place) not in (None, seat):
        return
    lying = [tap.card, *(out.laid.get(seat) for out in state.round.out)]
    other = chance.choice([card for card in of_colour(colour) if card not in lying])
    match.add(replace(tap, seq=len(match.events) + 1, card=other))
    for card, stands_for in cards.items():
        if stands_for in (tap.card, other):
            cards[card] = other if stands_for == tap.card else tap.card


def _kind(card: str) -> str:
    return DECK[card].kind


def _shuffled(cards: list[str], chance: random.Random) -> Renaming:
    return dict(zip(cards, chance.sample(cards, len(cards)), strict=True))
