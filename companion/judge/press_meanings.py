"""What a press means when it is made: itself, nothing yet, or a word.

The judge takes a press for a press, since a record is judged as it stands. At a table it may come too early, and is
asked for again (`doubted_presses`); or it may stand for a word: the caller's second press in stop it! says that they
have no stop card. The live table records such a press as it was sensed, retracts it in the same step, and enters the
word. So nobody needs a phone to say it, and older records keep their meaning.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.events import Event, Pressed, Retracted, Said
from companion.judge import doubted_presses
from companion.judge.match import Match

SAID = "said"
"""The `by` of a retraction of a press that stands for a word."""


def with_meanings(match: Match, events: Sequence[Event], on_since: float) -> list[tuple[Event, ...]]:
    """Return one step for each event that sensors told, a press with what is entered for it, all numbered on.

    `on_since` is when the table was switched on (seconds).
    """
    judged = match if len(events) == 1 else match.as_of(len(match.events))
    steps: list[tuple[Event, ...]] = []
    seq = len(match.events) + 1
    for event in events:
        act = replace(event, seq=seq)
        step = _of_press(judged, act, on_since) if isinstance(act, Pressed) else (act,)
        if judged is not match:
            judged.add_all(step)
        steps.append(step)
        seq += len(step)
    return steps


def apart(events: Sequence[Event]) -> Iterator[tuple[Event, ...]]:
    """Yield these events in order, split so that a press taken back at once stands alone with its retraction."""
    acts: list[Event] = []
    for event in events:
        acts.append(event)
        if takes_back_at_once(event):
            if acts[:-2]:
                yield tuple(acts[:-2])
            yield tuple(acts[-2:])
            acts = []
    if acts:
        yield tuple(acts)


def takes_back_at_once(event: Event) -> bool:
    """Return whether this event takes a press back before anybody has seen it judged."""
    by_meaning = isinstance(event, Retracted) and event.by == SAID
    return by_meaning or doubted_presses.doubt_of(event) is not None


def word_in(match: Match, press: Pressed) -> Said | None:
    """Return the word that this press stands for, with `seq` 0; None: it is only a press."""
    if match.over or press.seat not in match.names:
        return None
    nothing: Said | None = None
    return match.tried("word_in", lambda: match.game.moves.word_in(match.state, press), nothing)


def _of_press(match: Match, press: Pressed, on_since: float) -> tuple[Event, ...]:
    word = word_in(match, press)
    doubt = doubted_presses.doubt(match, press, on_since, says=word is not None)
    if doubt is not None:
        return press, Retracted(press.seq + 1, press.at, press.seq, by=doubt.value)
    if word is None:
        return (press,)
    return press, Retracted(press.seq + 1, press.at, press.seq, by=SAID), replace(word, seq=press.seq + 2)
