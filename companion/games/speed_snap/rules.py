"""The rules as one step: (state, event) → (state, verdicts). Total: what breaks them changes nothing."""

from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from companion.events import CENTRE, Elapsed, Place, Pressed, Started, Tapped
from companion.game import GameMoves, Judged, Misplay, Presses, Ruling, Taps, Verdict, Wait, most_points, with_gains
from companion.game.head_starts import in_microseconds
from companion.game.playing_cards import DECK
from companion.game.press_race import Shout, shout_of
from companion.game.shared_rules import won
from companion.games.speed_snap.state import Options, Phase, State

SEEN_BEFORE_READ = 1_000_000
"""Microseconds: people see a card as it is turned, and may press before the pad has read it."""

BOUNCE = 300_000
"""Microseconds within which a worn button presses twice."""

LAST_PAIR = 3_000_000
"""Microseconds from the last card of a deal until the deal is over: no card comes that would cover it."""


def begin(started: Started, options: Options) -> State:
    """Sit down."""
    seats = started.seats
    head_starts = in_microseconds(options.head_starts, seats)
    return State(seats, options, dict.fromkeys(seats, 0), head_starts)


def unit(state: State) -> tuple[int, int]:
    """Read twice before the next card is turned, a card is one act."""
    return state.deal, len(state.turned)


def _may_be_turned(state: State) -> Iterator[tuple[Place, str]]:
    if state.active is not None:
        yield from ((CENTRE, card) for card in DECK if card not in state.turned)


def _tapped(state: State, event: Tapped) -> Judged[State]:
    card = event.card
    if event.place != CENTRE:
        return state, (Misplay("turn-in-the-middle", event.seq, {"card": card}),)
    if card in state.turned[-1:]:
        return state, ()  # read again where it lies
    if card in state.turned:
        return state, (Misplay("turned-already", event.seq, {"card": card}),)
    turned = _with_card(state, event)
    ruling = Ruling("turned", event.seq, {"seat": state.active, "card": card})
    if state.head_starts and state.deal == 1 and not state.turned:
        head_starts = {"head_starts": tuple(sorted(state.head_starts.items()))}
        return turned, (Ruling("head-starts", event.seq, head_starts), ruling)
    if state.is_alike:
        return turned, (ruling,)  # these presses were for the two that are covered
    overdue = tuple(shout for shout in state.shouts if _is_too_old(shout, event.microseconds))
    recent = tuple(shout for shout in state.shouts if shout not in overdue)
    early = recent if turned.is_alike else ()
    pending = () if turned.is_alike else recent
    paid = turned
    paying: tuple[Verdict, ...] = ()
    # Overdue are only those of a corrected pile: no timer ran for them then, so each is paid for now, as it would have.
    for for_nothing in (*((shout,) for shout in overdue), pending):
        paid, rulings = _with_paid(paid, for_nothing, event.seq)
        paying += rulings
    raced, racing = _raced(paid, _first_of_each(early), event.seq)
    return raced, (ruling, *paying, *racing)


def _is_too_old(shout: Shout, at: int) -> bool:
    """A press for a card that is not read yet comes just before it is."""
    return shout.happened_at <= at - SEEN_BEFORE_READ


def _first_of_each(shouts: tuple[Shout, ...]) -> tuple[Shout, ...]:
    """Return the first shout of every seat, of sorted ones."""
    earliest = {shout.seat: shout for shout in reversed(shouts)}
    return tuple(sorted(earliest.values()))


def _with_paid(state: State, shouts: tuple[Shout, ...], seq: int) -> Judged[State]:
    """Presses for nothing cost each seat a point."""
    rulings = []
    points = state.points
    for seat in sorted({shout.seat for shout in shouts}):
        points = with_gains(points, {seat: -1})
        seqs = tuple(shout.seq for shout in shouts if shout.seat == seat and shout.seq != seq)
        rulings.append(Ruling("nothing-there", seq, {"seat": seat}, seqs))
    return replace(state, points=points), tuple(rulings)


def _with_card(state: State, event: Tapped) -> State:
    turned = (*state.turned, event.card)
    return replace(
        state,
        phase=Phase.LAST if len(turned) == len(DECK) else Phase.TURN,
        turned=turned,
        pile=(*(state.pile if state.taker is None else ()), event.card),
        snaps=state.all_snaps,
        shouts=(),
        last_at=event.microseconds,
    )


def _nothing_read_due(state: State) -> int | None:
    """Whoever has pressed for a card that is not read yet may be right for a moment."""
    if state.phase is not Phase.TURN or state.is_alike or not state.shouts:
        return None
    return min(shout.happened_at for shout in state.shouts) + SEEN_BEFORE_READ


