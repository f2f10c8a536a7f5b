"""The rules of stop it! (Moon, Weissblum) as one step: (state, event) → (state, verdicts).

READY ─press→ COLLECTING ─press→ SHOUTED ─stop card→ COUNTING ─last count→ SCORED ─caller presses→ COLLECTING …
until the last negative card is handed out, or the piles are empty and nobody calls any more.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.act_cards import DROPPED, PILE_EMPTY, UNSORTED
from companion.events import Elapsed, Event, Pressed, Said, Seat, Started, Tapped, seat_at
from companion.game import (
    Card,
    GameMoves,
    HowSaid,
    Judged,
    Misplay,
    Presses,
    Ruling,
    Taps,
    Verdict,
    Wait,
    Word,
    fewest_points,
    with_gains,
)
from companion.game.head_starts import in_microseconds
from companion.game.press_race import Shout, shout_of
from companion.game.shared_rules import won
from companion.games.stop_it import counting, likely_acts
from companion.games.stop_it.cards import DECK, NEGATIVE, PLAIN
from companion.games.stop_it.state import Options, Phase, State

DEAF_AFTER_START = 500_000
ECHO_AFTER_DONE = 500_000
ECHO_AFTER_STOP = 1_000_000
ECHO_AFTER_SHOUT = 1_500_000
LAST_CALLS = 10_000_000
"""Microseconds."""


def begin(started: Started, options: Options) -> State:
    """Sit down: nobody holds a card, nobody has a negative point."""
    seats = started.seats
    head_starts = in_microseconds(options.head_starts, seats)
    return State(seats, options, head_starts=head_starts, points=dict.fromkeys(seats, 0))


def last_calls_due(state: State) -> int | None:
    """With the piles empty, held stops may be called until nobody has shouted for ten seconds."""
    if state.last_calls_since is None or state.phase is not Phase.COLLECTING:
        return None
    return state.last_calls_since + LAST_CALLS


def unit(state: State) -> tuple[int, Phase]:
    """A card read twice within one call, or one count, is one act."""
    return state.starts, state.phase


def _finishes(state: State, press: Pressed) -> bool:
    """While all count, a player's press says that their cards of the colour are laid."""
    waited_for = state.phase is Phase.COUNTING and press.seat not in state.counts
    return waited_for and press.microseconds >= state.deaf_until


def _no_stop_by_press(state: State, press: Pressed) -> Said | None:
    """The caller's second press, once the shout is over: they have no stop card to show."""
    if state.phase is not Phase.SHOUTED or press.seat not in state.contenders:
        return None
    shouted_at = next(shout.happened_at for shout in state.shouts if shout.seat == press.seat)
    if press.microseconds < shouted_at + ECHO_AFTER_SHOUT:
        return None
    return Said(0, press.at, press.seat, "no-stop")


def _fault_on_card(state: State, card: str, seat: Seat | None) -> Said | None:
    """A fault is that of the seat at which it is laid."""
    if card not in (UNSORTED, DROPPED) or seat is None:
        return None
    return Said(0, 0.0, seat, "fault", {"seat": seat, "fault": card})


def _piles_empty_on_card(state: State, card: str, seat: Seat | None) -> Said | None:
    """That the piles are empty is said anywhere."""
    return Said(0, 0.0, seat or "host", "piles-empty") if card == PILE_EMPTY else None


def _races(state: State) -> bool:
    """Whoever shouted first is the caller."""
    return state.phase in (Phase.COLLECTING, Phase.SHOUTED)


def _shut(state: State) -> dict[int, str]:
    """Once their count is in, no card of a player counts any more."""
    return dict.fromkeys(state.counts, "counted-already") if state.phase is Phase.COUNTING else {}


def _whose(state: State, tap: Tapped) -> tuple[int, ...]:
    """At the centre only the stop card is shown, by whoever shouted."""
    return state.contenders if state.phase is Phase.SHOUTED else ()


