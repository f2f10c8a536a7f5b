"""What an observer may know of ¡Go!, built up from nothing.

Sealed: hands, and cards drawn from the pile. The caller's hand is public when its twelve cards are in, the others'
when they are scored; until then only a seat's own view holds its own cards, and only it knows how many were read.
"""

from functools import lru_cache
from typing import Any

from companion.game import KnownCards, Now, Observer
from companion.game.turn_order import next_seat
from companion.games.go import best_division
from companion.games.go.best_division import Division
from companion.games.go.cards import BIT, COLOUR, DECK, HAND, ids
from companion.games.go.state import Call, Phase, Scored, State, Turn, Void


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Return what everybody may know, and an observer's own cards."""
    return {
        "phase": state.phase.value,
        "target": state.options.target,
        "tracking": state.options.tracking,
        "first": state.first,
        "turn": _turn(state, state.turn) if state.turn else None,
        "call": _call(state, state.call, observer) if state.call else None,
        "own": _own_cards(state, observer),
        "round": len(state.history) + _begun(state),
        "rounds": [_void(entry) if isinstance(entry, Void) else _scored(entry) for entry in state.history],
    }


def now(state: State) -> Now:
    """What the table waits for."""
    if state.turn:
        return _now_turn(state, state.turn)
    if state.call:
        return _now_called(state.call)
    if state.phase is Phase.OVER:
        return Now("now-over")
    return Now("now-playing", (state.first,))


def _now_turn(state: State, turn: Turn) -> Now:
    active = (turn.active,)
    following = {"next": next_seat(state.seats, turn.active)}
    if turn.must_call:
        return Now("now-discard-and-call", active)
    if turn.took:
        return Now("now-discard", active, facts=following)
    if turn.ready is not None:
        # Whoever may call may decline to.
        return Now("now-take-or-call", active, (turn.ready,), facts={"other": turn.ready, **following})
    return Now("now-take" if turn.row or turn.discards else "now-deal", active, facts=following)


def _now_called(call: Call) -> Now:
    """The caller of a complete hand puts their series together, of which nobody is told."""
    waiting = tuple(seat for seat, hand in call.hands.items() if hand.bit_count() < HAND)
    unseen = () if call.caller in waiting else (call.caller,)
    facts = {"caller": call.caller}
    if call.row is None:
        return Now("now-row", (call.caller,), unseen)
    if call.caller in waiting:
        return Now("now-hands", waiting, facts=facts, counting=True)
    if call.division is not None:
        return Now("now-other-hands", waiting, unseen, facts={"penalty": call.division.penalty}, counting=True)
    if waiting:
        return Now("now-series-and-hands", (call.caller, *waiting), unseen, facts=facts, counting=True)
    return Now("now-series", (call.caller,), unseen)


def _begun(state: State) -> bool:
    """Whether a round is under way, as far as the table can know: until then the one before is shown."""
    turn = state.turn
    return not state.history or state.call is not None or (turn is not None and bool(turn.row or turn.discards))


def _turn(state: State, turn: Turn) -> dict[str, Any]:
    card_is_public = turn.card is not None and bool(turn.shown & BIT[turn.card])
    return {
        "active": turn.active,
        "took": turn.took.value if turn.took else None,
        "card": turn.card if card_is_public else None,
        "must_call": turn.must_call,
        "may_call": turn.ready,
        "row": turn.row,
        "row_left": state.row_size - turn.row_taken,
        "discard": turn.discards[-1] if turn.discards else None,
        "seen": _public_cards(turn),
    }


def _call(state: State, call: Call, observer: Observer) -> dict[str, Any]:
    complete = [seat for seat, hand in call.hands.items() if hand.bit_count() == HAND]
    opened = call.caller in complete
    may_choose_series = opened and observer == call.caller and call.row is not None and call.division is None
    return {
        "caller": call.caller,
        "row": call.row,
        "colour": DECK[call.row].colour if call.row else None,
        "reading": call.reading,
        "complete": complete,
        "hand": ids(call.hands[call.caller]) if opened else None,
        "proposal": _proposal(call) if may_choose_series else None,
        "division": _division(call.division) if call.division else None,
        "series": _joined(call.division.series) if call.division else None,
        "seen": _public_cards(call.turn) if call.turn else [],
    }


def _public_cards(turn: Turn) -> list[str]:
    """The cards that everybody has seen thrown away or taken, so that nobody can draw them."""
    return ids(turn.discarded | turn.shown)


def _proposal(call: Call) -> dict[str, Any]:
    """Only from the caller's hand: the caller chooses before any other is known."""
    assert call.row is not None
    hand = call.hands[call.caller]
    row = COLOUR[call.row]
    return _division(best_division.of_caller(hand, row, best_division.proposal(hand, row)))


def _own_cards(state: State, observer: Observer) -> dict[str, Any] | None:
    """An observer's own cards as far as they are known, and how many are not."""
    if observer not in state.seats:
        return None
    if state.call:
        held = state.call.hands[observer]
        most = HAND
    elif state.turn:
        held = state.turn.held.get(observer, 0)
        most = HAND + (state.turn.took is not None and observer == state.turn.active)
    else:
        return None
    return {"cards": ids(held), "unseen": max(0, most - held.bit_count())}


def _scored(entry: Scored) -> dict[str, Any]:
    return {
        "void": False,
        "taker": None,
        "caller": entry.caller,
        "row": entry.row,
        "colour": DECK[entry.row].colour,
        "series": _joined(entry.divisions[entry.caller].series),
        "divisions": {str(seat): _division(division) for seat, division in entry.divisions.items()},
        "alone": {
            str(seat): _alone(_all_of(division), COLOUR[entry.row])
            for seat, division in entry.divisions.items()
            if seat != entry.caller
        },
        "points": {str(seat): points for seat, points in entry.points.items()},
        "perfect": entry.perfect,
    }


_alone = lru_cache(maxsize=256)(best_division.least)
"""What a hand would leave over without the caller's series; cached, because scored rounds are viewed again and
again."""


def _void(entry: Void) -> dict[str, Any]:
    """No hand of a void round is ever shown."""
    return {"void": True, "taker": entry.taker}


def knows(state: State, observer: Observer) -> KnownCards:
    """Everybody sees the caller's hand once it is complete, and all hands that were read once the round is scored."""
    return KnownCards() if observer else KnownCards(sees=_opened(state))


def _opened(state: State) -> list[str]:
    if state.call:
        hand = state.call.hands[state.call.caller]
        return ids(hand) if hand.bit_count() == HAND else []
    last = state.history[-1] if state.history else None
    if not isinstance(last, Scored):
        return []
    return [card for division in last.divisions.values() for card in ids(_all_of(division))]


def _all_of(division: Division) -> int:
    return division.eliminated | division.series | division.additions | division.left


def _joined(series: int) -> dict[str, Any]:
    """What the others may add: cards of these colours, and no value that is there already."""
    cards = [DECK[card] for card in ids(series)]
    return {
        "colours": list(dict.fromkeys(card.colour for card in cards)),
        "values": sorted(card.value or 0 for card in cards),
    }


def _division(division: Division) -> dict[str, Any]:
    return {
        "eliminated": ids(division.eliminated),
        "series": _by_value(division.series),
        "additions": _by_value(division.additions),
        "left": _by_value(division.left),
        "penalty": division.penalty,
    }


def _by_value(held: int) -> list[str]:
    return [*_sorted(held)]


@lru_cache(maxsize=1024)
def _sorted(held: int) -> tuple[str, ...]:
    return tuple(sorted(ids(held), key=lambda card: DECK[card].value or 0))