def _nothing_read(state: State, event: Elapsed) -> Judged[State]:
    """Nothing was read soon enough after a press for it to have been right: it is paid for."""
    if _nothing_read_due(state) is None:
        return state, (Misplay("not-now-nothing-read", event.seq),)
    too_old = tuple(shout for shout in state.shouts if _is_too_old(shout, event.microseconds))
    shouts = tuple(shout for shout in state.shouts if shout not in too_old)
    return _with_paid(replace(state, shouts=shouts), too_old, event.seq)


def _last_pair_due(state: State) -> int | None:
    """The last two cards may be snapped like any others."""
    return state.last_at + LAST_PAIR if state.phase is Phase.LAST else None


def _deal_over(state: State, event: Elapsed) -> Judged[State]:
    """A pile that nobody has taken by now is nobody's."""
    if state.phase is not Phase.LAST:
        return state, (Misplay("not-now-last-pair", event.seq),)
    ended = replace(state, snaps=state.all_snaps, shouts=())
    if state.deal == state.options.deals:
        over = replace(ended, phase=Phase.OVER)
        return over, (won(most_points(over), event.seq),)
    dealt = replace(ended, phase=Phase.DEAL, deal=state.deal + 1, turned=(), pile=())
    return dealt, (Ruling("deal-over", event.seq, {"number": state.options.deals - state.deal}),)


def _may_press(state: State) -> tuple[int, ...]:
    return state.seats if _races(state) and state.is_alike else ()


def _races(state: State) -> bool:
    return state.phase in (Phase.TURN, Phase.LAST)


def _pressed(state: State, event: Pressed) -> Judged[State]:
    """For two alike, whoever pressed first takes the pile, also if it is learned of while they lie on top."""
    if state.phase is Phase.DEAL:
        return state, ()  # nothing lies there yet
    shout = shout_of(event, state.head_starts.get(event.seat, 0))
    if shout.happened_at < state.last_at - (SEEN_BEFORE_READ if state.is_alike else 0):
        return state, ()  # told late: it was for a card that is covered
    shouts = tuple(sorted((*state.shouts, shout)))
    if state.is_alike:
        first_of_each = _first_of_each(shouts)
        return _raced(state, first_of_each, event.seq) if shout in first_of_each else (state, ())
    theirs = [other.at for other in state.shouts if other.seat == shout.seat]
    if any(abs(shout.at - at) < BOUNCE for at in theirs):
        return state, ()
    pressed = replace(state, shouts=shouts)
    if state.phase is Phase.LAST:  # no card comes for which it may be
        return _with_paid(pressed, (shout,), event.seq)
    return pressed, (Ruling("pressed", event.seq, {"seat": shout.seat}),)


def _raced(state: State, shouts: tuple[Shout, ...], seq: int) -> Judged[State]:
    """Hand the pile to the first of these presses, and take it back from whoever was thought to be first."""
    if not shouts:
        return state, ()
    raced = replace(state, shouts=shouts)
    cards = len(state.pile)
    points = state.points
    if state.taker is not None:
        points = with_gains(points, {state.taker: -cards})
    if raced.taker is not None:
        points = with_gains(points, {raced.taker: cards})
    return replace(raced, points=points), (_ruling_on(state, raced, seq),)


def _ruling_on(state: State, raced: State, seq: int) -> Ruling:
    """Return what a press has changed in the race."""
    seqs = tuple(shout.seq for shout in raced.shouts if shout.seq != seq)
    first = raced.shouts[0]
    if raced.taker is None:
        spread = max(shout.at for shout in raced.shouts if shout.seat in raced.contenders) - first.at
        facts: dict[str, Any] = {"seats": raced.contenders, "margin": spread}
        return Ruling("dead-heat" if state.contenders != raced.contenders else "after-dead-heat", seq, facts, seqs)
    facts = {"seat": first.seat, "number": len(raced.pile)}
    if len(raced.shouts) == 1:
        return Ruling("snapped", seq, facts, seqs)
    facts |= {"other": raced.shouts[1].seat, "margin": raced.shouts[1].at - first.at}
    return Ruling("snapped-later" if state.taker == raced.taker else "snapped-earlier", seq, facts, seqs)


def _whose(state: State, event: Tapped) -> Collection[int]:
    return () if state.active is None else (state.active,)


MOVES = GameMoves(
    taps=Taps(_tapped, at=(CENTRE,), likely=_may_be_turned, whose=_whose),
    presses=Presses(_pressed, likely=_may_press, races=_races),
    waits={"nothing-read": Wait(_nothing_read, _nothing_read_due), "last-pair": Wait(_deal_over, _last_pair_due)},
)