def _pressed(state: State, event: Pressed) -> Judged[State]:
    at = event.microseconds
    phase = state.phase
    if phase is Phase.READY:
        started = Ruling("started", event.seq, {"seat": event.seat})
        if not state.head_starts:
            return _collect(state, at), (started,)
        head_starts = Ruling("head-starts", event.seq, {"head_starts": tuple(sorted(state.head_starts.items()))})
        return _collect(state, at), (head_starts, started)
    if at < state.deaf_until:
        return state, ()
    if phase is Phase.COLLECTING or phase is Phase.SHOUTED:
        return _shouted(state, _shout(state, event))
    if phase is Phase.COUNTING:
        return _after_count(counting.pressed(state, event), event)
    if event.seat == state.done and at < state.deaf_until + ECHO_AFTER_DONE:
        return state, ()
    if event.seat != state.caller:
        return state, (Misplay("only-caller-restarts", event.seq, {"seat": state.caller}, to=event.seat),)
    return _collect(state, at), (Ruling("restarted", event.seq, {"seat": event.seat}),)


def _collect(state: State, at: int) -> State:
    """A start: everybody collects; for half a second no shout is heard."""
    return replace(
        state,
        phase=Phase.COLLECTING,
        starts=state.starts + 1,
        since=at,
        deaf_until=at + DEAF_AFTER_START,
        last_calls_since=None if state.last_calls_since is None else at,
        shouts=(),
        withdrawn=frozenset(),
        caller=None,
        stop=None,
        done=None,
        counts={},
        tapped={},
        faults=frozenset(),
    )


def _shout(state: State, press: Pressed) -> Shout:
    """Judge a press as if it had come earlier by its seat's head start; whoever has none shouts when they press."""
    return shout_of(press, state.head_starts.get(press.seat, 0))


def _shouted(state: State, shout: Shout) -> Judged[State]:
    """The earliest press is the caller's, even if it is learned of second; whoever withdrew is out of this call."""
    if shout.seat in state.withdrawn:
        return state, ()
    earlier = [shout_before for shout_before in state.shouts if shout_before.seat == shout.seat]
    if earlier and earlier[0] < shout:
        return state, ()
    other_shouts = tuple(shout_before for shout_before in state.shouts if shout_before.seat != shout.seat)
    shouts = tuple(sorted((*other_shouts, shout)))
    next_state = replace(state, phase=Phase.SHOUTED, shouts=shouts)
    facts: dict[str, Any] = {"seat": shout.seat, "sure": next_state.sure}
    if not other_shouts:
        return next_state, (Ruling("shouted", shout.seq, facts),)
    other_seqs = tuple(shout_before.seq for shout_before in other_shouts)
    facts |= {"behind": counting.behind(next_state)}
    if shout.seat in next_state.contenders and len(next_state.contenders) > 1:
        spread = max(contender.at for contender in shouts if contender.seat in next_state.contenders) - shouts[0].at
        # Nobody is first, so the sentence is about all of them, not about whoever shouted last.
        facts = {"seats": next_state.contenders, "margin": spread, "window": state.window, "behind": facts["behind"]}
        return next_state, (Ruling("dead-heat", shout.seq, facts, other_seqs),)
    facts |= {"fastest": shouts[0].seat, "runner_up": shouts[1].seat, "lead": shouts[1].at - shouts[0].at}
    if shouts[0] is shout:
        facts |= {"other": other_shouts[0].seat, "margin": other_shouts[0].at - shout.at}
        return next_state, (Ruling("shouted-earlier", shout.seq, facts, other_seqs),)
    facts |= {"other": shouts[0].seat, "margin": shout.at - shouts[0].at}
    if len(next_state.contenders) > 1:
        return next_state, (
            Ruling("shouted-after-dead-heat", shout.seq, facts | {"seats": next_state.contenders}, other_seqs),
        )
    return next_state, (Ruling("shouted-later", shout.seq, facts, other_seqs),)


