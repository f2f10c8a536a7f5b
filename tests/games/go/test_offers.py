"""What is offered to a demonstration is a believable match: it breaks no rule, and callers have a reason to call."""

import random

from companion import games
from companion.games.go.state import Scored
from companion.judge.match import Match, judge
from companion.kit.random_matches import play

GO = games.known()["go"]


def match_of(seed: int, options: dict[str, object]) -> Match:
    return judge(play(GO, random.Random(seed), options, noise=0.0, undo=0.0, most=5000))


def scored_rounds() -> list[Scored]:
    history = [entry for seed in range(30) for entry in match_of(seed, {}).state.history]
    return [entry for entry in history if isinstance(entry, Scored)]


def test_callers_mostly_have_less_penalty_than_others() -> None:
    callers = []
    of_others = []
    for entry in scored_rounds():
        for seat, division in entry.divisions.items():
            (callers if seat == entry.caller else of_others).append(division.penalty)
    assert sum(callers) / len(callers) < sum(of_others) / len(of_others)
