"""Whole matches at random: the booklet is told here a second time, for people who hold real cards."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.games.stop_me_go.table import GANGSTERS, Table

ENOUGH = 3


@given(st.integers(0, 2**32))
def test_a_match_by_the_booklet(seed: int) -> None:
    chance = random.Random(seed)
    seats = sorted(chance.sample(range(1, 7), chance.randint(2, 6)))
    table = Table(*seats, reshuffle=chance.choice(("lazy", "eager")))
    tokens: dict[int, list[int]] = {seat: [] for seat in seats}
    while sum(map(len, tokens.values())) < len(seats) + 2 and max(map(len, tokens.values())) < ENOUGH:
        assert table.sealed
        winner = played_round(table, chance)
        value = chance.randint(0, 3)
        assert table.takers == [winner]
        table.token(chance.choice(("centre", winner)), value)
        tokens[winner].append(value)
    assert (table.over, table.misplays) == (True, [])
    third = [seat for seat in seats if len(tokens[seat]) == ENOUGH]
    if third:
        assert (table.winners, table.sealed) == (third, True)
    else:
        sums = {seat: sum(tokens[seat]) for seat in seats}
        winners = [seat for seat in seats if sums[seat] == max(sums.values())]
        assert (table.points, table.winners) == (sums, winners)


def played_round(table: Table, chance: random.Random) -> int:
    """Play a round, and return who wins it."""
    eager = table.view["reshuffle"] == "eager"
    pile = set(GANGSTERS)
    discarded = set[int]()
    lying: list[tuple[int, list[int]]] = []
    owned: dict[int, int] = {}
    while lying or not owned:
        if not owned and len(lying) < 4:
            number = chance.choice(sorted(pile))
            stops = [seat for seat in table.seats if table.hand(seat)[-1].endswith("stop") and chance.random() < 0.4]
            table.misdeed(number, *stops)
            lying.append((number, stops))
            pile.remove(number)
            if eager and not pile:
                pile = discarded
                discarded = set()
            assert table.view["pile"] == [f"gangster-{number}" for number in sorted(pile)]
            continue
        assert table.waits == ("round-end" if owned else "arrest")
        table.flip(1, chance.choice(table.seats))
        number, stops = lying.pop(0)
        if len(stops) == 1:
            owned[number] = stops[0]
        elif not owned:
            discarded.add(number)
            if not pile:
                pile = discarded
                discarded = set()
    return owned[1 if {1, 10} <= owned.keys() else max(owned)]
