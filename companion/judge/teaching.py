"""Which rule somebody who is new to a game is told now, and which they have met: from what everybody was told. Pure."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from companion.game import AnyGame, Hint, Ruling
from companion.judge.match import Match


class DueHint(msgspec.Struct, frozen=True):
    """A rule that matters now."""

    code: str
    facts: Mapping[str, Any]
    """For its sentence: those of the ruling after which, or of the task at which, it is told."""


def met(match: Match) -> dict[int, tuple[str, ...]]:
    """Return by seat the hints whose act has been done in this match, or that have had their time."""
    hints = match.game.hints
    rulings = [verdict for verdict in match.public if isinstance(verdict, Ruling)] if hints else []
    codes_by_seat: dict[int, dict[str, None]] = {seat: {} for seat in match.seats}
    teaching = {code for hint in hints.values() for code in (*hint.done, *hint.after)}
    for ruling in rulings:
        if ruling.code in teaching:
            is_newest = ruling.seq == rulings[-1].seq
            for code, hint in hints.items():
                for seat in _seats_that_met(hint, ruling, match.seats, is_newest=is_newest):
                    codes_by_seat[seat][code] = None
    return {seat: tuple(codes) for seat, codes in codes_by_seat.items() if codes}


def due_hint(game: AnyGame, view: Mapping[str, Any], seat: int, known: Collection[str]) -> DueHint | None:
    """Return the first of the game's hints that matters to this seat now and is not `known` to its player; None: none
    does. `view` is what everybody may know.
    """
    if view["over"]:
        return None
    task = view["table"]["now"]
    newest = {entry["code"]: entry["facts"] for entry in _newest_act(view)}
    for code, hint in game.hints.items():
        if code in known:
            continue
        facts = next((newest[ruling] for ruling in hint.after if ruling in newest), None)
        if facts is not None and (not hint.to_doer or facts.get("seat") == seat):
            return DueHint(code, facts)
        if task["code"] in hint.at and seat in task.get("seats", (seat,)):
            return DueHint(code, task)
    return None


def _seats_that_met(hint: Hint, ruling: Ruling, seats: tuple[int, ...], *, is_newest: bool) -> tuple[int, ...]:
    doer = ruling.facts.get("seat")
    named = (doer,) if doer in seats else seats
    if ruling.code in hint.done:
        return seats if hint.once else named
    if ruling.code in hint.after and not hint.done and not is_newest:
        return named if hint.to_doer else seats
    return ()


def _newest_act(view: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what was ruled of the latest act that changed something, as everybody was told it."""
    for entry in reversed(view["told"]):
        if not entry["misplay"]:
            yield entry
            if not entry["same_act"]:
                return
