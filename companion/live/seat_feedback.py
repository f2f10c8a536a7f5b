"""The answer to what a seat's sensors read: for that seat alone, whose player looks at the cards, not at a page.

It follows from the seat's own acts, from what it was told, and from what everybody knows; another seat's sealed act
does not affect it.
"""

from collections.abc import Collection, MutableMapping
from enum import Enum

import msgspec

from companion.events import Event, Pressed, Tapped
from companion.game import Misplay, Verdict, refuses_at_once
from companion.judge.attribution import Doer
from companion.judge.doubted_presses import Doubt
from companion.judge.match import Match
from companion.judge.refusals import Refusal, refusal_of, shut
from companion.judge.views import now
from companion.live.cards_aloud import MOST, may_hear


class AnswerKind(Enum):
    """What an answer comes to."""

    READ = "read"
    COMPLETE = "complete"
    """The table waited for this seat, and now no longer does."""
    WRONG = "wrong"
    """It does not count, or not yet."""


class Feedback(msgspec.Struct, frozen=True):
    """The answer to a seat's latest card or press."""

    number: int
    """Counts this seat's answers, so that a repeated one can be told from the one before."""
    tapped: bool
    complete: bool
    """Whether the table waited for this seat, and now no longer does, unless the act is refused."""
    read: int
    """How many different cards of this seat were read, and not refused, in the current unit."""
    wrong: Verdict | None
    """What has to be put right, if the seat was told so."""
    refused: Refusal | None
    """How the lamp there refuses it, if it does; None: as far as everybody may know it counts."""
    card: str
    """For recognising it, not for showing."""
    faces: tuple[str, ...]
    """This card and those just before it in the same unit, oldest first, for a phone that reads aloud: it may have
    missed one since it looked. "" if nobody knows which card it is, or not even its player may."""

    @property
    def kind(self) -> AnswerKind:
        """What it comes to."""
        if self.wrong or self.refused:
            return AnswerKind.WRONG
        return AnswerKind.COMPLETE if self.complete else AnswerKind.READ


def judged(
    match: Match, event: Event, whose: Collection[Doer], answers: MutableMapping[int, Feedback]
) -> tuple[tuple[Verdict, ...], Refusal | None]:
    """Have the match take the event; if a sensor told of it and one seat did it, note the answer to that seat.

    Return the verdicts, and how it was refused in everybody's sight.
    """
    shut_then = shut(match)
    seat = _sensed_of(event, whose)
    unit = match.unit
    waited = seat is not None and _waited_for(match, seat)
    verdicts = match.add(event)
    refused = refusal_of(event, shut_then, match.latest)
    if seat is not None:
        answers[seat] = _answer(
            match, event, seat, answers.get(seat), refused, same_unit=match.unit == unit, waited=waited
        )
    return verdicts, refused


def answer_press(match: Match, press: Event, doubt: Doubt | None, answers: MutableMapping[int, Feedback]) -> None:
    """Note the answer to a seat whose press is not one: it was doubted, or says something else (None)."""
    assert isinstance(press, Pressed)
    seat = press.seat
    previous_answer = answers.get(seat)
    answers[seat] = Feedback(
        number=previous_answer.number + 1 if previous_answer else 1,
        tapped=False,
        complete=False,
        read=_read(match, seat),
        wrong=Misplay(doubt.code, press.seq, {"seat": seat, **now(match).facts}) if doubt else None,
        refused=Refusal(doubt.code, None) if doubt else None,
        card="",
        faces=(),
    )


def _answer(
    match: Match,
    event: Event,
    seat: int,
    previous_answer: Feedback | None,
    refused: Refusal | None,
    *,
    same_unit: bool,
    waited: bool,
) -> Feedback:
    card = event.card if isinstance(event, Tapped) else ""
    earlier = previous_answer.faces[1 - MOST :] if previous_answer and same_unit else ()
    # Of a card that is read again the judge says nothing twice, but that makes it no better.
    wrong = next((verdict for verdict in match.latest if _refuses(verdict, seat)), None)
    return Feedback(
        number=previous_answer.number + 1 if previous_answer else 1,
        tapped=isinstance(event, Tapped),
        complete=waited and not _waited_for(match, seat) and (same_unit or bool(card)),
        read=_read(match, seat),
        wrong=wrong,
        refused=refused,
        card=card,
        faces=(*earlier, card if may_hear(match, seat, card) else ""),
    )


def _sensed_of(event: Event, whose: Collection[Doer]) -> int | None:
    """Return the one seat whose act a sensor told; whoever enters one by phone sees the phone's answer."""
    if not isinstance(event, Tapped | Pressed) or event.by is not msgspec.UNSET:
        return None
    seats = [seat for seat in whose if isinstance(seat, int)]
    return seats[0] if len(seats) == 1 else None


def _waited_for(match: Match, seat: int) -> bool:
    return seat in now(match).seats


def _refuses(verdict: Verdict, seat: int) -> bool:
    return refuses_at_once(verdict) and verdict.to in (None, seat)


def _read(match: Match, seat: int) -> int:
    cards_by_seq = {seq: match.events[seq - 1].card for seq in match.taps_of(seat)}  # type: ignore[union-attr]
    refused = set()
    for verdict in reversed(match.verdicts):
        if not cards_by_seq or verdict.seq < min(cards_by_seq):
            break
        if verdict.seq in cards_by_seq and _refuses(verdict, seat):
            refused.add(cards_by_seq[verdict.seq])
    return len(set(cards_by_seq.values()) - refused)
