"""What the pages of ¡Go! draw of one hand: its groups, the places of a series, what it leaves over."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.games.go.cards import COLOURS, DECK, HIGHEST

Hand = Mapping[str, Any]
"""What `sees` tells of a hand."""
LONGEST_BAR = 26.0
"""Percent of a bar's drawing."""
LEAST_FULL = 40
"""The penalty for which a bar is that long, if none is larger."""


class PlaceInSeries(Struct, frozen=True):
    """A value of the caller's series."""

    value: int
    cards: tuple[str, ...]
    """The caller's own card of it."""
    gifts: tuple[tuple[int, str], ...]
    """What others add there: whose hand it comes from, by the order in which these are opened, and the card."""


class Examples(Struct, frozen=True):
    """Cards by which it is explained how a hand is counted."""

    series: Sequence[str]
    gone: Sequence[str]
    left: Sequence[str]


def lay_out_series(division: Hand, other_hands: Sequence[tuple[int, Hand]]) -> Iterator[PlaceInSeries]:
    """Yield the places of a series. `other_hands`: what the others add, each with when their hand is opened."""
    for value in range(1, HIGHEST + 1):
        yield PlaceInSeries(
            value,
            cards=tuple(card for card in division["series"] if DECK[card].value == value),
            gifts=tuple(
                (nth, card) for nth, other in other_hands for card in other["additions"] if DECK[card].value == value
            ),
        )


def examples(colour: str | None, series: Sequence[str], left: Sequence[str]) -> Examples:
    """Return cards of a hand that lies there, or else some that might. `colour`: the row's, if any counts now."""
    other_colours = [other for other in COLOURS if other != colour]
    return Examples(
        series=series[:2] or (f"{other_colours[1]}-2", f"{other_colours[5]}-5"),
        gone=(f"{colour}-4",) if colour else (),
        left=left[:2] or (f"{other_colours[7]}-1", f"{other_colours[3]}-6"),
    )


def split_by_colour(cards: Sequence[str], colour: str | None) -> tuple[list[str], list[str]]:
    """Return the cards without those of the row's colour, and those."""
    gone = [card for card in cards if DECK[card].colour == colour]
    return [card for card in cards if card not in gone], gone


def by_colour(cards: Sequence[str], row_colour: str | None) -> Iterator[tuple[str, list[str]]]:
    """Yield each colour that may be in a series, if any card has it, with these cards of it."""
    for colour in COLOURS:
        of_colour = [card for card in cards if DECK[card].colour == colour]
        if of_colour and colour != row_colour:
            yield colour, of_colour


def thrown_out(hand: Hand) -> list[str]:
    """Return the cards of a hand that have the row's colour, without the one just drawn."""
    remaining = {*hand["held"]["series"], *hand["held"]["left"], hand["drawn"]}
    return [card for card in hand["hand"] if card not in remaining]


def saved_since(hand: Hand, earlier: Hand | None) -> int:
    """Return how much less a hand would leave over than earlier; 0 too if it is another hand by now, or not counted."""
    if earlier is None or earlier["held"]["penalty"] is None:
        return 0
    common = [card for card in earlier["hand"] if card in hand["hand"]]
    is_same = len(common) > len(hand["hand"]) - 3
    return int(earlier["held"]["penalty"] - hand["held"]["penalty"]) if is_same else 0


def written_sum(cards: Sequence[str]) -> str:
    """Return cards added up, as "3 + 5 = 8"."""
    values = [DECK[card].value or 0 for card in cards]
    addends = " + ".join(map(str, values))
    return f"{addends} = {sum(values)}" if len(values) > 1 else addends


def bar_length(penalty: int, most: int) -> float:
    """Return how long the bar of a penalty is, in percent; `most`: the largest beside it."""
    return round(LONGEST_BAR * penalty / max(most, LEAST_FULL), 1)
