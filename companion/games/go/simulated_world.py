"""The things of ¡Go! in people's hands: the pile, the discard pile, the row, and twelve cards in every hand."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.events import Event, Pressed, Said, Tapped, place_of
from companion.game.simulated_world import Chance, Move, Physics
from companion.games.go import best_division
from companion.games.go.bots import choose
from companion.games.go.calling import MOST_COLOURS
from companion.games.go.cards import COLOUR, DECK, HAND, IDS, bits
from companion.games.go.state import ROW_WITHOUT_PLAYERS


class World(msgspec.Struct, frozen=True):
    """What lies where."""

    seats: tuple[int, ...]
    hands: Mapping[int, tuple[str, ...]]
    row: tuple[str, ...]
    """The open card last."""
    discard: tuple[str, ...]
    """The top last."""
    pile: tuple[str, ...]
    series: tuple[str, ...] = ()
    """What the caller has put together so far."""
    not_yet: int | None = None
    """Those who threw a card away and declined to call."""


def begin(seats: tuple[int, ...], chance: Chance) -> World:
    """Shuffle, deal twelve cards to everybody, lay out the row, and turn one up."""
    cards = chance.sample(IDS, len(IDS))
    hands = {seat: tuple(cards[at * HAND : (at + 1) * HAND]) for at, seat in enumerate(seats)}
    undealt = cards[len(seats) * HAND :]
    row = ROW_WITHOUT_PLAYERS + len(seats)
    return World(seats, hands, tuple(undealt[:row]), (undealt[row],), tuple(undealt[row + 1 :]))


def can(world: World, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
    """Take a card, throw one away, call or not; after a call everybody shows their hand, the caller first, and then
    tells their series.
    """
    turn = table.get("turn")
    call = table.get("call")
    if call and seat in call["complete"]:
        return _series(world, seat) if seat == call["caller"] and not call["division"] else ()
    if call:
        turns = seat == call["caller"] or call["caller"] in call["complete"]
        return (Move(seat, "show", seconds=2.5),) if turns else ()
    if not turn:
        return ()
    if turn["row"] is None:
        return (Move(seat, "deal", seconds=4.0),) if turn["active"] == seat else ()
    may_call = turn["may_call"] == seat and world.not_yet != seat
    calls = (Move(seat, "call", seconds=1.2), Move(seat, "not-yet", seconds=1.2, declines=True)) if may_call else ()
    if turn["active"] != seat:
        return calls
    if turn["took"]:
        return tuple(Move(seat, "discard", card, seconds=1.4) for card in world.hands[seat])
    pile_takes = (Move(seat, "take-pile", seconds=2.0),) if world.pile else ()
    open_takes = (
        Move(seat, "take-discard", world.discard[-1], seconds=2.0),
        Move(seat, "take-row", world.row[-1], seconds=2.0),
    )
    return (*pile_takes, *open_takes, *calls)


def _series(world: World, seat: int) -> tuple[Move, ...]:
    """Put it together card by card, or leave it to the judge: two colours, each value once, none of the row's."""
    series = [DECK[card] for card in world.series]
    colours = {card.colour for card in series}
    values = {card.value for card in series}
    fits = [
        card.id
        for card in map(DECK.__getitem__, sorted(world.hands[seat], key=IDS.index))
        if card.colour != DECK[world.row[-1]].colour
        and card.value not in values
        and len(colours | {card.colour}) <= MOST_COLOURS
    ]
    return (
        Move(seat, "best", seconds=2.0),
        *((Move(seat, "series", seconds=2.0),) if series else ()),
        *(Move(seat, "join", card, seconds=1.5) for card in fits),
        *(Move(seat, "part", card, seconds=1.5) for card in world.series),
    )


