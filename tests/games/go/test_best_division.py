"""The best division of a hand, against the slow way: try everything."""

from collections.abc import Iterator
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from companion.games.go import best_division
from companion.games.go.cards import COLOUR, COLOURS, DECK, HAND, IDS, bits, ids
from companion.kit.table_for_tests import cases
from tests.games.go.table import cards as written

Cards = tuple[str, ...]
rows = st.sampled_from(range(len(COLOURS)))


def value(card: str) -> int:
    return DECK[card].value or 0


def penalty(cards: list[str]) -> int:
    return sum(value(card) for card in cards)


def hands_of(cards: list[str], most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(cards), max_size=most, unique=True)


@st.composite
def colliding(draw: st.DrawFn) -> list[str]:
    """Few colours and few values, so that everything gets in each other's way; small enough to try everything."""
    colours = draw(st.lists(st.sampled_from(range(10)), min_size=1, max_size=5, unique=True))
    values = draw(st.lists(st.integers(1, 11), min_size=1, max_size=4, unique=True))
    cards = [f"{COLOURS[colour]}-{number}" for colour in colours for number in values]
    return draw(hands_of(cards, 7))


any_hand = st.one_of(colliding(), hands_of(list(IDS), 7))
full_hand = st.lists(st.sampled_from(IDS), min_size=HAND, max_size=HAND, unique=True)
any_series = st.one_of(st.just([]), any_hand)


def is_series(cards: list[str]) -> bool:
    values = [value(card) for card in cards]
    return len(set(values)) == len(values) and len(colours_of(cards)) <= 2


def series_of(cards: list[str]) -> list[str]:
    """Make a series of whatever cards: the first of each value, of the first two colours."""
    colours = list(dict.fromkeys(COLOUR[card] for card in cards))[:2]
    firsts: dict[int, str] = {}
    for card in cards:
        if COLOUR[card] in colours:
            firsts.setdefault(value(card), card)
    return list(firsts.values())


def may_add(cards: list[str], callers: list[str]) -> bool:
    colours = {COLOUR[card] for card in callers}
    values = {value(card) for card in callers}
    added = [value(card) for card in cards]
    fits = all(COLOUR[card] in colours and value(card) not in values for card in cards)
    return fits and len(set(added)) == len(added)


def ways(hand: list[str], row: int, callers: list[str]) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Every way to lay each card that is not of the row's colour: own series, caller's series, left."""
    fitting = [card for card in hand if COLOUR[card] != row]
    for where in product(range(3), repeat=len(fitting)):
        groups = [[card for card, group in zip(fitting, where, strict=True) if group == n] for n in range(3)]
        if is_series(groups[0]) and may_add(groups[1], callers):
            yield groups[0], groups[1], groups[2]


def colours_of(cards: list[str]) -> set[int]:
    return {COLOUR[card] for card in cards}


def check_groups(hand: list[str], row: int, callers: list[str], divided: best_division.Division) -> None:
    groups = [ids(held) for held in (divided.eliminated, divided.series, divided.additions, divided.left)]
    assert sorted(card for group in groups for card in group) == sorted(hand)
    eliminated, series, additions, left = groups
    assert eliminated == [card for card in ids(bits(hand)) if COLOUR[card] == row]
    assert is_series(series)
    assert may_add(additions, callers)
    assert divided.penalty == penalty(left)


@given(any_hand, rows, any_series)
def test_another_hand_is_divided_with_the_least_penalty_and_then_with_the_fewest_colours_of_its_own(
    hand: list[str], row: int, callers: list[str]
) -> None:
    callers = [card for card in series_of(callers) if card not in hand]
    divided = best_division.of_other(bits(hand), row, bits(callers))
    check_groups(hand, row, callers, divided)
    best = min((penalty(left), len(colours_of(series))) for series, _, left in ways(hand, row, callers))
    assert (divided.penalty, len(colours_of(ids(divided.series)))) == best


@given(full_hand, rows, any_series)
def test_a_whole_hand_is_divided_as_the_rules_allow(hand: list[str], row: int, callers: list[str]) -> None:
    callers = [card for card in series_of(callers) if card not in hand]
    check_groups(hand, row, callers, best_division.of_other(bits(hand), row, bits(callers)))


@given(any_hand, rows)
def test_the_proposal_has_the_least_penalty(hand: list[str], row: int) -> None:
    divided = best_division.of_caller(bits(hand), row, best_division.proposal(bits(hand), row))
    check_groups(hand, row, [], divided)
    assert divided.additions == 0
    assert divided.penalty == min(penalty(left) for _, _, left in ways(hand, row, []))


@given(st.one_of(any_hand, full_hand), rows)
def test_among_equals_the_proposal_has_fewer_then_earlier_colours_and_the_first_ones_card(
    hand: list[str], row: int
) -> None:
    fitting = [card for card in hand if COLOUR[card] != row]
    choices: list[tuple[int, int, Cards, list[str]]] = []
    for many in range(3):
        for colours in combinations(COLOURS, many):
            firsts: dict[int, str] = {}
            for card in sorted(fitting, key=lambda card: COLOUR[card]):
                if DECK[card].colour in colours:
                    firsts.setdefault(value(card), card)
            left = [card for card in fitting if card not in firsts.values()]
            choices.append((penalty(left), many, colours, list(firsts.values())))
    best = min(choices, key=lambda choice: (choice[0], choice[1], [COLOURS.index(colour) for colour in choice[2]]))
    assert best_division.proposal(bits(hand), row) == bits(best[3])


# Examples.

SERIES = "O1 O2 P3 O4 P5 O6 P7 O9 P11"
"""A caller's series in which 8 and 10 are free."""
NONE = "G1 G2 G3 G4 G5 G6 G7 G8"
"""One that helps no hand of these: green is kept out of them."""


