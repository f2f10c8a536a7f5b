"""PokerKit: hands of no-limit Texas hold'em for four, people's acts as moves: cards dealt, and what is said."""

import random
from importlib.metadata import version

from again import Moves, asked, played, rates, tell
from pokerkit import Automation, Mode, NoLimitTexasHoldem, State

# All that follows by itself is done by the engine; the people deal and play.
AUTOMATIC = tuple({*Automation} - {Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING})


def new_hand() -> State:
    return NoLimitTexasHoldem.create_state(AUTOMATIC, True, 0, (1, 2), 2, (200,) * 4, 4, mode=Mode.TOURNAMENT)


def playout(seed: int) -> Moves:
    chance = random.Random(seed)
    state = new_hand()
    moves = []
    cards = [*state.deck_cards]
    chance.shuffle(cards)
    while state.status:
        if state.can_burn_card():
            move = "burn_card", cards.pop()
        elif state.can_deal_hole():
            move = "deal_hole", (cards.pop(),)
        elif state.can_deal_board():
            move = "deal_board", tuple(cards.pop() for _ in range(state.board_dealing_count))
        else:
            ways = ["fold", "check_or_call", "check_or_call", "complete_bet_or_raise_to"]
            way = chance.choice([act for act in ways if getattr(state, f"can_{act}")()])
            amount = state.min_completion_betting_or_raising_to_amount
            move = (way, amount) if way == "complete_bet_or_raise_to" else (way,)
        moves.append(move)
        make_move(state, move)
    return moves


def make_move(state: State, move: tuple) -> None:
    name, *arguments = move
    getattr(state, name)(*arguments)


def replay(moves: Moves) -> State:
    state = new_hand()
    for move in moves:
        make_move(state, move)
    return state


moves, times = asked()
matches = played(moves, playout)
for match in matches:
    assert not replay(match).status
tell(version("pokerkit"), {"no-limit hold'em for four": rates(replay, matches, times)})