def _tapped(state: State, event: Tapped) -> Judged[State]:
    card = DECK[event.card]
    seat = seat_at(event.place)
    facts = {"card": event.card}
    if seat is None and event.place != "centre":
        return state, (Misplay("wrong-pad", event.seq, facts),)
    if card.colour is not None and card.colour not in state.options.colours:
        return state, (Misplay("not-in-this-box", event.seq, facts, to=seat),)
    match state.phase:
        case Phase.READY:
            return state, (Misplay("not-started", event.seq, facts, to=_hearer(card, seat)),)
        case Phase.COLLECTING:
            return state, (Misplay("nobody-shouted", event.seq, facts, to=_hearer(card, seat)),)
        case Phase.SHOUTED:
            return _show_stop(state, event)
        case Phase.COUNTING:
            return counting.tapped(state, event, card)
        case Phase.SCORED | Phase.OVER if _lies_there(state, event):
            return state, ()
    return state, (Misplay("restart-first", event.seq, {"seat": state.caller}),)


def _hearer(card: Card, seat: int | None) -> int | None:
    """Return who is told of a card out of turn; a card that may have been counted is its seat's own affair.

    When the stop card is taken back, all cards tapped one by one for its count are out of turn.
    """
    return seat if card.kind in (PLAIN, NEGATIVE) else None


def _lies_there(state: State, event: Tapped) -> bool:
    """Whether the card was counted here, or is the stop card that was called."""
    if event.card == state.stop:
        return event.place == "centre" or seat_at(event.place) == state.caller
    return event.card in state.tapped and state.tapped[event.card] == seat_at(event.place)


def _show_stop(state: State, event: Tapped) -> Judged[State]:
    """Any stop card will do: one that lies on a pile, or one from the caller's own hand."""
    seat = seat_at(event.place)
    facts: dict[str, Any] = {"card": event.card}
    if event.card in state.used:
        return state, (Misplay("stop-used", event.seq, facts),)
    if DECK[event.card].kind in (PLAIN, NEGATIVE):
        facts |= {"seats": state.contenders}
        return state, (Misplay("not-a-stop", event.seq, facts, to=_hearer(DECK[event.card], seat)),)
    if seat is not None and seat not in state.contenders:
        facts = {"seat": seat, "seats": state.contenders}
        return state, (Misplay("only-caller-shows", event.seq, facts),)
    caller = state.contenders[0] if seat is None else seat
    next_state = replace(
        state,
        phase=Phase.COUNTING,
        caller=caller,
        stop=event.card,
        deaf_until=event.microseconds + ECHO_AFTER_STOP,
    )
    lead = counting.lead(next_state)
    facts |= {"seat": caller}
    shout_seqs = tuple(shout.seq for shout in state.shouts)
    if lead is None:
        return next_state, (Ruling("stop-shown", event.seq, facts, shout_seqs),)
    facts |= {"other": lead.other, "margin": lead.margin, "sure": state.sure, "behind": counting.behind(state)}
    match lead.dead_heat, seat:
        case False, _:
            code = "stop-shown-first"
        case True, None:
            code = "stop-shown-between"
        case _:
            code = "stop-shown-in-dead-heat"
    return next_state, (Ruling(code, event.seq, facts, shout_seqs),)


def _too_early(state: State, event: Said | Elapsed) -> Judged[State]:
    return state, (Misplay(f"not-now-{event.what}", event.seq),)


def _no_stop(state: State, event: Said) -> Judged[State]:
    """A false call is void: no count, no card handed out; the false caller starts again.

    In a dead heat the other may still have a stop card, so the first without one only withdraws; once all have, the
    earliest press was the false call.
    """
    if state.phase is not Phase.SHOUTED:
        return _too_early(state, event)
    seat = event.seat
    if not isinstance(seat, int) or seat not in state.contenders:
        return state, (Misplay("only-caller-says-no-stop", event.seq, {"seats": state.contenders}),)
    if len(state.contenders) > 1:
        next_state = replace(state, withdrawn=state.withdrawn | {seat})
        facts: dict[str, Any] = {"seat": seat, "seats": next_state.contenders}
        return next_state, (Ruling("withdrew", event.seq, facts),)
    points = state.points
    code = "false-call"
    caller = state.shouts[0].seat
    if state.options.false_call == "penalty":
        points = with_gains(points, {caller: 1})
        code = "false-call-penalty"
    ruling = Ruling(code, event.seq, {"seat": caller}, tuple(shout.seq for shout in state.shouts))
    next_state = replace(state, caller=caller, points=points)
    return _go_on(next_state, event, (ruling,))