def sees(world: World, seat: int) -> dict[str, Any]:
    """Return one's own hand, the card just drawn, what lies open, how high the pile is, the hand's best division with
    and without the card just drawn, and what the series put together so far leaves over.
    """
    hand = sorted(world.hands[seat], key=IDS.index)
    series = bits([card for card in world.series if card in hand])
    colour = COLOUR[world.row[-1]] if world.row else None
    drawn = world.hands[seat][-1] if len(world.hands[seat]) > HAND else None
    divided = _divided(hand, colour)
    return {
        "hand": hand,
        **shows(world),
        "discard": world.discard[-1] if world.discard else None,
        "pile": len(world.pile),
        "others": len(world.hands) - 1,
        "drawn": drawn,
        **divided,
        "held": _divided([card for card in hand if card != drawn], colour) if drawn else divided,
        "left_so_far": best_division.of_caller(bits(hand), colour, series).penalty if colour is not None else None,
    }


def shows(world: World) -> dict[str, Any]:
    """Return the row, its open card last: the booklet lays it face up, each card partly under the next."""
    return {"row": list(world.row)}


def _divided(hand: list[str], colour: int | None) -> dict[str, Any]:
    """Return the best series and what it leaves over, sorted by value as on every page; nothing without a colour."""
    if colour is None:
        return {"series": [], "left": [], "penalty": None}
    cards = bits(hand)
    division = best_division.of_caller(cards, colour, best_division.proposal(cards, colour))
    by_value = sorted(hand, key=lambda card: DECK[card].value or 0)
    return {
        "series": [card for card in by_value if bits([card]) & division.series],
        "left": [card for card in by_value if bits([card]) & division.left],
        "penalty": division.penalty,
    }


def do(world: World, move: Move, chance: Chance) -> tuple[World, tuple[Event, ...]]:
    """Return the outcome of a move."""
    seat = move.seat
    match move.what:
        case "deal":
            dealt = begin(world.seats, chance)
            return dealt, _opened(dealt)
        case "take-pile":
            last = (Said(0, 0.0, seat, "last-pile"),) if len(world.pile) == 1 else ()
            next_world = replace(world, pile=world.pile[1:])
            return _with_card(next_world, seat, world.pile[0]), (_at(seat, world.pile[0]), *last)
        case "take-discard":
            return _with_card(replace(world, discard=world.discard[:-1]), seat, move.card), (_at(seat, move.card),)
        case "take-row":
            next_world = replace(world, row=world.row[:-1])
            opened = tuple(Tapped(0, 0.0, "row", card) for card in next_world.row[-1:])
            return _with_card(next_world, seat, move.card), (_at(seat, move.card), *opened)
        case "discard":
            left = tuple(card for card in world.hands[seat] if card != move.card)
            next_world = replace(
                world, hands={**world.hands, seat: left}, discard=(*world.discard, move.card), not_yet=None
            )
            return next_world, (Tapped(0, 0.0, "discard", move.card),)
        case "call":
            return world, (Pressed(0, 0.0, seat),)
        case "not-yet":
            return replace(world, not_yet=seat), ()
        case "show":
            return world, tuple(_at(seat, card) for card in world.hands[seat])
        case "join":
            return replace(world, series=(*world.series, move.card)), ()
        case "part":
            return replace(world, series=tuple(card for card in world.series if card != move.card)), ()
        case "series" | "best":
            series = "best" if move.what == "best" else list(world.series)
            return world, (Said(0, 0.0, seat, "series", series),)
    return world, _opened(world)


def _with_card(world: World, seat: int, card: str) -> World:
    return replace(world, hands={**world.hands, seat: (*world.hands[seat], card)})


def _at(seat: int, card: str) -> Tapped:
    return Tapped(0, 0.0, place_of(seat), card)


def _opened(world: World) -> tuple[Event, ...]:
    """The taps after a fresh deal: the card turned up, and the open card of the row."""
    return Tapped(0, 0.0, "discard", world.discard[-1]), Tapped(0, 0.0, "row", world.row[-1])


def lies(world: World) -> list[str]:
    """Return every card."""
    return [*world.pile, *world.discard, *world.row, *(card for hand in world.hands.values() for card in hand)]


PHYSICS = Physics(
    options={"tracking": "turns"},
    begin=begin,
    can=can,
    sees=sees,
    do=do,
    lies=lies,
    choose=choose,
    shows=shows,
)
