"""The rules as one step: (state, event) → (state, verdicts). Total: what breaks them changes nothing."""

from collections.abc import Iterator

from msgspec.structs import replace

from companion.events import Place, Pressed, Started, Tapped, place_of, seat_at
from companion.game import GameMoves, Judged, Misplay, Presses, Ruling, Taps, fewest_points, with_gains
from companion.game.shared_rules import won
from companion.games.hearts.cards import (
    ALL_POINTS,
    QUEEN,
    better_cards,
    cards_in_play,
    cards_in_the_box,
    points_of,
    rank,
    suit,
)
from companion.games.hearts.state import Options, Phase, State


def begin(started: Started, options: Options) -> State:
    """Sit down."""
    seats = started.seats
    return _with_new_round(State(seats, options, Phase.PLAY, dict.fromkeys(seats, 0)), 1)


def _with_new_round(state: State, number: int) -> State:
    fresh = replace(
        state,
        round=number,
        passed=(),
        trick=(),
        leader=None,
        taken=dict.fromkeys(state.seats, 0),
        has_queen=None,
        played=(),
        hearts_broken=False,
        denied={},
        revoked=None,
    )
    return replace(fresh, phase=Phase.PASS if fresh.steps else Phase.PLAY)


def unit(state: State) -> tuple[int, int, bool]:
    """Within a trick, a card read twice is one act."""
    return state.round, len(state.played) // len(state.seats), state.over


def _may_press(state: State) -> tuple[int, ...]:
    """Whoever has not passed their cards presses when they have."""
    return tuple(seat for seat in state.seats if seat not in state.passed) if state.phase is Phase.PASS else ()


def _pressed(state: State, event: Pressed) -> Judged[State]:
    if event.seat in state.passed and not state.played:
        return state, ()  # pressed again, maybe by the press with which all have passed
    if state.phase is not Phase.PASS:
        return state, (Misplay("nothing-to-press", event.seq),)
    passed = tuple(sorted({*state.passed, event.seat}))
    rulings = [Ruling("passed", event.seq, {"seat": event.seat})]
    if len(passed) < len(state.seats):
        return replace(state, passed=passed), tuple(rulings)
    rulings.append(Ruling("all-passed", event.seq, {"card": state.first_card}))
    return replace(state, passed=passed, phase=Phase.PLAY), tuple(rulings)


def _may_be_laid(state: State) -> Iterator[tuple[Place, str]]:
    """Whoever's turn it is lays what may still be in their hand: mostly of the suit that was led."""
    if state.phase is not Phase.PLAY:
        return
    if state.active is None:
        yield from ((place_of(seat), state.first_card) for seat in state.seats)
        return
    denied = state.denied.get(state.active, ())
    unplayed = [card for card in cards_in_play(len(state.seats)) if card not in state.played]
    free = [card for card in unplayed if card not in denied] or unplayed
    following = [card for card in free if state.led is None or suit(card) == state.led]
    yield from ((place_of(state.active), card) for card in following or free)


def _tapped(state: State, event: Tapped) -> Judged[State]:
    seat = seat_at(event.place)
    card = event.card
    if seat is None:
        return state, (Misplay("wrong-pad", event.seq),)
    if (seat, card) in (*state.trick, *state.last):
        return state, ()  # read again where it lies
    misplay = _misplay(state, event, seat, card)
    if misplay:
        return state, (misplay,)
    return _laid(state, event.seq, seat, card)


def _misplay(state: State, event: Tapped, seat: int, card: str) -> Misplay | None:
    """Return what is wrong with this card now, as far as the table can know."""
    if state.phase is Phase.PASS:
        return Misplay("pass-first", event.seq, {"seats": _may_press(state)})
    if card in cards_in_the_box(len(state.seats)):
        return Misplay("not-in-play", event.seq, {"card": card})
    if card in state.played:
        # Anybody may lead the round, so its first card is read at a neighbour's pad without being refused there.
        may_be_a_neighbours = state.played == (card,)
        return Misplay("played-already", event.seq, {"card": card}, in_two_places=may_be_a_neighbours)
    if state.leader is None and card != state.first_card:
        return Misplay("lowest-club-leads", event.seq, {"card": state.first_card})
    if state.leader is not None and seat != state.active:
        return Misplay("not-your-turn", event.seq, {"seat": state.active})
    return None


