"""Judges a match that is over under other options: who would have won? Pure, and from public knowledge."""

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
    """The outcome of the same acts under other options."""

    changed: Mapping[str, Any]
    """The options that differ from those of the match."""
    over: bool
    """Whether it would have ended under these options."""
    scores: Mapping[int, int | None]
    winners: tuple[int, ...]
    broken: int
    """How many acts break these rules but not the original ones; if there are any, the outcome is only a guess."""
    unused: int
    """How many acts came after what would have been the end."""


def played_by(match: Match) -> dict[str, Any]:
    """Return the values, in this match, of the options that have variants."""
    options = msgspec.convert(match.started.options, match.game.options)
    return {option: getattr(options, option) for option in match.game.variants}


def each(match: Match) -> Iterator[Otherwise]:
    """Yield the outcome of changing a single option, for every value of each."""
    acts = _accepted(match)
    for option, current in played_by(match).items():
        for value in match.game.variants[option]:
            if value != current:
                yield _judged(acts, {option: value})


def otherwise(match: Match, changed: Mapping[str, Any]) -> Otherwise:
    """Judge a match that is over under other options.

    Refused acts, and acts after its end, are left out, because nobody else ever learned which card or count they were.
    """
    return _judged(_accepted(match), changed)


def _judged(acts: list[Event], changed: Mapping[str, Any]) -> Otherwise:
    first, *later = acts
    assert isinstance(first, Started)
    started = replace(first, options={**first.options, **changed})
    record_file.check_started(started)
    replayed = judge([started, *later])
    misplays_before = _misplays(judge(acts))
    misplays = _misplays(replayed)
    return Otherwise(
        changed,
        replayed.over,
        replayed.outcome.scores,
        replayed.outcome.winners if replayed.over else (),
        sum(code != AFTER_THE_END and seq not in misplays_before for seq, code in misplays.items()),
        sum(code == AFTER_THE_END for code in misplays.values()),
    )


def _accepted(match: Match) -> list[Event]:
    """Return the acts that counted up to the end, renumbered."""
    last = max(verdict.seq for verdict in match.public if not isinstance(verdict, Misplay))
    counted_acts = [step.event for step in rejudged(match) if step.event.seq <= last and not _refused(step)]
    return [replace(event, seq=seq) for seq, event in enumerate((match.started, *counted_acts), 1)]


def _refused(step: Rejudged) -> bool:
    return not step.changed and any(isinstance(verdict, Misplay) for verdict in step.verdicts)


def _misplays(match: Match) -> dict[int, str]:
    """Return the codes of the public misplays, by act."""
    return {misplay.seq: misplay.code for misplay in match.public if isinstance(misplay, Misplay)}
