"""What the pages of stop it! draw of cards where a demonstration knows them: a hand, a choice, a pile."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.games.stop_it.cards import DECK


class CardInHand(Struct, frozen=True):
    """A card of a hand that is sorted by colour."""

    colour: str | None
    is_stop: bool
    is_front: bool
    """Whether it is not half under the next one."""
    run: int
    """How many cards of its colour lie there up to it."""
    comes: int | None
    """In which order it comes into the hand, of those that come meanwhile; None: it was there."""


def lay_out_hand(cards: Sequence[str], coming: Sequence[str]) -> Iterator[CardInHand]:
    """Yield the cards of a hand, among them those that come meanwhile: `coming` holds both, if any come."""
    all_cards = coming or cards
    run = 0
    colour = None
    for number, card in enumerate(all_cards, 1):
        kind = DECK[card]
        is_stop = kind.kind != "plain"
        run = run + 1 if kind.colour == colour else 1
        colour = kind.colour
        following = DECK[all_cards[number]] if number < len(all_cards) else None
        is_last = following is None or following.kind != "plain" or following.colour != colour
        yield CardInHand(colour, is_stop, is_stop or is_last, run, None if card in cards else number)


def stops_to_choose(hand: Mapping[str, Any], colours: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the stop cards that a player may show, in their hand or on top of one of their piles, and how many cards
    they hold that count with it. What the others hold comes out in the count.
    """
    offered = [*(pile["top"] for pile in hand["piles"] if pile["top"]), *hand["hand"]]
    for colour in (*colours, None):
        stop = next((card for card in _stops(colour) if card in offered), None)
        if stop is not None:
            yield stop, sum(_counts(card, colour) for card in hand["hand"])


def stops_in_play(colours: Sequence[str], used: Collection[str]) -> Iterator[tuple[str | None, str]]:
    """Yield each colour (None: the special stops) and a stop card of it that is still in play; "": both are used."""
    for colour in (*colours, None):
        yield colour, next((card for card in _stops(colour) if card not in used), "")


def _stops(colour: str | None) -> tuple[str, str]:
    return f"{colour or 'special'}-stop-1", f"{colour or 'special'}-stop-2"


def _counts(card: str, colour: str | None) -> bool:
    return DECK[card].kind == "plain" and colour in (None, DECK[card].colour)


class Heap(Struct, frozen=True):
    """A pile as it is drawn, 64 wide and 124 high: its upper card, and an edge for each card below."""

    edges: int
    down: float
    """How far down its upper card lies."""
    side_height: float
    lowest_edge: float


def lay_out_heap(pile: Mapping[str, Any]) -> Heap:
    """Lay out a pile."""
    edges = max(pile["size"] - 1, 0)
    height = edges * 1.2
    return Heap(edges, round(36 - height, 1), round(height + 44, 1), round(height + 81, 1))


def sitting_at(seats: Iterable[int], spots: Mapping[int, int]) -> Iterator[str]:
    """Yield how places are taken around the table, as classes for its style sheet: how many people sit in the row above
    and in the one below, whether one is in the middle of a row, and which spots are free.
    """
    taken_spots = {spots[seat] for seat in seats}
    yield f"sits-{len(taken_spots)}"
    yield f"above-{len(taken_spots & {1, 2, 3})}"
    yield f"below-{len(taken_spots & {4, 5, 6})}"
    yield "in-middle" if taken_spots & {2, 5} else "sides"
    for spot in range(1, 7):
        if spot not in taken_spots:
            yield f"no-{spot}"
