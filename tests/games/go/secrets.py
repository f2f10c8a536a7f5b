"""What is sealed in ¡Go!: two matches that differ in nothing else must look the same to whoever may not know it."""

import random
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.events import Event, Tapped, place_of, seat_at
from companion.games.go.cards import BIT, HAND, IDS, ids
from companion.games.go.state import Call, State
from companion.judge.match import Match, judge

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"tracking": "turns"},
    {"caller_series": "auto"},
    {"tracking": "turns", "caller_series": "auto", "target": 2},
    {"target": 1},
)

NO_OPTIONS: tuple[dict[str, Any], ...] = (
    *({"tracking": value} for value in ("Turns", "", None, ["turns"])),
    *({"caller_series": value} for value in ("best", None, False)),
    *({"target": value} for value in (0, 1001, 10**30, True, "4", 2.5)),
)


SCENES: tuple[dict[str, Any], ...] = (
    {"name": "playing", "at": {"phase": "playing"}, "filled": ("rounds",)},
    {
        "name": "turns",
        "options": {"tracking": "turns"},
        "at": {"phase": "playing"},
        "filled": ("turn", "rounds"),
        "noise": 0.02,
    },
    {"name": "called", "at": {"phase": "called"}, "filled": ("rounds",), "noise": 0.02},
    {"name": "over", "options": {"target": 2}, "at": {"phase": "over"}, "noise": 0.0},
)
"""Where a match is worth a look, by what the public view says there: every page is looked at in each."""
SHOWN: tuple[dict[str, Any], ...] = ({"target": 2}, {"tracking": "turns", "target": 1})
"""The options that look different across the room."""
SLIP = "red-1"
"""A card that is tapped where it should not be, now and then."""


def sealed(match: Match) -> bool:
    """Whether enough is sealed right now; how much is enough differs from table to table."""
    return _hidden(match.state) > sum(match.seats) * 5 % 23


def closed(match: Match) -> bool:
    """Whether anything at all is sealed."""
    return _hidden(match.state) > 0


def _hidden(state: State) -> int:
    return sum(held.bit_count() for held in (*_hands(state).values(), *_drawn(state).values()))


def disguised(events: list[Event], chance: random.Random, observer: int | None = None) -> list[Event]:
    """Deal everybody but `observer` other cards where theirs are sealed, more or fewer while a hand is not complete."""
    states = _states(events)
    state = states[-1]
    tapped = {
        event.card for event, earlier in zip(events[1:], states, strict=False) if _this_round(earlier, state, event)
    }
    fresh = [card for card in IDS if card not in tapped]
    chance.shuffle(fresh)
    own_hand = state.call.hands[observer] if state.call and observer in state.seats else 0
    theirs = {seat: held for seat, held in _hands(state).items() if seat != observer}
    known_cards = own_hand | (
        state.call.hands[state.call.caller] if state.call and state.call.caller not in _hands(state) else 0
    )
    hands = {seat: ids(held & ~known_cards) for seat, held in theirs.items()}
    drawn = [(seat, card) for seat, held in _drawn(state).items() if seat != observer for card in ids(held)]
    redrawn = dict(zip(drawn, fresh, strict=False))
    read = list(dict.fromkeys(card for hand in hands.values() for card in hand if not _seen_taken(state, card)))
    other = dict(zip(read, chance.sample([*read, *fresh], len(read)), strict=True))
    gone = {card for card in read if _may_be_unread(state, card) and chance.random() < 0.3}
    changed = events[:1]
    for event, earlier in zip(events[1:], states, strict=False):
        if not _this_round(earlier, state, event):
            changed.append(event)
        elif earlier.turn and (seat_at(event.place), event.card) in redrawn:
            changed.append(replace(event, card=redrawn[seat_at(event.place), event.card]))
        elif earlier.call is None or not _of_hand(earlier.call, event, hands):
            changed.append(event)
        elif event.card not in gone:
            changed.append(replace(event, card=other.get(event.card, event.card)))
    changed += _more(theirs, [card for card in fresh if card not in other.values()], events[-1].at, chance)
    return [replace(event, seq=seq) for seq, event in enumerate(changed, 1)]


def mended(events: list[Event]) -> bool:
    """Whether everybody was told of a card that it met another place, or nobody's reader: others would not have met."""
    match = judge(events)
    states = _states(events)
    state = states[-1]
    meeting = {m.seq for m in match.misplays if m.to is None and m.code == "whose-card"}
    return bool(state.call and state.call.told) or any(
        event.seq in meeting and _this_round(earlier, state, event)
        for event, earlier in zip(events[1:], states, strict=False)
    )


def _states(events: list[Event]) -> list[State]:
    """The state after each event."""
    match = Match(events[0])
    states = [match.state]
    for event in events[1:]:
        match.add(event)
        states.append(match.state)
    return states


def _this_round(earlier: State, latest: State, event: Event) -> bool:
    return isinstance(event, Tapped) and len(earlier.history) == len(latest.history)


def _of_hand(call: Call, event: Tapped, hands: Mapping[int, list[str]]) -> bool:
    """Whether this tap read a card of one of these hands, maybe once more."""
    places = ["centre"] if call.row is not None else []
    return any(event.card in hand and event.place in (*places, place_of(seat)) for seat, hand in hands.items())


def _hands(state: State) -> Mapping[int, int]:
    """Hands being read, but for the caller's once it is open."""
    if state.call is None:
        return {}
    caller = state.call.caller
    opened = state.call.hands[caller].bit_count() == HAND
    return {seat: hand for seat, hand in state.call.hands.items() if not (opened and seat == caller)}


def _drawn(state: State) -> Mapping[int, int]:
    """What was drawn from the pile and is held yet."""
    turn = state.turn or (state.call.turn if state.call else None)
    return {seat: held & ~turn.shown for seat, held in turn.held.items()} if turn else {}


def _seen_taken(state: State, card: str) -> bool:
    return state.call is not None and state.call.turn is not None and bool(state.call.turn.shown & BIT[card])


def _may_be_unread(state: State, card: str) -> bool:
    """Whether the card is of no complete hand; what the shared reader read stays, for all see that it reads."""
    hands = [hand for hand in state.call.hands.values() if hand & BIT[card]] if state.call else []
    return all(hand.bit_count() < HAND for hand in hands) and not (state.call and state.call.at_centre & BIT[card])


def _more(hands: Mapping[int, int], fresh: list[str], at: float, chance: random.Random) -> list[Event]:
    """Read some more cards of hands that stay incomplete."""
    more: list[Event] = []
    for seat, hand in hands.items():
        for _ in range(chance.randint(0, max(0, HAND - 1 - hand.bit_count()))):
            if fresh:
                more.append(Tapped(0, at, place_of(seat), fresh.pop()))
    return more
