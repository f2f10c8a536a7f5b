"""The answer to what a seat's sensors read, for that seat's phone alone.

It depends only on the seat's own acts, what it was told, and public knowledge, never on another seat's sealed act.
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
    """What an answer says in one word."""

    READ = "read"
    COMPLETE = "complete"
    """The table waited for this seat, and no longer does."""
    WRONG = "wrong"
    """It does not count, or not yet."""


class Feedback(msgspec.Struct, frozen=True):
    """The answer to a seat's latest card or press."""

    number: int
    """Counts this seat's answers, so that a repeated one can be told from the one before."""
    tapped: bool
    complete: bool
    """Whether the table waited for this seat, and no longer does; without meaning if the act is refused."""
    read: int
    """How many different cards of this seat were read, and not refused, in the current unit."""
    wrong: Verdict | None
    """The misplay to be put right, if the seat was told of one."""
    refused: Refusal | None
    """The public refusal that the seat's lamp shows; None: as far as everybody may know, it counts."""
    card: str
    """For recognising it, not for showing."""
    faces: tuple[str, ...]
    """This card and those just before it in the same unit, oldest first, for a phone that reads aloud: it may have
    missed one since it looked. "" if nobody knows which card it is, or not even its player may."""

    @property
    def kind(self) -> AnswerKind:
        """What it says in one word."""
        if self.wrong or self.refused:
            return AnswerKind.WRONG
        return AnswerKind.COMPLETE if self.complete else AnswerKind.READ


def judged(
    match: Match, event: Event, event_doers: Collection[Doer], answers: MutableMapping[int, Feedback]
) -> tuple[tuple[Verdict, ...], Refusal | None]:
    """Have the match judge an event; if it was sensed and is one seat's act, note the answer to that seat.

    Return the verdicts and the public refusal, if any.
    """
    shut_then = shut(match)
    seat = _sensed_of(event, event_doers)
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
    """Note the answer to a press that was taken back at once: it was doubted, or means a word instead (None)."""
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
    # The judge does not repeat a verdict on a card that is read again, but the card is still wrong.
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


def _sensed_of(event: Event, event_doers: Collection[Doer]) -> int | None:
    """Return the only seat whose act a sensor told; None for an act entered by phone, which answers by itself."""
    if not isinstance(event, Tapped | Pressed) or event.by is not msgspec.UNSET:
        return None
    seats = [seat for seat in event_doers if isinstance(seat, int)]
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
