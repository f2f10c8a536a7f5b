"""The reward: the round's winner takes a token, unseen. A third token wins the match (in a short one, a second);
otherwise the highest sum does in the end.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.events import Pressed, Said, Tapped
from companion.game import NOBODY, Card, Judged, Misplay, Outcome, Ruling, leaders, shared_rules
from companion.games.stop_me_go.awaited import too_early, too_early_unheard
from companion.games.stop_me_go.cards import DECK, STRONGEST
from companion.games.stop_me_go.state import Phase, State, Won

WEAKEST = "gangster-1"
TEN = f"gangster-{STRONGEST}"
WORTH = range(4)


def won(state: State, seq: int, last: Ruling) -> Judged[State]:
    """All cards are turned up: the highest gangster wins the round, but a 1 beats another agent's 10."""
    owners = {gangster: seat for seat, gangster in state.round.owned.items()}
    assert owners, "a round ends only after a capture"
    owner_of_one = owners.get(WEAKEST)
    owner_of_ten = owners.get(TEN)
    if owner_of_one is not None and owner_of_ten not in (None, owner_of_one):
        result = Won(owner_of_one, WEAKEST, owner_of_ten)
        ruling = Ruling("round-won-by-one", seq, {"seat": owner_of_one, "other": owner_of_ten})
    else:
        highest = max(owners, key=_worth)
        result = Won(owners[highest], highest, None)
        ruling = Ruling("round-won", seq, {"seat": owners[highest], "card": highest})
    return replace(state, phase=Phase.REWARD, round=replace(state.round, won=result)), (last, ruling)


def tapped(state: State, event: Tapped, card: Card, seat: int | None) -> Judged[State]:
    """A token with a tag; which one it is stays sealed, so nothing here names it."""
    if state.phase is not Phase.REWARD:
        if state.history and state.phase in (Phase.READY, Phase.VALUES, Phase.OVER):
            winner = _winner(state)
            last = state.tokens[winner][-1]
            if seat in (None, winner) and last is not None:
                return _after_it(state, event, card.id, winner, last)
        return too_early(state, "token", event.seq, seat)
    winner = _winner(state)
    if seat not in (None, winner):
        return state, (Misplay("not-the-winner", event.seq, {"seat": winner}, to=seat),)
    next_state, verdicts = _take(state, card.id, event.seq)
    if any(card.id in tokens for tokens in state.tokens.values()):
        doubled = Misplay("token-won-already", event.seq, {"seat": winner}, to=NOBODY, counts=True)
        return next_state, (doubled, *verdicts)
    return next_state, verdicts


def _after_it(state: State, event: Tapped, token: str, winner: int, last: str) -> Judged[State]:
    """A further token when one was already taken; which one it is, and so what is wrong with it, is told to nobody.

    It replaces a reading that somebody had before, because that was hardly the token that was taken.
    """
    if token == last:
        return state, ()
    twice = _read_twice(state.tokens)
    if last not in twice or state.phase is Phase.OVER or any(token in theirs for theirs in state.tokens.values()):
        return too_early_unheard(state, "token", event.seq)
    tokens = {**state.tokens, winner: (*state.tokens[winner][:-1], token)}
    next_state = replace(state, tokens=tokens)
    values = _read(tokens) if state.phase is Phase.VALUES else None
    return (next_state, ()) if values is None else _end(next_state, values, event.seq)


def finishes(state: State, press: Pressed) -> bool:
    """The winner's press says that they have taken a token without a tag, unless the tokens of this box have some."""
    tagged = any(token is not None for tokens in state.tokens.values() for token in tokens)
    return state.phase is Phase.REWARD and press.seat == _winner(state) and not tagged


def token_by_press(state: State, press: Pressed) -> Said | None:
    """A token has no tag to be read by: its winner presses."""
    return Said(0, press.at, press.seat, "token") if finishes(state, press) else None


def said(state: State, event: Said) -> Judged[State]:
    """A token without a tag: the winner says so, or the host does."""
    if state.phase is not Phase.REWARD:
        return too_early(state, "token", event.seq)
    winner = _winner(state)
    if event.seat not in (winner, "host"):
        return state, (Misplay("not-the-winner", event.seq, {"seat": winner}),)
    return _take(state, None, event.seq)