def _laid(state: State, seq: int, seat: int, card: str) -> Judged[State]:
    """Lay a card; what it says about its player's hand holds for the rest of the round."""
    better = better_cards(
        card,
        state.led,
        len(state.seats),
        is_first_trick=len(state.played) < len(state.seats),
        hearts_broken=state.hearts_broken,
    )
    facts = {"seat": seat, "card": card}
    breaks_hearts = suit(card) == "hearts" and not state.hearts_broken
    # The latest is the headline: that nothing else was held says more than that hearts are broken by it.
    rulings = [Ruling("broken", seq, facts)] if breaks_hearts else []
    rulings.append(Ruling(_how_laid(state, card, better), seq, facts))
    if card == QUEEN:
        rulings.append(Ruling("queen", seq, facts))
    revokes = card in state.denied.get(seat, ()) and state.revoked is None
    if revokes:
        rulings.append(Ruling("revoked", seq, facts))
    laid = replace(
        state,
        trick=(*state.trick, (seat, card)),
        last=(),
        leader=state.leader or seat,
        played=(*state.played, card),
        hearts_broken=state.hearts_broken or breaks_hearts,
        denied={**state.denied, seat: state.denied.get(seat, frozenset()) | better} if better else state.denied,
        revoked=seat if revokes else state.revoked,
    )
    if len(laid.trick) < len(state.seats):
        return laid, tuple(rulings)
    with_trick, taking = _taken(laid, seq)
    return with_trick, (*rulings, *taking)


def _how_laid(state: State, card: str, better: frozenset[str]) -> str:
    if not better:
        return "laid"
    if state.led is None:
        return "only-hearts"
    return "only-points" if any(suit(better_card) != state.led for better_card in better) else "not-followed"


def _taken(state: State, seq: int) -> Judged[State]:
    """All have laid: the highest of the suit that was led takes the trick."""
    seat, card = max(state.trick, key=lambda play: (suit(play[1]) == state.led, rank(play[1])))
    number = points_of(card for _, card in state.trick)
    with_moon = replace(
        state,
        trick=(),
        last=state.trick,
        leader=seat,
        taken={**state.taken, seat: state.taken[seat] + number},
        has_queen=seat if any(card == QUEEN for _, card in state.trick) else state.has_queen,
    )
    facts = {"seat": seat, "card": card}
    ruling = Ruling("taken-points", seq, {**facts, "number": number}) if number else Ruling("taken", seq, facts)
    if with_moon.cards_left:
        return with_moon, (ruling,)
    counted, counting = _counted(with_moon, seq)
    return counted, (ruling, *counting)


def _counted(state: State, seq: int) -> Judged[State]:
    """The round is over: count it, and end the match or deal again."""
    costs = dict(state.taken)
    shooter = next((seat for seat in state.seats if costs[seat] == ALL_POINTS), None)
    if state.revoked is not None:
        costs = {seat: ALL_POINTS * (seat == state.revoked) for seat in state.seats}
        ruling = Ruling("revoke-counted", seq, {"seat": state.revoked, "shares": tuple(costs.items())})
    elif shooter is not None:
        if state.options.moon == "own":
            costs = {seat: -ALL_POINTS * (seat == shooter) for seat in state.seats}
        else:
            costs = {seat: ALL_POINTS * (seat != shooter) for seat in state.seats}
        ruling = Ruling("moon", seq, {"seat": shooter, "shares": tuple(costs.items())})
    else:
        ruling = Ruling("counted", seq, {"shares": tuple(costs.items()), "other": state.has_queen})
    points = with_gains(state.points, costs)
    moons = (*state.moons, shooter) if ruling.code == "moon" and shooter is not None else state.moons
    counted = replace(state, points=points, moons=moons, history=(*state.history, points))
    if max(points.values()) >= state.options.limit:
        over = replace(counted, phase=Phase.OVER)
        return over, (ruling, won(fewest_points(over), seq))
    return _with_new_round(counted, state.round + 1), (ruling,)


MOVES = GameMoves(taps=Taps(_tapped, likely=_may_be_laid), presses=Presses(_pressed, likely=_may_press))
