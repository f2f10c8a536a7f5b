"""A match that is over, judged under other options: who would have won? Pure, and from what everybody saw."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.events import Event, Started
from companion.game import Misplay
from companion.judge import record_file
from companion.judge.match import Match, judge
from companion.judge.rejudging import Rejudged, rejudged

AFTER_THE_END = "match-over"


class Otherwise(msgspec.Struct, frozen=True):
    """How the same acts end under other options."""

    changed: Mapping[str, Any]
    """The options that are others than those it was played by."""
    over: bool
    """False: under these options it would have gone on."""
    scores: Mapping[int, int | None]
    winners: tuple[int, ...]
    broken: int
    """How many acts break these rules, and none of those it was played by: then it is only a guess."""
    unused: int
    """How many acts come after what would have been the end."""


def played_by(match: Match) -> dict[str, Any]:
    """Return the options that might have been others, as the match was played."""
    options = msgspec.convert(match.started.options, match.game.options)
    return {option: getattr(options, option) for option in match.game.variants}


def each(match: Match) -> Iterator[Otherwise]:
    """Return what comes of changing one option, for every value of each."""
    acts = _accepted(match)
    for option, now in played_by(match).items():
        for value in match.game.variants[option]:
            if value != now:
                yield _judged(acts, {option: value})


def otherwise(match: Match, changed: Mapping[str, Any]) -> Otherwise:
    """Judge a match that is over under other options.

    What was refused, or done after its end, does not count: nobody else ever learned which card or count that was.
    """
    return _judged(_accepted(match), changed)


def _judged(acts: list[Event], changed: Mapping[str, Any]) -> Otherwise:
    first, *rest = acts
    assert isinstance(first, Started)
    started = replace(first, options={**first.options, **changed})
    record_file.check_started(started)
    again, known = judge([started, *rest]), _misplays(judge(acts))
    misplays = _misplays(again)
    return Otherwise(
        changed,
        again.over,
        again.outcome.scores,
        again.outcome.winners if again.over else (),
        sum(code != AFTER_THE_END and seq not in known for seq, code in misplays.items()),
        sum(code == AFTER_THE_END for code in misplays.values()),
    )


def _accepted(match: Match) -> list[Event]:
    """Return what counted up to the end, numbered anew."""
    last = max(one.seq for one in match.public if not isinstance(one, Misplay))
    kept = [one.event for one in rejudged(match) if one.event.seq <= last and not _refused(one)]
    return [replace(event, seq=seq) for seq, event in enumerate((match.started, *kept), 1)]


def _refused(one: Rejudged) -> bool:
    return not one.changed and any(isinstance(verdict, Misplay) for verdict in one.verdicts)


def _misplays(match: Match) -> dict[int, str]:
    """Return those that everybody is told of, by the act."""
    return {one.seq: one.code for one in match.public if isinstance(one, Misplay)}
