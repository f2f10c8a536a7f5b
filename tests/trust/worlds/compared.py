"""Where what the judge says is other than what is true."""

from collections.abc import Iterator
from typing import Any

from companion.judge.match import Match
from tests.trust.worlds.truth import Truth


def disagreements(truth: Truth, match: Match) -> Iterator[str]:
    """Name each, with both sides of it."""
    game = match.game
    state = match.state
    yield from _other("", truth.known, game.view(state, None))
    outcome = match.outcome
    said = {"over": match.over, "scores": dict(outcome.scores), "winners": tuple(outcome.winners)}
    true = {"over": truth.over, "scores": dict(truth.scores), "winners": truth.winners}
    yield from _other("", true, said)
    if truth.waits_for is not None and not truth.over:
        yield from _other("", {"waits for": sorted(truth.waits_for)}, {"waits for": sorted(game.now(state).seats)})
    for seat, held in truth.holds.items():
        own = game.view(state, seat)["own"]
        if own is not None and not held.issuperset(own["cards"]):
            yield f"seat {seat} holds {sorted(held)}, said: {own['cards']}"
    yield from (f"a fault of the program: {fault.where}" for fault in match.faults.values())


def _other(path: str, true: Any, said: Any) -> Iterator[str]:
    """A mapping may say more than is known; all else is the same or is not."""
    if _fits(true, said):
        return
    if isinstance(true, dict) and isinstance(said, dict):
        for key, value in true.items():
            yield from _other(f"{path} {key}", value, said.get(key, "nothing"))
    elif isinstance(true, list) and isinstance(said, list) and len(true) == len(said):
        for at, (one, other) in enumerate(zip(true, said, strict=True)):
            yield from _other(f"{path} {at}", one, other)
    else:
        yield f"{path.strip()}: {true} is true, {said} was said"


def _fits(true: Any, said: Any) -> bool:
    if true == said:
        return True
    if isinstance(true, dict) and isinstance(said, dict):
        return all(key in said and _fits(value, said[key]) for key, value in true.items())
    if isinstance(true, list) and isinstance(said, list) and len(true) == len(said):
        return all(map(_fits, true, said))
    return False
