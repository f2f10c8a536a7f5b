"""Opens a past match as if it were on the table, to correct it or to take it up again."""

from companion.devices.sensing import Clock
from companion.history.archive import NotInLog
from companion.judge.match import Match, judge
from companion.live.game_code_faults import GameFaults
from companion.live.in_play import InPlay
from companion.live.pause import Pause, Why
from companion.live.recorder import Recorder, Stored
from companion.live.resumed import Resumed
from companion.storage.opening import LogFault

AFTER_THE_LAST = 2.0
"""Seconds by which what is entered after a match's end follows its last act: nobody knows when it happened, and no
match may last longer because it is put right days later. More than any time within which a press passes for an echo."""


def end_of(match: Match) -> float:
    """Return when what is entered after a match's end happened, in seconds."""
    return max(event.at for event in match.standing()) + AFTER_THE_LAST


def opened(recorder: Recorder, number: int, clock: Clock, faults: GameFaults) -> InPlay:
    """Open a match as it stands. Raises `NotInLog` if there is none, or if it can't be read or judged."""
    stored = _stored(recorder, number)
    is_closed = stored.pausing is not None and stored.pausing.why == Why.CLOSED.value
    pause = Pause(clock, Why.CLOSED if is_closed else Why.ENDED, min(_stopped_at(stored), clock()))
    return InPlay(number, _judged(stored, faults), clock, Resumed(clock()), pause, demo=stored.demo)


def _stored(recorder: Recorder, number: int) -> Stored:
    try:
        stored = recorder.stored(number)
    except LogFault as wrong:
        raise NotInLog(str(wrong)) from wrong
    if stored is None:
        raise NotInLog(f"no match {number}")
    return stored


def _stopped_at(stored: Stored) -> float:
    """Return when play stopped, in seconds."""
    return stored.pausing.at if stored.pausing else max(event.at for event in stored.events)


def _judged(stored: Stored, faults: GameFaults) -> Match:
    try:
        return judge(stored.events, stored.away)
    except Exception as wrong:
        faults.keep("", f"match {stored.number}", wrong)
        raise NotInLog(f"match {stored.number} can't be judged: a fault in its game's code") from wrong
