"""Whole rounds of all kinds of hands score what trying every division says."""

import random
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from companion.judge import views
from tests.games.go.by_hand import every_series, is_series, kept, least_penalty, proposal, worth
from tests.games.go.table import BOX, COLOURS, Table, wins_against

seeds = st.integers(0, 2**32)


def few_colours(chance: random.Random, fewest: int) -> list[str]:
    """A shuffled box of so few colours that the hands get in each other's way."""
    colours = chance.sample(COLOURS, chance.randint(fewest, 10))
    box = [card for card in BOX if card.split("-")[0] in colours]
    chance.shuffle(box)
    return box


def some_series(chance: random.Random, cards: list[str]) -> list[str]:
    """Some series of these cards: of none, one or two colours, with or without gaps."""
    colours = chance.sample(COLOURS, chance.randint(0, 2))
    fitting = [card for card in cards if card.split("-")[0] in colours]
    chance.shuffle(fitting)
    series: list[str] = []
    for card in fitting:
        if is_series([*series, card]) and chance.random() < 0.8:
            series.append(card)
    return series


def play(row: str, hands: dict[int, list[str]], series: object) -> Table:
    table = Table(*hands)
    table.call(1, row)
    for seat, hand in hands.items():
        table.tap(seat, " ".join(hand))
    table.say(1, "series", series)
    assert table.misplays == []
    return table


def expected(row: str, hands: dict[int, list[str]], series: list[str]) -> dict[int, int]:
    colour = row.split("-")[0]
    callers = worth(kept(hands[1], colour)) - worth(series)
    if callers == 0:
        return dict.fromkeys(hands, 0)
    better = [seat for seat in hands if seat > 1 and least_penalty(hands[seat], colour, series) <= callers]
    return {seat: int(seat in (better or [1])) for seat in hands}


@given(seed=seeds, players=st.integers(2, 4))
def test_the_points_are_those_of_the_best_divisions(seed: int, players: int) -> None:
    chance = random.Random(seed)
    row, *box = few_colours(chance, 5)
    hands = {seat: box[12 * seat - 12 : 12 * seat] for seat in range(1, players + 1)}
    choices = list(every_series(hands[1], row.split("-")[0]))
    series = chance.choice(choices[-40:])
    table = play(row, hands, series)
    assert table.points == expected(row, hands, series)
    assert table.over == (worth(series) == worth(kept(hands[1], row.split("-")[0])))


@given(seed=seeds)
def test_to_the_last_point_the_caller_wins_with_one_less_and_loses_a_tie(seed: int) -> None:
    chance = random.Random(seed)
    row, *box = few_colours(chance, 4)
    colour, hand = row.split("-")[0], box[:12]
    series = some_series(chance, kept(box[12:], colour))
    least = least_penalty(hand, colour, series)
    assert wins_against(max(1, least), series, hand, row) in (False, None)
    assert least < 2 or wins_against(least - 1, series, hand, row) in (True, None)


@given(seed=seeds)
def test_of_all_series_the_caller_may_choose_the_closest_ones_are_judged_to_the_point(seed: int) -> None:
    chance = random.Random(seed)
    row, *box = few_colours(chance, 3)
    hands, colour = {1: box[:12], 2: box[12:24]}, row.split("-")[0]
    series = list(every_series(hands[1], colour))

    def margin(cards: list[str]) -> int:
        return worth(kept(hands[1], colour)) - worth(cards) - least_penalty(hands[2], colour, cards)

    margins = {margin(cards): cards for cards in chance.sample(series, min(25, len(series)))}
    for closest in sorted(margins, key=abs)[:3]:
        assert play(row, hands, margins[closest]).points == expected(row, hands, margins[closest])


@given(seed=seeds)
def test_the_judges_proposal_is_the_best_of_all_series(seed: int) -> None:
    chance = random.Random(seed)
    row, *box = few_colours(chance, 3)
    hands = {1: box[:12], 2: box[12:24]}
    best = proposal(hands[1], row.split("-")[0])
    proposed, told = play(row, hands, "best"), play(row, hands, best)
    assert proposed.points == expected(row, hands, best)
    assert proposed.winners == told.winners
    assert views.view(proposed.match, None)["table"] == views.view(told.match, None)["table"]


@given(seed=seeds)
def test_in_which_order_the_hands_are_tapped_makes_no_difference(seed: int) -> None:
    chance = random.Random(seed)
    row, *box = few_colours(chance, 5)
    hands = {seat: box[12 * seat - 12 : 12 * seat] for seat in (1, 2, 3, 4)}
    taps = [(seat, card) for seat, hand in hands.items() for card in hand]
    chance.shuffle(taps)
    table = Table(1, 2, 3, 4)
    table.call(1, row)
    for seat, card in taps:
        table.tap(seat, card)
        if seat == 1 and sum(at == 1 for at, _ in taps[: taps.index((seat, card)) + 1]) == 12:
            table.series(1)
    assert table.misplays == []
    assert table.points == expected(row, hands, proposal(hands[1], row.split("-")[0]))


def test_what_is_tried_is_worth_trying() -> None:
    """Ties, perfect hands and choices that matter come up among such hands."""
    chance, seen = random.Random(5), set()
    for _ in range(60):
        row, *box = few_colours(chance, 3)
        colour, hand, other = row.split("-")[0], box[:12], box[12:24]
        results = set()
        for series in chance.sample(list(every_series(hand, colour)), 12):
            left = worth(kept(hand, colour)) - worth(series)
            least = least_penalty(other, colour, series)
            results.add("perfect" if left == 0 else "tie" if left == least else "win" if left < least else "loss")
        seen |= results
        seen |= {f"{one} or {two}" for one, two in combinations(sorted(results), 2)}
    assert {"tie", "win", "loss", "loss or win"} <= seen