def _fault(state: State, event: Said) -> Judged[State]:
    """A hand not sorted by colour, or cards dropped since the last start: one point each, however many cards."""
    if state.phase is not Phase.SHOUTED and state.phase is not Phase.COUNTING:
        return _too_early(state, event)
    value = event.value
    if not isinstance(value, Mapping) or value.keys() != {"seat", "fault"}:
        return state, (Misplay("unknown-value", event.seq, {"what": event.what}),)
    seat = value["seat"]
    fault = value["fault"]
    if fault not in ("unsorted", "dropped") or type(seat) is not int or seat not in state.seats:
        return state, (Misplay("unknown-value", event.seq, {"what": event.what}),)
    if (seat, fault) in state.faults:
        return state, (Misplay("fault-known", event.seq, {"seat": seat}),)
    next_state = replace(state, faults=state.faults | {(seat, fault)})
    return next_state, (Ruling(fault, event.seq, {"seat": seat}),)


def _count(state: State, event: Said) -> Judged[State]:
    if state.phase is not Phase.COUNTING:
        return _too_early(state, event)
    return _after_count(counting.told(state, event), event)


def _piles_empty(state: State, event: Said) -> Judged[State]:
    if state.phase is not Phase.COLLECTING or state.last_calls_since is not None:
        return _too_early(state, event)
    if state.options.empty == "end-now":
        return _end(state, event, (Ruling("piles-empty-end", event.seq),))
    next_state = replace(state, last_calls_since=event.microseconds)
    return next_state, (Ruling("piles-empty", event.seq),)


def _nobody_calls(state: State, event: Elapsed) -> Judged[State]:
    if last_calls_due(state) is None:
        return _too_early(state, event)
    return _end(state, event, (Ruling("nobody-calls", event.seq),))


def _after_count(judged: Judged[State], event: Event) -> Judged[State]:
    state, verdicts = judged
    if state.phase is not Phase.SCORED:
        return judged
    return _go_on(state, event, verdicts)


def _go_on(state: State, event: Event, verdicts: tuple[Verdict, ...]) -> Judged[State]:
    """After a call: the end, or the caller starts again; after a last call no restart is needed."""
    if sum(state.points.values()) >= state.options.negatives:
        return _end(state, event, verdicts)
    if state.last_calls_since is not None:
        return _collect(state, event.microseconds), verdicts
    done = event.seat if isinstance(event, Pressed) else None
    return replace(state, phase=Phase.SCORED, deaf_until=event.microseconds, done=done), verdicts


def _end(state: State, event: Event, verdicts: tuple[Verdict, ...]) -> Judged[State]:
    """The last negative card, or no more calls: the fewest points win."""
    next_state = replace(state, phase=Phase.OVER)
    return next_state, (*verdicts, won(fewest_points(next_state), event.seq))


MOVES = GameMoves(
    taps=Taps(_tapped, at=("centre", "seat"), likely=likely_acts.taps, whose=_whose, shut=_shut),
    presses=Presses(_pressed, likely=likely_acts.presses, finishes=_finishes, races=_races),
    words={
        "no-stop": Word(_no_stop, (HowSaid.PRESS,), likely=likely_acts.no_stop, in_press=_no_stop_by_press),
        "count": Word(
            _count,
            (HowSaid.LAID,),
            likely=likely_acts.counts,
            bears=lambda value: not isinstance(value, bool) and value in range(18),
        ),
        "fault": Word(
            _fault,
            (HowSaid.CARD,),
            bears=lambda value: isinstance(value, dict) and value.keys() == {"seat", "fault"},
            on_card=_fault_on_card,
        ),
        "piles-empty": Word(
            _piles_empty, (HowSaid.CARD,), likely=likely_acts.piles_empty, on_card=_piles_empty_on_card
        ),
    },
    waits={"last-calls": Wait(_nobody_calls, last_calls_due)},
)
