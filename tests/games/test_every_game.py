"""The laws of the kit, for every game in this tree; and what only the judge itself must keep."""

from typing import Any

import msgspec

from companion import games
from companion.events import Event, Retracted
from companion.game import GameMoves, Presses, Taps
from companion.judge.match import Match
from companion.judge.taken_back import standing
from companion.kit.laws import *  # noqa: F403
from companion.kit.random_matches import random_match, under_test


def test_every_game_of_this_tree_is_tried() -> None:
    assert under_test() == games.known()


def test_a_fault_in_the_rules_code_is_told_and_the_evening_goes_on() -> None:
    game = next(iter(games.known().values()))
    events = random_match(game, 7, undo=0.0, most=10)
    match = Match(events[0])

    def fail(state: Any, event: Event) -> Any:
        raise ZeroDivisionError

    words = {name: msgspec.structs.replace(word, judge=fail) for name, word in game.moves.words.items()}
    moves = GameMoves(taps=Taps(fail), presses=Presses(fail), words=words)
    match.game = msgspec.structs.replace(game, moves=moves)
    state_before = match.state
    for event in events[1:]:
        match.add(event)
    assert {misplay.code for misplay in match.misplays} <= {
        "judge-failed",
        "unknown-word",
        "unknown-card",
        "other-game",
        "empty-seat",
    }
    assert match.state == state_before


def test_standing_events_leave_out_what_is_taken_back() -> None:
    events = random_match(next(iter(games.known().values())), 7, undo=0.3)
    left = {event.seq for event in standing(events)}
    for event in events:
        assert not (isinstance(event, Retracted) and event.seq in left)
