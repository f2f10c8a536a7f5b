"""The things of STOP me GO in people's hands: gangsters around the pile, cards face down on them, hands, reward tokens.

The booklet does not say how many reward tokens there are of each value: here ten, as in `IN_THE_BOX`.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.events import Event, Said, Tapped, place_of
from companion.game.simulated_world import Chance, Move, Physics
from companion.games.stop_me_go.bots import choose
from companion.games.stop_me_go.cards import GANGSTERS, STOPS, of_colour

_COPIES = ((0, 2), (1, 3), (2, 3), (3, 2))
IN_THE_BOX = tuple(f"token-{value}-{copy}" for value, most in _COPIES for copy in range(1, most + 1))

_OF_SEATS = ("red", "blue", "yellow", "green", "orange", "violet")
"""The colours of seats 1, 2 … on the pages, so that nobody changes colour as the match begins."""


class Lying(msgspec.Struct, frozen=True):
    """A gangster, and what lies on it."""

    gangster: str
    laid: Mapping[int, str] = {}


class World(msgspec.Struct, frozen=True):
    """What lies where."""

    seats: tuple[int, ...]
    colours: Mapping[int, str]
    hands: Mapping[int, tuple[str, ...]]
    pool: tuple[str, ...]
    """The tokens that can be won, face down."""
    box: tuple[str, ...]
    """The tokens that were put away unseen."""
    pile: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    out: tuple[Lying, ...] = ()
    """Around the pile, the oldest first."""
    turned: tuple[Lying, ...] = ()
    """The seats whose cards lie open until the round is over, once somebody was captured."""
    owned: Mapping[int, str] = {}
    tokens: Mapping[int, tuple[str, ...]] = {}


def begin(seats: tuple[int, ...], chance: Chance) -> World:
    """Give everybody their seat's colour, and put tokens out: two more than people."""
    colours = {seat: _OF_SEATS[seat - 1] for seat in seats}
    tokens = chance.sample(IN_THE_BOX, len(IN_THE_BOX))
    won = len(seats) + 2
    world = World(seats, colours, {}, tuple(tokens[:won]), tuple(tokens[won:]), tokens=dict.fromkeys(seats, ()))
    return _gathered(world, chance)


def suit(world: World, chosen: Mapping[int, str]) -> World:
    """Hand everybody the cards of the colour they chose, if the game has it; else of their seat's, if it is left."""
    colours: dict[int, str] = {}
    for seat in sorted(world.seats, key=lambda seat: chosen.get(seat) not in _OF_SEATS):
        wishes = (chosen.get(seat, ""), _OF_SEATS[seat - 1], *_OF_SEATS)
        colours[seat] = next(colour for colour in wishes if colour in _OF_SEATS and colour not in colours.values())
    return _dealt(replace(world, colours={seat: colours[seat] for seat in world.seats}))


def _gathered(world: World, chance: Chance) -> World:
    """Shuffle all ten gangsters; everybody takes their five cards."""
    pile = tuple(chance.sample(sorted(GANGSTERS), len(GANGSTERS)))
    return _dealt(replace(world, pile=pile, discard=(), out=(), turned=(), owned={}))


def _dealt(world: World) -> World:
    return replace(world, hands={seat: of_colour(colour) for seat, colour in world.colours.items()})


