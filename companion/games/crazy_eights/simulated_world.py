"""A simulated table: hands that are dealt and played, a pile to draw from, and bots for the empty seats."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.events import CENTRE, Event, Pressed, Said, Tapped
from companion.game.playing_cards import DECK, SUITS
from companion.game.simulated_hands import InHands, cards_in, moved
from companion.game.simulated_world import Chance, Move, Physics
from companion.games.crazy_eights.bots import choose
from companion.games.crazy_eights.cards import fits, is_eight, rank, suit


def begin(seats: tuple[int, ...], chance: Chance) -> InHands:
    """Lay the whole deck there; it is dealt by the dealer."""
    return InHands(dict.fromkeys(seats, ()), tuple(DECK))


def can(world: InHands, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
    """Deal, lay what fits, draw where nothing does, show what is left; once an eight lies, only its suit is named."""
    if not table or table["phase"] == "over":
        return ()
    if table["phase"] == "play" and table["namer"] is not None and not table["has_named"]:
        return _naming(seat) if table["namer"] == seat else ()
    if table["active"] != seat:
        return ()
    match table["phase"]:
        case "deal":
            return (Move(seat, "deal", number=table["dealt"], seconds=4.0, decides_nothing=True),)
        case "count":
            return (Move(seat, "show", seconds=3.0, decides_nothing=True),)
    lays = tuple(
        Move(seat, "play", card, seconds=2.5) for card in world.hands[seat] if fits(card, table["top"], table["suit"])
    )
    if lays:
        return lays
    if table["pile"] and (not table["has_drawn"] or table["drawing"] == "until"):
        return (Move(seat, "draw", seconds=1.5),)
    return (Move(seat, "pass", seconds=1.5),)


def _naming(seat: int) -> tuple[Move, ...]:
    return tuple(Move(seat, "suit", number=number, seconds=0.8) for number in range(1, len(SUITS) + 1))


def sees(world: InHands, seat: int) -> dict[str, Any]:
    """Return one's hand in order, and how high the pile is."""
    hand = sorted(world.hands[seat], key=lambda card: (SUITS.index(suit(card)), rank(card)))
    sight = {"hand": hand, "pile": len(world.pile)}
    return sight | {"drawn": world.drawn[seat]} if seat in world.drawn else sight


def do(world: InHands, move: Move, chance: Chance) -> tuple[InHands, tuple[Event, ...]]:
    """Return what becomes of a move, and what the table senses of it."""
    seat = move.seat
    match move.what:
        case "deal":
            return _dealt(world, move.number, chance)
        case "draw":
            drawn, _ = moved(world, move)
            return drawn, (Pressed(0, 0.0, seat),)
        case "pass":
            return replace(world, drawn={}), (Pressed(0, 0.0, seat),)
        case "suit":
            return world, (Said(0, 0.0, seat, "suit", SUITS[move.number - 1]),)
        case "show":
            return world, tuple(Tapped(0, 0.0, CENTRE, card) for card in world.hands[seat])
    return moved(world, move)


def _dealt(played: InHands, each: int, chance: Chance) -> tuple[InHands, tuple[Event, ...]]:
    """Deal, and turn up the first card that may begin the stack; those above it go to the bottom."""
    seats = tuple(played.hands)
    shuffled = tuple(chance.sample([*DECK], len(DECK)))
    hands = {seat: shuffled[place * each : (place + 1) * each] for place, seat in enumerate(seats)}
    pile = shuffled[len(seats) * each :]
    # Bots shuffle in no time: the last card of a count, turned up at once, would be one card read twice.
    just_shown = {hand[-1] for hand in played.hands.values() if hand}
    first = next(card for card in pile if not is_eight(card) and card not in just_shown)
    above = pile[: pile.index(first)]
    world = InHands(hands, (*pile[pile.index(first) + 1 :], *above), (first,))
    return world, (Tapped(0, 0.0, CENTRE, first),)


PHYSICS = Physics(options={}, begin=begin, can=can, sees=sees, do=do, lies=cards_in, choose=choose)
