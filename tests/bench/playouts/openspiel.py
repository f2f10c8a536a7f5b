"""OpenSpiel from Python: some of its games, with their rules in C++ or in Python."""

import random
from functools import partial
from importlib.metadata import version

import open_spiel.python.games  # noqa: F401 (registers the games with their rules in Python)
import pyspiel
from again import Moves, asked, played, rates, tell

GAMES = {
    "tic_tac_toe": "rules in C++",
    "crazy_eights": "rules in C++",
    "gin_rummy": "rules in C++",
    "python_tic_tac_toe": "rules in Python",
    "python_block_dominoes": "rules in Python",
}


def playout(game: pyspiel.Game, seed: int) -> Moves:
    chance = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    return state.history()


def checked(game: pyspiel.Game, moves: Moves) -> pyspiel.State:
    state = game.new_initial_state()
    for move in moves:
        state.apply_action_with_legality_check(move)
    return state


def applied(game: pyspiel.Game, moves: Moves) -> pyspiel.State:
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(move)
    return state


moves, times = asked()
measured = {}
for name, rules in GAMES.items():
    game = pyspiel.load_game(name)
    matches = played(moves, partial(playout, game))
    for how, replay in {"with legality check": checked, "alone": applied}.items():
        for match in matches:
            state = replay(game, match)
            assert state.is_terminal()
            assert state.history() == match
        measured[f"{name} ({rules}), `apply_action` {how}"] = rates(partial(replay, game), matches, times)
tell(version("open_spiel"), measured)
