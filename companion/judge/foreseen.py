"""What a correction of a match that is over would bring, judged on a copy before anybody agrees to it."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.events import Event
from companion.judge.changed_by_correction import change, everybody_told
from companion.judge.match import Match


class Foreseen(Struct, frozen=True):
    """What everybody would be told."""

    goes_on: bool
    """Whether the match would be over no longer."""
    misplays: int
    """How many acts would break the rules that did not before."""


def foresee(match: Match, events: Sequence[Event]) -> Foreseen:
    """Return what these events, not numbered yet, would bring to a match that is over; it stays as it is."""
    corrected = match.as_of(len(match.events))
    corrected.add_all([replace(event, seq=seq) for seq, event in enumerate(events, len(match.events) + 1)])
    differences = change(everybody_told(match), everybody_told(corrected))
    return Foreseen(not corrected.over, 0 if differences is None else differences.misplays)