def told_values(state: State, event: Said) -> Judged[State]:
    """With all tokens won, the host tells what they are worth; those that were read must be among them."""
    if state.phase is not Phase.VALUES:
        return state, (Misplay("values-not-yet", event.seq),)
    if event.seat != "host":
        return state, (Misplay("only-host-tells-values", event.seq),)
    worths_of_seats = _values(state, event.value)
    if worths_of_seats is None:
        return state, (Misplay("unknown-value", event.seq, {"what": event.what}),)
    twice = _read_twice(state.tokens)
    for seat, tokens in state.tokens.items():
        if len(worths_of_seats[seat]) != len(tokens):
            return state, (Misplay("values-number", event.seq, {"seat": seat, "number": len(tokens)}),)
        if Counter(_worth(token) for token in tokens if token is not None and token not in twice) - Counter(
            worths_of_seats[seat]
        ):
            return state, (Misplay("values-disagree", event.seq, {"seat": seat}),)
    return _end(state, worths_of_seats, event.seq)


def outcome(state: State) -> Outcome:
    """Points only once the end has revealed them; a third token wins without."""
    if state.values is None:
        winners = tuple(seat for seat in state.seats if len(state.tokens[seat]) == state.options.target)
        return Outcome(dict.fromkeys(state.seats), winners)
    scores = {seat: sum(state.values[seat]) for seat in state.seats}
    return Outcome(scores, leaders(scores))


def progress(state: State) -> dict[int, int]:
    """Everybody sees how many tokens each player has."""
    return {seat: len(tokens) for seat, tokens in state.tokens.items()}


def _take(state: State, token: str | None, seq: int) -> Judged[State]:
    """The third token wins, whatever the values, even if it is the last; otherwise the last one ends the match."""
    winner = _winner(state)
    winners_tokens = (*state.tokens[winner], token)
    target = state.options.target
    tokens = {**state.tokens, winner: winners_tokens}
    next_state = replace(state, phase=Phase.READY, tokens=tokens, history=(*state.history, state.round))
    left = next_state.tokens_left
    assert left >= 0, "two tokens more than agents"
    token_taken = Ruling(
        "token-taken", seq, {"seat": winner, "number": len(winners_tokens), "target": target, "left": left}
    )
    if len(winners_tokens) == target:
        return replace(next_state, phase=Phase.OVER), (
            token_taken,
            Ruling("third-token", seq, {"seat": winner, "number": target}),
        )
    if left:
        return next_state, (token_taken,)
    twice = _read_twice(tokens)
    if twice:
        holders = tuple(seat for seat, theirs in tokens.items() if twice.intersection(theirs))
        return replace(next_state, phase=Phase.VALUES), (
            token_taken,
            Ruling("token-read-twice", seq, {"seats": holders}),
        )
    values = _read(tokens)
    if values is None:
        return replace(next_state, phase=Phase.VALUES), (token_taken, Ruling("all-tokens-won", seq))
    return _end(next_state, values, seq, token_taken)


def _end(state: State, values: Mapping[int, tuple[int, ...]], seq: int, *rulings: Ruling) -> Judged[State]:
    """All tokens are won and revealed: the highest sum wins, ties share the win."""
    next_state = replace(state, phase=Phase.OVER, values=values)
    end = outcome(next_state)
    sums = (Ruling("sum", seq, {"seat": seat, "points": points}) for seat, points in end.scores.items())
    return next_state, (*rulings, *sums, shared_rules.won(end, seq))


def _read(tokens: Mapping[int, tuple[str | None, ...]]) -> dict[int, tuple[int, ...]] | None:
    """Return what all tokens are worth, or None if their tags do not tell."""
    if _read_twice(tokens) or any(None in theirs for theirs in tokens.values()):
        return None
    return {seat: tuple(_worth(token) for token in theirs if token is not None) for seat, theirs in tokens.items()}


def _read_twice(tokens: Mapping[int, tuple[str | None, ...]]) -> frozenset[str]:
    """Return the tokens that were read as two: nobody knows which reading was wrong, so neither tells a value."""
    read = Counter(token for theirs in tokens.values() for token in theirs if token is not None)
    return frozenset(token for token, times in read.items() if times > 1)


def _values(state: State, answer: Any) -> dict[int, tuple[int, ...]] | None:
    """Read {"1": [3, 0], …}; return None if it makes no sense."""
    seats_by_key = {str(seat): seat for seat in state.seats}
    if not isinstance(answer, Mapping) or not answer.keys() <= seats_by_key.keys():
        return None
    for worths in answer.values():
        if not isinstance(worths, list) or any(type(worth) is not int or worth not in WORTH for worth in worths):
            return None
    return {seat: tuple(answer.get(key, ())) for key, seat in seats_by_key.items()}


def _winner(state: State) -> int:
    assert state.round.won is not None
    return state.round.won.seat


def _worth(card: str) -> int:
    value = DECK[card].value
    assert value is not None
    return value
