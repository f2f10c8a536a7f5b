"""Hints for newcomers to a game: which one is due, and which they have met, by public knowledge. Pure."""

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


class Met(msgspec.Struct, frozen=True):
    """The hints met before the newest act; later acts only add to them, so it can be carried on."""

    by_ruling: Mapping[str, tuple[tuple[str, Hint], ...]]
    """Code of a ruling → the hints that it may concern."""
    verdicts: int = 0
    """How many public verdicts are taken into account."""
    hints: Mapping[int, frozenset[str]] = {}
    """By seat."""


def nothing_met(game: AnyGame) -> Met:
    """Return the value for the beginning of a match."""
    rulings = {ruling for hint in game.hints.values() for ruling in (*hint.done, *hint.after)}
    return Met(
        {
            ruling: tuple((code, hint) for code, hint in game.hints.items() if ruling in (*hint.done, *hint.after))
            for ruling in rulings
        }
    )


def met(match: Match) -> dict[int, tuple[str, ...]]:
    """Return by seat the hints whose act has been done in this match, or that have had their time."""
    return met_with_newest(met_before_newest(match, nothing_met(match.game)), match)


def met_before_newest(match: Match, earlier: Met) -> Met:
    """Return `earlier`, which was made when the match was shorter, carried on to the newest act."""
    public = match.public
    newest = next((verdict.seq for verdict in reversed(public) if isinstance(verdict, Ruling)), None)
    hints = dict(earlier.hints)
    verdicts = earlier.verdicts
    while verdicts < len(public):
        verdict = public[verdicts]
        if isinstance(verdict, Ruling):
            if verdict.seq == newest:
                break
            _meet(hints, earlier, match.seats, verdict, is_newest=False)
        verdicts += 1
    return Met(earlier.by_ruling, verdicts, hints)


def met_with_newest(met_so_far: Met, match: Match) -> dict[int, tuple[str, ...]]:
    """Return by seat, sorted, the hints met before the newest act and with it."""
    hints = dict(met_so_far.hints)
    for verdict in match.public[met_so_far.verdicts :]:
        if isinstance(verdict, Ruling):
            _meet(hints, met_so_far, match.seats, verdict, is_newest=True)
    return {seat: tuple(sorted(codes)) for seat, codes in hints.items()}


def _meet(
    hints: dict[int, frozenset[str]], met_so_far: Met, seats: tuple[int, ...], ruling: Ruling, *, is_newest: bool
) -> None:
    for code, hint in met_so_far.by_ruling.get(ruling.code, ()):
        for seat in _seats_that_met(hint, ruling, seats, is_newest=is_newest):
            codes = hints.get(seat, frozenset())
            if code not in codes:
                hints[seat] = codes | {code}


def due_hint(game: AnyGame, view: Mapping[str, Any], seat: int, known_hints: Collection[str]) -> DueHint | None:
    """Return the first of the game's hints that is due for this seat and not among `known_hints`; None without one.
    `view` is the public view.
    """
    if view["over"]:
        return None
    task = view["table"]["now"]
    newest = {entry["code"]: entry["facts"] for entry in _newest_act(view)}
    for code, hint in game.hints.items():
        if code in known_hints:
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
    """Yield the public rulings on the latest act that changed something."""
    for entry in reversed(view["told"]):
        if not entry["misplay"]:
            yield entry
            if not entry["same_act"]:
                return
