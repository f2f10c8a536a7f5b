"""The things of stop it! in people's hands: five open piles, hidden hands, called stops, negative cards."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.events import Event, Pressed, Said, Tapped, place_of
from companion.game.simulated_world import Chance, Move, Physics
from companion.games.stop_it.bots import choose
from companion.games.stop_it.cards import DECK, NEGATIVE, PLAIN

PILES = 5
_NEGATIVES = tuple(card.id for card in DECK.values() if card.kind == NEGATIVE)
_PLAYED = tuple(card.id for card in DECK.values() if card.kind != NEGATIVE)


class World(msgspec.Struct, frozen=True):
    """What lies where."""

    seats: tuple[int, ...]
    piles: tuple[tuple[str, ...], ...]
    """Face up; the top last."""
    hands: Mapping[int, tuple[str, ...]]
    drawn: Mapping[int, str] = {}
    """Seat → the card that it has just picked up."""
    negatives: tuple[str, ...] = _NEGATIVES
    """Negative cards that nobody has."""
    paid: Mapping[int, tuple[str, ...]] = {}
    """Seat → its negative cards."""
    owed: int = 0
    """Negative points for which no card was left."""
    called: tuple[str, ...] = ()
    """The stop cards set aside, the latest last."""
    counts: Mapping[int, int] = {}
    """The counts told in the count under way."""


def begin(seats: tuple[int, ...], chance: Chance) -> World:
    """Shuffle; five piles lie open within everybody's reach."""
    cards = chance.sample(_PLAYED, len(_PLAYED))
    piles = tuple(tuple(cards[at::PILES]) for at in range(PILES))
    return World(seats, piles, dict.fromkeys(seats, ()), paid=dict.fromkeys(seats, ()))


def can(world: World, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
    """Collect and shout; show the stop; count; start again."""
    shout = Move(seat, "shout", seconds=1.1, at_once=True)
    match table.get("phase"):
        case "ready":
            return (Move(seat, "start", seconds=25.0, for_people=True),)
        case "collecting":
            tops = ((number, pile[-1]) for number, pile in enumerate(world.piles, 1) if pile)
            picks = tuple(Move(seat, "pick", card, number, seconds=1.6, takes=True) for number, card in tops)
            if not picks and not table["last_calls"]:
                return (Move(seat, "piles-empty", seconds=1.0),)
            # As long as cards lie there, somebody without a stop may shout anyway, and be wrong.
            return (*picks, shout) if picks or _stops(world, seat) else ()
        case "shouted" if seat in table["now"]["seats"]:
            stops = tuple(Move(seat, "show", card, seconds=2.0) for card in _stops(world, seat))
            return stops or (Move(seat, "no-stop", seconds=2.0),)
        case "shouted" if _stops(world, seat) and all(shout["seat"] != seat for shout in table["shouts"]):
            return (shout,)
        case "counting" if seat not in table["counted"]:
            return (Move(seat, "count", number=_count(world, seat), seconds=2.5),)
        case "scored" if seat == table["caller"]:
            return (Move(seat, "restart", seconds=4.0),)
    return ()


def _stops(world: World, seat: int) -> list[str]:
    """Return the stop cards that this seat can show: on a pile, or in its hand."""
    reachable = [*(pile[-1] for pile in world.piles if pile), *world.hands[seat]]
    return [card for card in reachable if DECK[card].kind != PLAIN]


def _count(world: World, seat: int) -> int:
    colour = DECK[world.called[-1]].colour
    cards = [DECK[card] for card in world.hands[seat]]
    return sum(card.kind == PLAIN and colour in (None, card.colour) for card in cards)


def shows(world: World) -> dict[str, Any]:
    """Return what lies open, the tops of the piles, and what is seen across the table: how high they are, and how many
    cards everybody holds.
    """
    return {
        "piles": [{"top": pile[-1] if pile else None, "size": len(pile)} for pile in world.piles],
        "held": {seat: len(hand) for seat, hand in world.hands.items()},
    }


def sees(world: World, seat: int) -> dict[str, Any]:
    """Return one's own hand, the card just drawn, the tops of the piles, how high they are, and how many cards the
    others hold together.
    """
    return {
        **shows(world),
        "hand": sorted(world.hands[seat], key=_PLAYED.index),
        "drawn": world.drawn.get(seat),
        "others": len(world.seats) - 1,
        "elsewhere": sum(len(hand) for player, hand in world.hands.items() if player != seat),
    }


def do(world: World, move: Move, chance: Chance) -> tuple[World, tuple[Event, ...]]:
    """Return the outcome of a move; no sensor sees what somebody picks up."""
    seat = move.seat
    match move.what:
        case "start" | "shout" | "restart":
            return replace(world, drawn={}), (Pressed(0, 0.0, seat),)
        case "pick":
            next_world = _without(world, move.card)
            hands = {**next_world.hands, seat: (*next_world.hands[seat], move.card)}
            next_world = replace(next_world, hands=hands, drawn={**next_world.drawn, seat: move.card})
            return next_world, () if any(next_world.piles) else (Said(0, 0.0, seat, "piles-empty"),)
        case "show":
            next_world = replace(_without(world, move.card), called=(*world.called, move.card), counts={})
            return next_world, (Tapped(0, 0.0, place_of(seat), move.card),)
        case "no-stop" | "piles-empty":
            return world, (Said(0, 0.0, seat, move.what),)
        case "count":
            counted = replace(world, counts={**world.counts, seat: move.number})
            return _paid(counted), (Said(0, 0.0, seat, "count", move.number),)
    return world, ()


def _without(world: World, card: str) -> World:
    """Take a card off its pile, or out of the hand that holds it."""
    piles = tuple(pile[:-1] if pile[-1:] == (card,) else pile for pile in world.piles)
    hands = {seat: tuple(held_card for held_card in hand if held_card != card) for seat, hand in world.hands.items()}
    return replace(world, piles=piles, hands=hands)


def _paid(world: World) -> World:
    """Once all have counted, whoever has the fewest takes a negative card."""
    if len(world.counts) < len(world.seats):
        return world
    fewest = min(world.counts.values())
    for seat in (seat for seat in world.seats if world.counts[seat] == fewest):
        card = world.negatives[:1]
        world = replace(
            world,
            negatives=world.negatives[1:],
            paid={**world.paid, seat: (*world.paid[seat], *card)},
            owed=world.owed + (not card),
        )
    return world


def lies(world: World) -> list[str]:
    """Return every card."""
    held = [card for cards in (*world.piles, *world.hands.values(), *world.paid.values()) for card in cards]
    return [*held, *world.negatives, *world.called]


PHYSICS = Physics(
    options={},
    begin=begin,
    can=can,
    sees=sees,
    do=do,
    lies=lies,
    choose=choose,
    shows=shows,
)