def can(world: World, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
    """Anybody turns up a gangster or the cards on one; everybody lays a card; the winner takes a token."""
    match table.get("phase"):
        case "ready" | "misdeed":
            return (Move(seat, "turn-up", number=len(world.out) + 1, seconds=2.5, decides_nothing=True),)
        case "intervention" if seat not in table["laid"]:
            return tuple(Move(seat, "lay", card, seconds=3.0) for card in _apart(world.hands[seat]))
        case "intervention" if table["allow_change"]:
            stops = world.out[-1].laid[seat] in STOPS
            of_other_kind = (card for card in _apart(world.hands[seat]) if (card in STOPS) is not stops)
            return tuple(Move(seat, "change", card, seconds=3.0) for card in of_other_kind)
        case "arrest" | "round-end":
            return (Move(seat, "turn-over", world.out[0].gangster, seconds=3.5, decides_nothing=True),)
        case "reward" if table["won"]["seat"] == seat:
            return (Move(seat, "take-token", seconds=2.0),)
    return ()


def _apart(hand: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out all but one of the GOs: nobody can tell them apart."""
    goes = [card for card in hand if card not in STOPS]
    return (*goes[:1], *(card for card in hand if card in STOPS))


def sees(world: World, seat: int) -> dict[str, Any]:
    """Return one's own hand, and what one has laid on which gangster: no page shows that, but a player remembers."""
    laid = {lying.gangster: lying.laid[seat] for lying in world.out if seat in lying.laid}
    colour = world.colours[seat]
    return {"hand": sorted(world.hands[seat], key=of_colour(colour).index), "colour": colour, "laid": laid}


def do(world: World, move: Move, chance: Chance) -> tuple[World, tuple[Event, ...]]:
    """Return what becomes of a move."""
    match move.what:
        case "turn-up":
            return _turned_up(world, chance)
        case "lay" | "change":
            return _laid(world, move.seat, move.card), (Tapped(0, 0.0, place_of(move.seat), move.card),)
        case "turn-over":
            return _turned_over(world), (Said(0, 0.0, move.seat, "flip"),)
        case "take-token":
            token = chance.choice(world.pool)
            pool = tuple(left_token for left_token in world.pool if left_token != token)
            tokens = {**world.tokens, move.seat: (*world.tokens[move.seat], token)}
            next_world = replace(world, pool=pool, tokens=tokens)
            return _gathered(next_world, chance), (Tapped(0, 0.0, place_of(move.seat), token),)
    first_cards = tuple(Tapped(0, 0.0, place_of(seat), world.hands[seat][0]) for seat in world.seats)
    return world, first_cards


def _turned_up(world: World, chance: Chance) -> tuple[World, tuple[Event, ...]]:
    pile = world.pile
    discard = world.discard
    if not pile:
        pile = tuple(chance.sample(discard, len(discard)))
        discard = ()
    next_world = replace(world, pile=pile[1:], discard=discard, out=(*world.out, Lying(pile[0])))
    return next_world, (Tapped(0, 0.0, "centre", pile[0]),)


def _laid(world: World, seat: int, card: str) -> World:
    newest = world.out[-1]
    back = [newest.laid[seat]] if seat in newest.laid else []
    newest = replace(newest, laid={**newest.laid, seat: card})
    hand = tuple(held_card for held_card in (*world.hands[seat], *back) if held_card != card)
    return replace(world, out=(*world.out[:-1], newest), hands={**world.hands, seat: hand})


def _turned_over(world: World) -> World:
    """A single STOP captures; otherwise, in an arrest, everybody takes their card back."""
    oldest = world.out[0]
    still_out = world.out[1:]
    stops = [seat for seat, card in oldest.laid.items() if card in STOPS]
    if len(stops) == 1:
        owned = {**world.owned, stops[0]: oldest.gangster}
        return replace(world, out=still_out, turned=(*world.turned, oldest), owned=owned)
    next_world = replace(world, out=still_out, discard=(*world.discard, oldest.gangster))
    if world.owned:
        return replace(next_world, turned=(*world.turned, oldest))
    return replace(next_world, hands={seat: (*world.hands[seat], oldest.laid[seat]) for seat in world.seats})


def lies(world: World) -> list[str]:
    """Return every card of the colours that play, every gangster, and every token."""
    laid = [card for lying in (*world.out, *world.turned) for card in lying.laid.values()]
    held = [card for cards in (*world.hands.values(), *world.tokens.values()) for card in cards]
    gangsters = [*world.pile, *world.discard, *world.owned.values(), *(lying.gangster for lying in world.out)]
    return [*laid, *held, *gangsters, *world.pool, *world.box]


PHYSICS = Physics(
    options={},
    begin=begin,
    can=can,
    sees=sees,
    do=do,
    lies=lies,
    choose=choose,
    suit=suit,
)
