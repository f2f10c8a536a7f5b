"""python-chess: random legal matches of 200 half-moves at most."""

import random

import chess
from again import Moves, asked, played, rates, tell


def playout(seed: int) -> Moves:
    chance = random.Random(seed)
    board = chess.Board()
    while len(board.move_stack) < 200 and not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
    return board.move_stack


def checked(moves: Moves) -> chess.Board:
    board = chess.Board()
    for move in moves:
        if board.is_legal(move):
            board.push(move)
    return board


def pushed(moves: Moves) -> chess.Board:
    board = chess.Board()
    for move in moves:
        board.push(move)
    return board


moves, times = asked()
matches = played(moves, playout)
for match in matches:
    assert checked(match).move_stack == pushed(match).move_stack == match
tell(
    chess.__version__,
    {
        "chess, `is_legal` and `push`": rates(checked, matches, times),
        "chess, `push` alone": rates(pushed, matches, times),
    },
)
