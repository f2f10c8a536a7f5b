"""The rules alone, without a table: two matches that differ only in what is sealed look alike to others, act by act.

Pure, so that a thousand pairs cost what one costs at two live tables; what tells two matches apart is made small.
"""

import random
from collections.abc import Iterable, Iterator, Sequence

from companion.events import Event
from companion.history.charts import charts
from companion.history.souvenir import souvenir
from companion.history.under_other_rules import each
from companion.judge import corrections, views
from companion.judge.match import Match
from companion.live.device_status import Status
from companion.live.in_play import InPlay
from companion.live.lamps import cues
from companion.live.snapshot import Snapshot, snapshot_of
from tests.trust.effort import calls_counted, is_unlike
from tests.trust.findings import Finding, small
from tests.trust.pairs import HAND, SEALING, Beside, Pair, Side, by_hand, played

UNLIKE = 1.1
"""So many times as many calls for one secret as for the other."""


def _raised(game: str, hook: str, wrong: Exception) -> None:
    raise wrong


class _Side:
    """One of the two matches."""

    def __init__(self, pair: Pair):
        self.played = InPlay(1, Match(pair.started), float, demo=False)
        self._uneven = pair.uneven
        self.take(())

    def take(self, events: Side) -> int:
        """Judge these, and see what may be shown then; give how many calls of functions that took."""
        with calls_counted() as calls:
            for event in events:
                self.played.judge([event])
            self.seen = snapshot_of(self.played, Status(), Snapshot(), _raised)
            [*self.seen.views.values()]  # as when every phone looks
        return calls.total()

    def looks(self, who: int | None) -> Iterator[object]:
        """Return what this observer may get, all of it as the live table has it."""
        seen = self.seen
        yield seen.views[who]
        story = views.passage(self.played.match, who, slice(None))
        yield story.told, story.whole, [at // 60 for at in story.times]  # no page tells seconds
        answer = seen.feedback.get(who or 0)
        yield answer and (answer.number, answer.tapped, answer.complete, answer.read, answer.faces)
        yield answer and answer.wrong and (answer.wrong.code, answer.wrong.facts)
        # Everybody saw a card more be laid at an uneven seat in one of the histories.
        yield {seat: cue for seat, cue in cues(seen).items() if seat not in self._uneven}
        yield seen.misread

    def looks_afterwards(self) -> Iterator[object]:
        """Return what is asked for now and then: the charts, and the cards that can be put right."""
        match = self.played.match
        yield charts(match)
        yield souvenir(match)
        yield [*each(match)] if match.over else []
        yield [corrections.cards(match, entry).keys() for entry in sorted(corrections.offered(match))]


def apart(found: Pair) -> int | None:
    """Return after how many events somebody else sees a difference, or could measure one; None: nobody ever does."""
    one = _Side(found)
    other = _Side(found)
    events = 1
    others = (None, *(player.seat for player in found.started.players if player.seat not in found.differ))
    for mine, theirs in found.steps:
        calls = one.take(mine), other.take(theirs)
        events += max(len(mine), len(theirs))
        if len(mine) == len(theirs) and is_unlike(calls, UNLIKE):
            return events
        if any([*one.looks(who)] != [*other.looks(who)] for who in others):
            return events
    return events if [*one.looks_afterwards()] != [*other.looks_afterwards()] else None


def tried(what: str, found: Iterable[tuple[list[Event], Beside]]) -> Finding:
    """Look at all of these; of the first that can be told apart leave out what plays no part."""
    number = 0
    for events, beside in found:
        both = beside(events)
        if both is None:
            continue
        number += 1
        if apart(both) is None:
            continue

        def still(rest: Sequence[Event], first: Event = events[0], beside: Beside = beside) -> bool:
            less = beside([first, *rest])
            return less is not None and apart(less) is not None

        few = beside([events[0], *small(events[1:], still)])
        assert few is not None
        return Finding(what, number, 1, f"{few.name}: {few.steps}".replace("|", "/")[:600], events=apart(few))
    return Finding(what, number, 0)


def of_hand(names: Iterable[str] = ()) -> Iterator[tuple[list[Event], Beside]]:
    """Return the pairs of these names, or all; they are small as they are."""
    for hand in HAND:
        if not names or hand[0] in names:
            yield [hand[1]], lambda rest, hand=hand: by_hand(*hand)


def by_chance(slug: str, seeds: Iterable[int]) -> Iterator[tuple[list[Event], Beside]]:
    for seed in seeds:
        yield played(slug, random.Random(seed))


def trial(quick: bool) -> Iterator[Finding]:
    """Look at pairs of hand, then at random ones of each game."""
    first, many = (1, 4) if quick else (random.SystemRandom().randrange(10**6), 3000)
    yield tried("secrecy: by the rules alone, what is sealed shows to nobody: pairs of hand", of_hand())
    for slug in SEALING:
        what = f"secrecy: by the rules alone, what is sealed shows to nobody: random matches of {slug}"
        yield tried(what, by_chance(slug, range(first, first + many)))
