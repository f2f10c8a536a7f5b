"""A simulated table: hands that are dealt, passed and played, and bots for the empty seats."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.events import Event, Pressed, Tapped, place_of
from companion.game.simulated_world import Chance, Move, Physics
from companion.game.turn_order import next_seat
from companion.games.hearts.bots import choose
from companion.games.hearts.cards import better_cards, cards_in_play, in_order, lowest_club, suit

PASSED = 3


class World(msgspec.Struct, frozen=True):
    """What lies where."""

    hands: Mapping[int, tuple[str, ...]]
    given: Mapping[int, tuple[str, ...]] = {}
    """By seat, the cards that its player has laid aside for their neighbour."""
    swept: tuple[str, ...] = ()
    """The cards that were played in this round."""


def begin(seats: tuple[int, ...], chance: Chance) -> World:
    """Deal all cards that so many players use."""
    deck = cards_in_play(len(seats))
    shuffled = chance.sample([*deck], len(deck))
    hands = {seat: tuple(shuffled[place :: len(seats)]) for place, seat in enumerate(seats)}
    return World(hands, dict.fromkeys(seats, ()))


def can(world: World, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
    """Pass, play what the rules allow, or deal again, which anybody may: nobody waits for whoever forgot to."""
    hand = world.hands[seat]
    if table["phase"] == "over":
        return ()
    if not any(world.hands.values()) and not any(world.given.values()):
        return (Move(seat, "deal"),)
    if table["phase"] == "pass":
        if seat in table["passed"] or len(world.given[seat]) == PASSED:
            return ()
        gives = tuple(Move(seat, "give", card, number=table["steps"], seconds=2.0) for card in hand)
        return (*gives, *(Move(seat, "keep", card) for card in world.given[seat]))
    if table["active"] is None:
        lowest = lowest_club(table["players"])
        return (Move(seat, "lay", lowest),) if lowest in hand else ()
    if table["active"] != seat:
        return ()
    led = suit(table["trick"][0]["card"]) if table["trick"] else None
    is_first_trick = len(table["played"]) < table["players"]
    return tuple(
        Move(seat, "lay", card, seconds=2.5)
        for card in hand
        if better_cards(
            card,
            led,
            table["players"],
            is_first_trick=is_first_trick,
            hearts_broken=table["hearts_broken"],
        ).isdisjoint(hand)
    )


def sees(world: World, seat: int) -> dict[str, Any]:
    """Return one's hand, what one has laid aside for the neighbour among it."""
    return {"hand": in_order((*world.hands[seat], *world.given[seat])), "given": list(world.given[seat])}


def do(world: World, move: Move, chance: Chance) -> tuple[World, tuple[Event, ...]]:
    """Return what becomes of a move, and what the table senses of it."""
    seat = move.seat
    if move.what == "deal":
        return begin(tuple(world.hands), chance), ()
    if move.what == "keep":
        cards_given = {**world.given, seat: tuple(card for card in world.given[seat] if card != move.card)}
        return replace(world, hands={**world.hands, seat: (*world.hands[seat], move.card)}, given=cards_given), ()
    if move.what not in {"lay", "give"}:
        return world, ()
    hands = {**world.hands, seat: tuple(card for card in world.hands[seat] if card != move.card)}
    if move.what == "lay":
        laid = Tapped(0, 0.0, place_of(seat), move.card)
        return replace(world, hands=hands, swept=(*world.swept, move.card)), (laid,)
    cards_given = {**world.given, seat: (*world.given[seat], move.card)}
    world_after = replace(world, hands=hands, given=cards_given)
    if len(cards_given[seat]) < PASSED:
        return world_after, ()
    if all(len(cards) == PASSED for cards in cards_given.values()):
        world_after = _passed_on(world_after, move.number)
    return world_after, (Pressed(0, 0.0, seat),)


def _passed_on(world: World, steps: int) -> World:
    seats = tuple(world.hands)
    hands = dict(world.hands)
    for seat in seats:
        neighbour = next_seat(seats, seat, steps)
        hands[neighbour] = (*hands[neighbour], *world.given[seat])
    return replace(world, hands=hands, given=dict.fromkeys(seats, ()))


def lies(world: World) -> list[str]:
    """Return every card."""
    return [*world.swept, *(card for cards in (*world.hands.values(), *world.given.values()) for card in cards)]


PHYSICS = Physics(options={}, begin=begin, can=can, sees=sees, do=do, lies=lies, choose=choose)
