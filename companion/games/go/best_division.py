"""The best division of a hand: which cards go into which series, and which are left as penalty.

A hand is seen colour by colour as eleven bits, one a value. Once a player's own colours are chosen, the values
are independent: a value is freed once if these or the caller's series can take a card of it, twice if each can take
one. So the best division is the best of at most 1 + 9 + 36 choices of own colours.
"""

from itertools import combinations

import msgspec

from companion.games.go.cards import COLOURS, HIGHEST

ALL = (1 << HIGHEST) - 1


def _sums() -> tuple[int, ...]:
    """Return the sum of the values of each mask. Each value doubles the list: no start has to wait long for it."""
    sums = [0]
    for value in range(1, HIGHEST + 1):
        sums += [total + value for total in sums]
    return tuple(sums)


SUM = _sums()
"""The values of a colour's eleven bits, added up."""
SHIFTS = tuple(range(0, len(COLOURS) * HIGHEST, HIGHEST))

Masks = list[int]
"""For each colour, the eleven bits of its values."""


class Division(msgspec.Struct, frozen=True):
    """A divided hand: each group is a set of cards."""

    eliminated: int
    """The cards of the row's colour."""
    series: int
    """The player's own series: at most two colours, each value once."""
    additions: int
    """The cards added to the caller's series."""
    left: int
    penalty: int
    """The values of the cards left, added up."""


def proposal(hand: int, row: int) -> int:
    """Return the series with the least penalty for a caller when the row's colour is `row`.

    Ties go to fewer colours, then to the colours that come first; if both hold a value, the first one's card is used.
    """
    masks = _masks(hand, row)
    chosen = _best(masks, [0] * len(masks), 0)
    return _series(masks, chosen, [0] * len(masks))


def of_caller(hand: int, row: int, series: int) -> Division:
    """Divide the caller's hand by the chosen series."""
    return _division(hand, row, series, 0)


def least(hand: int, row: int) -> int:
    """Return the penalty that a caller's best series leaves."""
    return of_caller(hand, row, proposal(hand, row)).penalty


def of_other(hand: int, row: int, series: int) -> Division:
    """Divide another hand in the best way: a series of its own, and additions to the caller's `series`.

    An addition has one of the colours that stand in the caller's series and a value that does not; each player adds a
    value at most once. Ties go as in `proposal`. A value freed twice is freed first with a card of a colour that
    their own series does not have.
    """
    masks = _masks(hand, row)
    series_masks = _masks(series)
    values = 0
    for mask in series_masks:
        values |= mask
    free = ALL & ~values
    joining = [colour for colour, mask in enumerate(series_masks) if mask]
    joins = [0] * len(masks)
    for colour in joining:
        joins[colour] = masks[colour] & free
    once, twice = _joined(joins, joining)
    doubles = [mask & once for mask in masks]
    for colour in joining:
        doubles[colour] = twice
    colours = _best(masks, doubles, once)
    freed = double = 0
    for colour in colours:
        freed |= masks[colour]
        double |= doubles[colour]
    added = _added(joins, joining, colours, once & ~freed | double)
    return _division(hand, row, _series(masks, colours, added), _bits(added))


def _masks(cards: int, without: int = -1) -> Masks:
    masks = [cards >> shift & ALL for shift in SHIFTS]
    if without >= 0:
        masks[without] = 0
    return masks


def _bits(masks: Masks) -> int:
    return sum(mask << shift for mask, shift in zip(masks, SHIFTS, strict=True))


def _joined(joins: Masks, joining: list[int]) -> tuple[int, int]:
    """Return the values that can be added, and those of which there are two cards to choose from."""
    once = twice = 0
    for colour in joining:
        twice |= once & joins[colour]
        once |= joins[colour]
    return once, twice


def _best(masks: Masks, doubles: Masks, once: int) -> tuple[int, ...]:
    """Choose a player's own colours that free most; of equals the first: fewer and earlier colours come first.

    `once` are the values that can go into the caller's series; `doubles` are, for each own colour, those that go twice.
    """
    present = [(colour, masks[colour], doubles[colour]) for colour in range(len(masks)) if masks[colour]]
    most = SUM[once]
    chosen: tuple[int, ...] = ()
    for colour, mask, double in present:
        freed = SUM[mask | once] + SUM[double]
        if freed > most:
            most = freed
            chosen = (colour,)
    for (colour, mask, double), (second, its_mask, its_double) in combinations(present, 2):
        freed = SUM[mask | its_mask | once] + SUM[double | its_double]
        if freed > most:
            most = freed
            chosen = (colour, second)
    return chosen


def _added(joins: Masks, joining: list[int], colours: tuple[int, ...], values: int) -> Masks:
    """Return the cards that add these values, of a colour outside the player's own series if possible."""
    added = [0] * len(joins)
    for colour in sorted(joining, key=colours.__contains__):
        added[colour] = joins[colour] & values
        values &= ~added[colour]
    return added


def _series(masks: Masks, colours: tuple[int, ...], added: Masks) -> int:
    """Return the series of these colours: each value once, of the first colour that has it left."""
    series = values = 0
    for colour in colours:
        mask = masks[colour] & ~added[colour] & ~values
        series |= mask << SHIFTS[colour]
        values |= mask
    return series


def _division(hand: int, row: int, series: int, additions: int) -> Division:
    eliminated = hand & ALL << SHIFTS[row]
    left = hand & ~(eliminated | series | additions)
    return Division(eliminated, series, additions, left, sum(SUM[mask] for mask in _masks(left)))
