"""A head start: a seat's shouts are judged as if they had come earlier, so that a child and a parent each win about
half of the races.
"""

import random
from typing import Any

import pytest

from companion.acts.starting import played_by
from companion.events import Player, Started
from companion.game.head_starts import that_make_even
from tests.games.stop_it.table import Table, collecting

MIA = 1
PAPA = 2
SHOUT = 110.0
FOR_MIA = {"head_starts": {"1": 0.12}}


def raced(*presses: tuple[int, float], **options: Any) -> Table:
    """Presses of these seats, so many seconds after an instant, in the order in which the table learns of them."""
    table = collecting(1, 2, 3, **{"tie_window": 0.001, **options})
    for seat, delay in presses:
        table.press(seat, at=round(SHOUT + delay, 6))
    return table


@pytest.mark.parametrize(
    ("behind", "callers"),
    [(0.0, [MIA]), (0.118, [MIA]), (0.1195, [MIA, PAPA]), (0.1205, [PAPA, MIA]), (0.122, [PAPA])],
)
def test_a_shout_counts_earlier_by_the_head_start_of_its_seat(behind: float, callers: list[int]) -> None:
    assert raced((PAPA, 0.0), (MIA, behind), **FOR_MIA).callers == callers
    assert raced((MIA, behind), (PAPA, 0.0), **FOR_MIA).callers == callers


def test_margins_are_those_of_the_judged_times() -> None:
    table = raced((PAPA, 0.0), (MIA, 0.1), **FOR_MIA)
    assert [(shout["seat"], shout["behind"]) for shout in table.view["shouts"]] == [(MIA, 0), (PAPA, 20_000)]


def test_charts_go_by_when_the_buzzer_was_hit() -> None:
    reactions = []
    for options in ({}, FOR_MIA):
        table = raced((MIA, 0.0), (PAPA, 1.0), **options)
        table.tap(MIA, "red-stop-1")
        table.counts(3, 2, 2)
        reactions.append(table.view["rounds"][0]["reactions"])
    assert reactions[0] == reactions[1]


@pytest.mark.parametrize("delay", [0.5, 0.55])
def test_no_shout_is_lost_to_the_half_second_after_a_start(delay: float) -> None:
    table = collecting(1, 2, **FOR_MIA)
    table.press(MIA, after=delay)
    assert table.callers == [MIA]


def test_who_has_a_head_start_is_told_once_as_the_match_begins() -> None:
    table = Table(1, 2, head_starts={"2": 0.05, "1": 0.12, "5": 0.3})
    table.press(2)
    assert table.verdict == "head-starts head_starts=((1, 120000), (2, 50000)); started seat=2"
    assert table.view["head_starts"] == [[1, 120_000], [2, 50_000]]


@pytest.mark.parametrize("none", [{}, {"head_starts": {}}, {"head_starts": {"1": 0.0}}])
def test_nothing_is_told_where_nobody_has_one(none: dict[str, Any]) -> None:
    table = Table(1, 2, **none)
    table.press(2)
    assert table.verdict == "started seat=2"


def test_it_goes_with_its_player_to_another_seat() -> None:
    last = Started(1, 0.0, "stop-it", (Player(1, "Mia"), Player(3, "Bo")), {"head_starts": {"1": 0.12, "3": 0.05}})
    moved = played_by(last, (Player(1, "Cléo"), Player(2, "mia")))
    assert moved.options == {"head_starts": {"2": 0.12}}
    assert moved.players == (Player(1, "Cléo"), Player(2, "mia"))


# Measured with scripted players, whose reactions differ by 120 ms on average.

CHILD = 0.47
PARENT = 0.35
SPREAD = 0.08
"""Seconds."""


def matches_of_a_child(number: int, head_start: float) -> float:
    """Play short matches, in which whoever shouts first has the most cards; return the part that the child won."""
    chance = random.Random(53)
    won = 0
    for _ in range(number):
        table = Table(MIA, PAPA, negatives=5, tie_window=0.0005, head_starts={"1": head_start})
        table.press(PAPA)
        while not table.over:
            seen_at = round(table.match.events[-1].at + 2.0, 6)
            for seat, reaction in ((MIA, CHILD), (PAPA, PARENT)):
                table.press(seat, at=round(seen_at + max(0.1, chance.gauss(reaction, SPREAD)), 6))
            caller = table.callers[0]
            table.tap(caller, table.stops.pop())
            table.counts(*(2 if seat == caller else 1 for seat in (MIA, PAPA)))
            if not table.over:
                table.press(caller)
        won += table.winners == [MIA]
    return won / number


def test_without_one_the_slower_loses_nearly_every_match() -> None:
    assert matches_of_a_child(200, 0.0) < 0.1


def test_with_the_difference_as_head_start_each_wins_about_half() -> None:
    assert 0.42 < matches_of_a_child(200, CHILD - PARENT) < 0.58


def test_what_would_have_made_a_match_even_follows_from_its_ruler() -> None:
    reactions = {MIA: (3_120_000, 9_471_000, None, 5_090_000), PAPA: (3_000_000, 9_350_000, 7_000_000, 5_000_000)}
    assert that_make_even(reactions) == {MIA: 120_000}


def test_whoever_shouted_against_others_only_twice_gets_no_figure() -> None:
    reactions = {MIA: (3_120_000, 9_471_000, None), PAPA: (3_000_000, 9_350_000, 7_000_000)}
    assert that_make_even(reactions) == {}


def test_nobody_gets_a_longer_one_than_the_option_allows() -> None:
    assert that_make_even({MIA: (9_000_000,) * 3, PAPA: (3_000_000,) * 3}) == {MIA: 1_000_000}
