"""The best division of a hand, against the slow way: try everything."""

from collections.abc import Iterator
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from companion.games.go import division
from companion.games.go.cards import COLOUR, COLOURS, DECK, HAND, IDS, bits, ids

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
    return draw(hands_of(cards, 8))


any_hand = st.one_of(colliding(), hands_of(list(IDS), 8))
full_hand = st.lists(st.sampled_from(IDS), min_size=HAND, max_size=HAND, unique=True)
any_series = st.one_of(st.just([]), any_hand)


def is_series(cards: list[str]) -> bool:
    values = [value(card) for card in cards]
    return len(set(values)) == len(values) and len({COLOUR[card] for card in cards}) <= 2


def series_of(cards: list[str]) -> list[str]:
    """Make a series of whatever cards: the first of each value, of the first two colours."""
    colours = list(dict.fromkeys(COLOUR[card] for card in cards))[:2]
    firsts: dict[int, str] = {}
    for card in cards:
        if COLOUR[card] in colours:
            firsts.setdefault(value(card), card)
    return list(firsts.values())


def may_add(cards: list[str], callers: list[str]) -> bool:
    colours, values = {COLOUR[card] for card in callers}, {value(card) for card in callers}
    added = [value(card) for card in cards]
    fits = all(COLOUR[card] in colours and value(card) not in values for card in cards)
    return fits and len(set(added)) == len(added)


def ways(hand: list[str], row: int, callers: list[str]) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Every way to lay each card that is not of the row's colour: own series, caller's series, left."""
    kept = [card for card in hand if COLOUR[card] != row]
    for where in product(range(3), repeat=len(kept)):
        groups = [[card for card, group in zip(kept, where, strict=True) if group == n] for n in range(3)]
        if is_series(groups[0]) and may_add(groups[1], callers):
            yield groups[0], groups[1], groups[2]


def colours_of(held: int) -> Cards:
    return tuple(dict.fromkeys(DECK[card].colour or "" for card in ids(held)))


def check_groups(hand: list[str], row: int, callers: list[str], divided: division.Division) -> None:
    groups = [ids(held) for held in (divided.eliminated, divided.series, divided.additions, divided.left)]
    assert sorted(card for group in groups for card in group) == sorted(hand)
    eliminated, series, additions, left = groups
    assert eliminated == [card for card in ids(bits(hand)) if COLOUR[card] == row]
    assert is_series(series)
    assert may_add(additions, callers)
    assert divided.penalty == penalty(left)


@given(any_hand, rows, any_series)
def test_another_hand_is_divided_with_the_least_penalty(hand: list[str], row: int, callers: list[str]) -> None:
    callers = [card for card in series_of(callers) if card not in hand]
    divided = division.of_other(bits(hand), row, bits(callers))
    check_groups(hand, row, callers, divided)
    kept = [card for card in hand if COLOUR[card] != row]
    if len(kept) <= 7:
        assert divided.penalty == min(penalty(left) for _, _, left in ways(hand, row, callers))


@given(full_hand, rows, any_series)
def test_a_whole_hand_is_divided_as_the_rules_allow(hand: list[str], row: int, callers: list[str]) -> None:
    callers = [card for card in series_of(callers) if card not in hand]
    check_groups(hand, row, callers, division.of_other(bits(hand), row, bits(callers)))


@given(any_hand, rows)
def test_the_proposal_has_the_least_penalty(hand: list[str], row: int) -> None:
    divided = division.of_caller(bits(hand), row, division.proposal(bits(hand), row))
    check_groups(hand, row, [], divided)
    assert divided.additions == 0
    assert divided.penalty == min(penalty(left) for _, _, left in ways(hand, row, []))


@given(st.one_of(any_hand, full_hand), rows)
def test_among_equals_the_proposal_has_fewer_then_earlier_colours_and_the_first_ones_card(
    hand: list[str], row: int
) -> None:
    kept = [card for card in hand if COLOUR[card] != row]
    choices: list[tuple[int, int, Cards, list[str]]] = []
    for many in range(3):
        for own in combinations(COLOURS, many):
            firsts: dict[int, str] = {}
            for card in sorted(kept, key=lambda card: COLOUR[card]):
                if DECK[card].colour in own:
                    firsts.setdefault(value(card), card)
            left = [card for card in kept if card not in firsts.values()]
            choices.append((penalty(left), many, own, list(firsts.values())))
    best = min(choices, key=lambda choice: (choice[0], choice[1], [COLOURS.index(colour) for colour in choice[2]]))
    assert division.proposal(bits(hand), row) == bits(best[3])


@given(any_hand, rows, any_series)
def test_among_equals_the_own_series_of_others_has_the_fewest_colours(
    hand: list[str], row: int, callers: list[str]
) -> None:
    callers = [card for card in series_of(callers) if card not in hand]
    divided = division.of_other(bits(hand), row, bits(callers))
    if len([card for card in hand if COLOUR[card] != row]) <= 7:
        equals = [series for series, _, left in ways(hand, row, callers) if penalty(left) == divided.penalty]
        assert len(colours_of(divided.series)) == min(len(colours_of(bits(series))) for series in equals)


def test_a_value_freed_twice_goes_first_with_the_colour_the_own_series_lacks() -> None:
    """One ten is added, the other stays in the own series."""
    hand = [f"{colour}-10" for colour in ("orange", "pink")]
    hand += [f"pink-{number}" for number in (1, 2, 4, 6, 8, 9)]
    callers = [f"orange-{number}" for number in (1, 2, 3)] + ["pink-5"]
    divided = division.of_other(bits(hand), COLOURS.index("grey"), bits(callers))
    assert divided.penalty == 0
    assert "pink-10" in ids(divided.series)
    assert "orange-10" in ids(divided.additions)


def test_an_own_series_of_a_colour_that_is_not_needed_is_not_made() -> None:
    hand = [f"orange-{number}" for number in (4, 5)]
    divided = division.of_other(bits(hand), COLOURS.index("grey"), bits(["orange-1"]))
    assert ids(divided.additions) == hand
    assert divided.series == 0


def test_no_series_at_all_is_proposed_where_nothing_is_left_to_take() -> None:
    grey = [f"grey-{number}" for number in range(1, 12)]
    assert division.proposal(bits(grey), COLOURS.index("grey")) == 0


def test_sets_of_cards_are_given_back_in_the_order_of_the_deck() -> None:
    assert ids(bits(["green-11", "pink-1", "grey-3"])) == ["pink-1", "grey-3", "green-11"]
