"""The reward: who won the round takes a token, unseen. The third one wins the match; else, in the end, the sum does."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.events import Said, Tapped
from companion.game import Card, Misplay, Outcome, Ruling
from companion.games.stop_me_go.awaited import OVER, READY, REWARD, VALUES, too_early
from companion.games.stop_me_go.cards import DECK, STRONGEST
from companion.games.stop_me_go.state import Judged, State, Won

WEAKEST, TEN = "gangster-1", f"gangster-{STRONGEST}"
ENOUGH = 3
"""Tokens with which one wins at once."""
WORTH = range(4)


def won(state: State, seq: int, last: Ruling) -> Judged:
    """All are turned up: the highest gangster wins the round, but a 1 beats another agent's 10."""
    owners = {gangster: seat for seat, gangster in state.round.owned.items()}
    assert owners, "a round ends only after a capture"
    one, ten = owners.get(WEAKEST), owners.get(TEN)
    if one is not None and ten not in (None, one):
        result = Won(one, WEAKEST, ten)
        ruling = Ruling("round-won-by-one", seq, {"seat": one, "other": ten})
    else:
        highest = max(owners, key=_worth)
        result = Won(owners[highest], highest, None)
        ruling = Ruling("round-won", seq, {"seat": owners[highest], "card": highest})
    return replace(state, phase=REWARD, round=replace(state.round, won=result)), (last, ruling)


def tapped(state: State, event: Tapped, card: Card, seat: int | None) -> Judged:
    """A token with a tag; which one it is stays sealed, so nothing here names it."""
    if state.phase is not REWARD:
        if state.history and state.phase in (READY, VALUES, OVER):
            winner = _winner(state)
            if seat in (None, winner) and state.tokens[winner][-1] == card.id:
                return state, ()
        return too_early(state, "token", event.seq, seat)
    winner = _winner(state)
    if seat not in (None, winner):
        return state, (Misplay("not-the-winner", event.seq, {"seat": winner}, to=seat),)
    if any(card.id in tokens for tokens in state.tokens.values()):
        return state, (Misplay("token-won-already", event.seq, {"seat": winner}, to=seat),)
    return _take(state, card.id, event.seq)


def said(state: State, event: Said) -> Judged:
    """A token without a tag: the winner says so, or the host does."""
    if state.phase is not REWARD:
        return too_early(state, "token", event.seq)
    winner = _winner(state)
    if event.seat not in (winner, "host"):
        return state, (Misplay("not-the-winner", event.seq, {"seat": winner}),)
    return _take(state, None, event.seq)


def told_values(state: State, event: Said) -> Judged:
    """With all tokens won the host tells what they are worth; those that were read must be among them."""
    if state.phase is not VALUES:
        return state, (Misplay("values-not-yet", event.seq),)
    if event.seat != "host":
        return state, (Misplay("only-host-tells-values", event.seq),)
    told = _values(state, event.value)
    if told is None:
        return state, (Misplay("unknown-value", event.seq, {"what": event.what}),)
    for seat, tokens in state.tokens.items():
        if len(told[seat]) != len(tokens):
            return state, (Misplay("values-number", event.seq, {"seat": seat, "number": len(tokens)}),)
        if Counter(_worth(token) for token in tokens if token is not None) - Counter(told[seat]):
            return state, (Misplay("values-disagree", event.seq, {"seat": seat}),)
    return _end(state, told, event.seq)


def outcome(state: State) -> Outcome:
    """Points only where the end revealed them; a third token wins without."""
    if state.values is None:
        winners = tuple(seat for seat in state.seats if len(state.tokens[seat]) == ENOUGH)
        return Outcome(dict.fromkeys(state.seats), winners)
    scores = {seat: sum(state.values[seat]) for seat in state.seats}
    most = max(scores.values())
    return Outcome(scores, tuple(sorted(seat for seat, points in scores.items() if points == most)))


def _take(state: State, token: str | None, seq: int) -> Judged:
    """The third token wins, whatever the values and though it be the last; else the last one ends the match."""
    winner = _winner(state)
    mine = (*state.tokens[winner], token)
    tokens = {**state.tokens, winner: mine}
    after = replace(state, phase=READY, tokens=tokens, history=(*state.history, state.round))
    left = after.tokens_left
    assert left >= 0, "two tokens more than agents"
    taken = Ruling("token-taken", seq, {"seat": winner, "number": len(mine), "left": left})
    if len(mine) == ENOUGH:
        return replace(after, phase=OVER), (taken, Ruling("third-token", seq, {"seat": winner}))
    if left:
        return after, (taken,)
    if any(None in theirs for theirs in tokens.values()):
        return replace(after, phase=VALUES), (taken, Ruling("all-tokens-won", seq))
    read = {seat: tuple(_worth(one) for one in theirs if one is not None) for seat, theirs in tokens.items()}
    return _end(after, read, seq, taken)


def _end(state: State, values: Mapping[int, tuple[int, ...]], seq: int, *before: Ruling) -> Judged:
    """All tokens are won and revealed: the highest sum wins, equals share."""
    after = replace(state, phase=OVER, values=values)
    end = outcome(after)
    sums = (Ruling("sum", seq, {"seat": seat, "points": points}) for seat, points in end.scores.items())
    code = "won" if len(end.winners) == 1 else "won-together"
    facts = {"seats": end.winners, "points": end.scores[end.winners[0]]}
    return after, (*before, *sums, Ruling(code, seq, facts))


def _values(state: State, told: Any) -> dict[int, tuple[int, ...]] | None:
    """Read {"1": [3, 0], …}; None where it says nothing."""
    known = {str(seat): seat for seat in state.seats}
    if not isinstance(told, Mapping) or not told.keys() <= known.keys():
        return None
    for worths in told.values():
        if not isinstance(worths, list) or any(type(worth) is not int or worth not in WORTH for worth in worths):
            return None
    return {seat: tuple(told.get(key, ())) for key, seat in known.items()}


def _winner(state: State) -> int:
    assert state.round.won is not None
    return state.round.won.seat


def _worth(card: str) -> int:
    value = DECK[card].value
    assert value is not None
    return value
