"""Judges a match again, event by event."""

from collections.abc import Iterator

from msgspec import Struct

from companion.events import Event
from companion.game import Verdict
from companion.judge.match import Match


class Rejudged(Struct, frozen=True):
    """The outcome of one of the standing events."""

    event: Event
    changed: bool
    """Whether the game's state changed with it."""
    verdicts: tuple[Verdict, ...]
    after: Match
    """The match up to and with it; the next event is added to it."""


def rejudged(match: Match, since: int = 2) -> Iterator[Rejudged]:
    """Judge the standing events again from this one on; by default the whole match."""
    replayed = match.before(since)
    for event in match.standing(since):
        state = replayed.state
        verdicts = replayed.add(event)
        yield Rejudged(event, replayed.state is not state, verdicts, replayed)
