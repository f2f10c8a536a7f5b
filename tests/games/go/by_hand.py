"""The rules of dividing a hand, the slow way: try everything. Cards are ids."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from tests.games.go.table import COLOURS


def colour(card: str) -> str:
    return card.split("-")[0]


def value(card: str) -> int:
    return int(card.split("-")[1])


def worth(cards: Iterable[str]) -> int:
    return sum(map(value, cards))


def kept(hand: Iterable[str], row: str) -> list[str]:
    """What is left of a hand when the row's colour is gone."""
    return [card for card in hand if colour(card) != row]


def is_series(cards: Iterable[str]) -> bool:
    cards = list(cards)
    return len({value(card) for card in cards}) == len(cards) and len({colour(card) for card in cards}) <= 2


def every_series(hand: Iterable[str], row: str) -> Iterator[list[str]]:
    """Every series the caller might tell, the empty one too."""
    held = kept(hand, row)
    for size in range(len(held) + 1):
        for cards in combinations(held, size):
            if is_series(cards):
                yield list(cards)


def proposal(hand: list[str], row: str) -> list[str]:
    """The least penalty, then fewer colours, then colours that come first; of two cards of a value the first's."""

    def rank(series: list[str]) -> tuple[int, int, list[int], list[int]]:
        colours = sorted({COLOURS.index(colour(card)) for card in series})
        by_value = [COLOURS.index(colour(card)) for card in sorted(series, key=value)]
        return -worth(series), len(colours), colours, by_value

    return min(every_series(hand, row), key=rank)


def least_penalty(hand: list[str], row: str, callers: list[str]) -> int:
    """The least penalty another player can have beside the caller's series."""
    cards = sorted(kept(hand, row), key=value, reverse=True)
    colours, values = {colour(card) for card in callers}, {value(card) for card in callers}
    best = worth(cards)

    def lay(at: int, own: tuple[str, ...], added: tuple[int, ...], left: int) -> None:
        nonlocal best
        if left >= best:
            return
        if at == len(cards):
            best = left
            return
        card = cards[at]
        if is_series([*own, card]):
            lay(at + 1, (*own, card), added, left)
        if colour(card) in colours and value(card) not in values and value(card) not in added:
            lay(at + 1, own, (*added, value(card)), left)
        lay(at + 1, own, added, left + value(card))

    lay(0, (), (), 0)
    return best
