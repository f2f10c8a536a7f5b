"""A match judged again, event by event: how it came to stand where it does."""

from collections.abc import Iterator

from msgspec import Struct

from companion.events import Event
from companion.game import Verdict
from companion.judge.match import Match


class Rejudged(Struct, frozen=True):
    """What came of one of the events that stand."""

    event: Event
    changed: bool
    """Whether the game's state is another since."""
    verdicts: tuple[Verdict, ...]
    after: Match
    """The match up to and with it; the next event is added to it."""


def rejudged(match: Match, since: int = 2) -> Iterator[Rejudged]:
    """Judge the events again that stand, from this one on: behind the start, it is the whole match."""
    again = match.before(since)
    for event in match.standing(since):
        state, verdicts = again.state, again.add(event)
        yield Rejudged(event, again.state is not state, verdicts, again)
