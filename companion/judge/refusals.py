"""Refusals that everybody may see, though not why: a lamp shows them."""

from collections.abc import Iterable

from companion.game import Misplay, Verdict


def refusal(verdicts: Iterable[Verdict]) -> Misplay | None:
    """Return the misplay by which an act was refused in everybody's sight; None if it counts, or seems to."""
    return next((verdict for verdict in verdicts if isinstance(verdict, Misplay) and verdict.at_once), None)
