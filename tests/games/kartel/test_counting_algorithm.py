"""The count, against the real thing: tokens lie open before a player and are turned when their boss goes to prison."""

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.games.kartel.cards import BOSS, DECK, MONEY
from companion.judge import views
from companion.judge.match import Match, judge
from tests.games.matches import play

KARTEL = games.known()["kartel"]
OPTIONS = ({}, {"money": False}, {"free_gang": "zero"}, {"ring": True}, {"ring": True, "free_gang": "zero"})
random_matches = given(seed=st.integers(0, 2**32), options=st.sampled_from(OPTIONS))


class Players:
    """What lies before each player, turned by hand as the booklet says."""

    def __init__(self, seats: tuple[int, ...]):
        self.open: dict[int, list[str]] = {seat: [] for seat in seats}
        self.closed: dict[int, list[str]] = {seat: [] for seat in seats}
        self.prison: list[str] = []

    def take(self, seat: int, token: str) -> list[list[int]]:
        """Give who turned how many tokens."""
        card = DECK[token]
        assert card.colour is not None
        if card.kind != BOSS:
            pile = self.closed if card.colour in self.prison else self.open
            pile[seat].append(token)
            return [[seat, 1]] if pile is self.closed else []
        self.prison.append(card.colour)
        turned = []
        for who, tokens in self.open.items():
            gang = [mine for mine in tokens if DECK[mine].colour == card.colour]
            self.open[who] = [mine for mine in tokens if mine not in gang]
            self.closed[who] += gang
            turned += [[who, len(gang)]] if gang else []
        return turned

    def points(self, seat: int, minus: bool) -> int:
        total = sum(DECK[token].value or 0 for token in self.closed[seat])
        for card in (DECK[token] for token in self.open[seat]):
            total += 3 if card.kind == MONEY else -(card.value or 0) * minus
        return total


@random_matches
def test_points_and_piles_are_those_of_the_real_table(seed: int, options: dict[str, Any]) -> None:
    events = play(KARTEL, random.Random(seed), options, most=1000, noise=0.2, undo=0.0)
    match = Match(events[0])  # type: ignore[arg-type]
    players = Players(match.seats)
    turned: list[list[int]] = []
    for event in events[1:]:
        moves = len(match.state.moves)
        match.add(event)
        if len(match.state.moves) > moves:
            token, move = list(match.state.moves.items())[-1]
            turned = players.take(move.seat, token)
        table = views.view(match, None)["table"]
        assert (table["turn_over"] or {"tally": []})["tally"] == turned
        for seat in match.seats:
            holding = table["holdings"][str(seat)]
            points = players.points(seat, options.get("free_gang") != "zero")
            assert sorted(holding["open"]) == sorted(players.open[seat])
            assert sorted(holding["closed"]) == sorted(players.closed[seat])
            assert holding["points"] == match.outcome.scores[seat] == points
            assert sum(gang["points"] for gang in holding["gangs"]) == points
            assert holding["tokens"] == len(holding["open"]) + len(holding["closed"])


@random_matches
def test_a_match_has_at_most_forty_turns_and_leaves_two_gangs_free(seed: int, options: dict[str, Any]) -> None:
    match = judge(play(KARTEL, random.Random(seed), options, most=1000, noise=0.0, undo=0.0))
    table = views.view(match, None)["table"]
    assert match.over
    assert len(table["moves"]) <= (33 if options.get("money") is False else 40)
    assert (len(table["cells"]), table["cells_left"], len(table["free"])) == (5, 0, 2)
    assert sum(token.endswith(MONEY) for holding in table["holdings"].values() for token in holding["open"]) <= 2
