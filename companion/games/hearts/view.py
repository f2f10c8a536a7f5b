"""What the table waits for, and what an observer may know, built up from nothing."""

from typing import Any

from companion.game import Now, Observer
from companion.games.hearts.cards import cards_in_play
from companion.games.hearts.state import Phase, State


def now(state: State) -> Now:
    """Return what the table waits for. Nobody is told which cards somebody passes, nor that a new round was dealt."""
    if state.over:
        return Now("now-over")
    if state.phase is Phase.PASS:
        code = {1: "now-pass-left", -1: "now-pass-right", 2: "now-pass-across"}[state.steps]
        missing = tuple(seat for seat in state.seats if seat not in state.passed)
        return Now(code, missing, unseen=missing, facts=_dealing(state))
    if state.active is None:
        return Now("now-first", unseen=state.seats, facts={"card": state.first_card, **_dealing(state)})
    if state.trick:
        _, card = state.trick[0]
        return Now("now-follow", (state.active,), facts={"card": card})
    return Now("now-lead", (state.active,), facts={"barred": None if state.hearts_broken else "hearts"})


def _dealing(state: State) -> dict[str, Any]:
    """Return who deals, and whether they may still have to: nothing tells the table that cards are dealt."""
    return {"seat": state.dealer, "dealt": "yes" if state.passed or state.played else "no"}


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Return what lies on the table, the same for everybody: hands are in hands."""
    return {
        "phase": state.phase.value,
        "round": state.round,
        "players": len(state.seats),
        "four_colours": state.options.four_colours,
        "dealer": state.dealer,
        "steps": state.steps,
        "passed": list(state.passed),
        "active": state.active,
        "trick": [{"seat": seat, "card": card} for seat, card in state.trick],
        "lies": [{"seat": seat, "card": card} for seat, card in state.trick or state.last],
        "hearts_broken": state.hearts_broken,
        "taken": {str(seat): points for seat, points in state.taken.items()},
        "taker": state.leader if state.last else None,
        "first_card": state.first_card,
        "played": list(state.played),
        "unplayed": [card for card in cards_in_play(len(state.seats)) if card not in state.played],
        "moons": list(state.moons),
        "history": [{str(seat): points for seat, points in row.items()} for row in state.history],
    }