@cases(
    "hand, callers, row, left",
    ("the row's colour is eliminated", "K1 K2 K3 K4 K5 K6 K7 K8 K10 R5 B6 V7", NONE, "grey", 5),
    ("and no other", "K2 K3 K4 K5 K6 K7 K8 K10 R3 R6 B6 V7", NONE, "red", 13),
    ("blue is not lightblue", "B1 B2 B3 B4 B5 B6 T6 T7 T8 T9 T10 R4", NONE, "blue", 0),
    ("a series is of two colours at most", "R1 R2 R3 R4 B5 B6 B7 B8 N9 N10 N11 K1", NONE, "grey", 10),
    ("holds each value once", "R7 B7 N7 V7 T7 K1 K2 K3 K4 K5 K6 K7", NONE, "grey", 28),
    ("and need not be complete", "R2 R11 B5 V3 K1 K2 K3 K4 K5 K6 K7 K8", NONE, "grey", 3),
    ("the best colours need not have most cards", "R1 R2 R3 R4 B1 B2 B3 B4 N11 V10 K1 K2", NONE, "grey", 20),
    ("a free value of the caller's colours is added", "O8 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4 K5", SERIES, "grey", 6),
    ("of another colour it is not", "Y8 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4 K5", SERIES, "grey", 12),
    ("nor one that the caller holds", "T1 T2 T4 T5 T6 N7 N8 N9 N10 P9 V1 K4", SERIES, "grey", 10),
    ("one player adds a value once", "O10 P10 R1 R2 R3 R4 B5 B6 B7 B8 K1 K2", SERIES, "grey", 10),
    ("but may keep the other", "O10 P10 P1 P2 O3 P4 P8 P9 P6 V3 V7 K7", SERIES, "grey", 3),
    ("nobody adds to an empty series", "O10 O9 P9 R8 R7 V6 V5 K1 K2 K3 K4 K5", "", "grey", 20),
    ("one card is enough", "O10 O9 P9 R8 R7 V6 V5 K1 K2 K3 K4 K5", "O1", "grey", 9),
    ("the row's colour is gone before", "P8 P10 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4", "O1 O2 O4 O6 O9", "pink", 15),
)
def test_what_is_left_of_another_hand(hand: str, callers: str, row: str, left: int) -> None:
    assert best_division.of_other(bits(written(hand)), COLOURS.index(row), bits(written(callers))).penalty == left


@cases(
    "hand, callers, series, added",
    ("first what the own series lacks", "O10 P10 P1 P2 P4 P6 P8 P9", "O1 O2 O3 P5", "P1 P2 P4 P6 P8 P9 P10", "O10"),
    ("no own series where none is needed", "O4 O5", "O1", "", "O4 O5"),
)
def test_how_another_hand_is_laid(hand: str, callers: str, series: str, added: str) -> None:
    divided = best_division.of_other(bits(written(hand)), COLOURS.index("grey"), bits(written(callers)))
    laid = divided.series, divided.additions, divided.penalty
    assert laid == (bits(written(series)), bits(written(added)), 0)


def test_no_series_at_all_is_proposed_where_nothing_is_left_to_take() -> None:
    grey = [f"grey-{number}" for number in range(1, 12)]
    assert best_division.proposal(bits(grey), COLOURS.index("grey")) == 0


def test_sets_of_cards_are_given_back_in_the_order_of_the_deck() -> None:
    assert ids(bits(["green-11", "pink-1", "grey-3"])) == ["pink-1", "grey-3", "green-11"]
